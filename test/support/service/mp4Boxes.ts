export interface Mp4Box {
  readonly type: string;
  /** With the header. */
  readonly bytes: Buffer;
}

/** Returns the boxes of a file, or of a box's content, without those inside them. */
export function boxesIn(bytes: Buffer): readonly Mp4Box[] {
  const boxes: Mp4Box[] = [];
  for (let at = 0; at < bytes.length; at += bytes.readUInt32BE(at)) {
    const box = bytes.subarray(at, at + bytes.readUInt32BE(at));
    boxes.push({ type: box.toString('latin1', 4, 8), bytes: box });
  }
  return boxes;
}

export function mp4Box(type: string, ...content: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.reduce((sum, { length }) => sum + length, 0));
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, ...content]);
}
