import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/** A file as a server has it. */
export interface ServedFile {
  readonly content: Buffer;
  readonly type?: string;
  readonly etag?: string;
  readonly lastModified?: string;
  /** Default: true. */
  readonly hasRanges?: boolean;
  /** What it says its length is; default: the truth. */
  readonly claims?: number;
  /** Cuts the connection after so many bytes of this answer. */
  readonly cutAfter?: number;
  /**
   * Resolves when the other side has taken what comes before the cut: what it hasn't taken by then may be lost with the
   * connection. Default: when it had many turns for it.
   */
  readonly cutWhen?: () => Promise<void>;
  /** Goes silent after so many bytes of this answer. */
  readonly silentAfter?: number;
  /** Looks at If-Range as it should. Default: true. */
  readonly honoursIfRange?: boolean;
}

/** How every MP4 file begins: the box of its type. */
export const FILE_TYPE = Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isomavc1', 'latin1');

/** Bytes that differ from place to place, so that a part in the wrong place shows, and that begin like an MP4 file. */
export function someBytes(length: number, seed = 1): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  for (let index = 0; index < length; index++) bytes[index] = (index * 31 + (index >> 8) * 7 + seed) & 0xff;
  FILE_TYPE.copy(bytes);
  return bytes;
}

/** Answers each request with the file as it is at that moment. @param count 1 for the first request */
export function fileListener(file: (count: number, request: IncomingMessage) => ServedFile): RequestListener {
  let count = 0;
  return (request, response) => {
    count += 1;
    sendFile(request, response, file(count, request));
  };
}

function sendFile(request: IncomingMessage, response: ServerResponse, file: ServedFile): void {
  const { content, etag, lastModified, claims = content.length, type = 'video/mp4' } = file;
  response.setHeader('content-type', type);
  if (etag !== undefined) response.setHeader('etag', etag);
  if (lastModified !== undefined) response.setHeader('last-modified', lastModified);
  const from = rangeStart(request, file);
  if (from === undefined) {
    response.writeHead(200, { 'content-length': claims });
    sendBytes(response, content, file, claims);
    return;
  }
  if (from >= content.length)
    return void response.writeHead(416, { 'content-range': `bytes */${content.length}` }).end();
  const part = content.subarray(from);
  response.writeHead(206, {
    'content-length': part.length,
    'content-range': `bytes ${from}-${content.length - 1}/${content.length}`,
  });
  sendBytes(response, part, file, part.length);
}

/** Undefined where the whole is wanted, or all that can be had. */
function rangeStart({ headers }: IncomingMessage, file: ServedFile): number | undefined {
  const found = /^bytes=(\d+)-$/.exec(headers.range ?? '');
  if (found === null || file.hasRanges === false) return undefined;
  const condition = headers['if-range'];
  const isSame = condition === undefined || condition === file.etag || condition === file.lastModified;
  return isSame || file.honoursIfRange === false ? Number(found[1]) : undefined;
}

function sendBytes(
  response: ServerResponse,
  bytes: Buffer,
  { cutAfter, cutWhen = afterTurns, silentAfter }: ServedFile,
  promised: number,
): void {
  const until = cutAfter ?? silentAfter ?? bytes.length;
  response.write(bytes.subarray(0, until), () => {
    if (silentAfter !== undefined) return;
    if (cutAfter !== undefined || bytes.length < promised) void cutWhen().then(() => response.destroy());
    else response.end();
  });
}

/**
 * Resolves once whoever reads in this process had many turns for it. Turns, not a time: where the machine is busy, a timer is due
 * before anything was read.
 */
export async function afterTurns(): Promise<void> {
  for (let turn = 0; turn < 25; turn += 1) await new Promise((resolve) => setTimeout(resolve, 2));
}
