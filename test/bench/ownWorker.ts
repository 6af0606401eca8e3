import { startProcess } from '../support/process/ownProcess.ts';

type Handlers = Readonly<Record<string, (...args: never[]) => unknown>>;

/** Another process of ours, whose functions are called by their names: what it does costs this process nothing. */
export interface OwnWorker<H extends Handlers> {
  readonly pid: number;
  call<K extends keyof H & string>(name: K, ...args: Parameters<H[K]>): Promise<Awaited<ReturnType<H[K]>>>;
  close(): Promise<void>;
}

interface Answer {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: string;
}

/** Starts a module that calls `serve`. */
export function startWorker<H extends Handlers>(file: string, ...args: readonly string[]): OwnWorker<H> {
  const stdio: ('ignore' | 'inherit' | 'ipc')[] = ['ignore', 'inherit', 'inherit', 'ipc'];
  const { child, exited, kill } = startProcess(process.execPath, [file, ...args], { stdio });
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let lastId = 0;
  child.on('message', ({ id, value, error }: Answer) => {
    const asked = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) asked?.resolve(value);
    else asked?.reject(new Error(error));
  });
  const end = (code: unknown) => {
    for (const asked of waiting.values()) asked.reject(new Error(`${file} ended with ${code}`));
  };
  exited.then(end, end);
  return {
    pid: child.pid ?? 0,
    call(name, ...given) {
      const asked = Promise.withResolvers<unknown>();
      lastId += 1;
      waiting.set(lastId, asked);
      child.send({ id: lastId, name, args: given });
      // What it answers is what the function of this name returns.
      return asked.promise as Promise<Awaited<ReturnType<H[typeof name]>>>;
    },
    close: kill,
  };
}

/** In the process that `startWorker` started: runs what it is asked for. */
export function serve(handlers: Handlers): void {
  process.on('message', async ({ id, name, args }: { id: number; name: string; args: never[] }) => {
    const answer = await answerOf(handlers, name, args);
    process.send?.({ id, ...answer });
  });
}

async function answerOf(handlers: Handlers, name: string, args: never[]): Promise<Omit<Answer, 'id'>> {
  try {
    const handler = handlers[name];
    if (handler === undefined) throw new Error(`There is no ${name}`);
    return { value: await handler(...args) };
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
