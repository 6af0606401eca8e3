const MOST_BYTES = 64 * 1024 * 1024;
const MAKERS = ['alloc', 'allocUnsafe', 'allocUnsafeSlow', 'concat'] as const;

/** Within a `describe`: code that makes a buffer of more than 64 MB throws, and so fails its test. */
export function forbidLargeBuffers(): void {
  const original = Object.fromEntries(MAKERS.map((name) => [name, Buffer[name]]));
  before(() => {
    for (const name of MAKERS) Object.assign(Buffer, { [name]: guarded(Buffer[name] as Maker) });
  });
  after(() => void Object.assign(Buffer, original));
}

type Given = number | readonly Uint8Array[];
type Maker = (given: Given, ...others: unknown[]) => Buffer;

function guarded(make: Maker): Maker {
  return (given, ...others) => {
    const bytes = typeof given === 'number' ? given : given.reduce((sum, { length }) => sum + length, 0);
    if (bytes > MOST_BYTES) throw new Error(`A buffer of ${bytes} bytes`);
    return make.call(Buffer, given, ...others);
  };
}
