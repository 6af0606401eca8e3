import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultRule } from '../demo/demoService.ts';
import { FILE_TYPE } from './fileServer.ts';

const TOTAL_BYTES = 348_000_000;
const PIECE_BYTES = 1_000_000;
const PIECES_A_SECOND = 12;

/** Answers MP4s as long as an hour's recording is, at the speed of a good line. They have the type of a file alone. */
export const slowMp4: FaultRule = ({ method, path }) => {
  if (method !== 'GET' || !path.endsWith('/source.mp4')) return undefined;
  const headers = { 'content-type': 'video/mp4', 'content-length': String(TOTAL_BYTES), etag: '"slow"' };
  return { status: 200, headers, body: sendSlowly() };
};

async function* sendSlowly(): AsyncGenerator<Uint8Array> {
  const piece = new Uint8Array(PIECE_BYTES);
  piece.set(FILE_TYPE);
  for (let sent = 0; sent < TOTAL_BYTES; sent += PIECE_BYTES) {
    yield piece;
    await sleep(1000 / PIECES_A_SECOND);
  }
}
