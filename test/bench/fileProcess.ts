// Serves one large file out of nothing, in a process of its own.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from './ownWorker.ts';

const piece = Buffer.alloc(256 * 1024);
// As an MP4 begins, so that it is taken for one.
piece.write('\0\0\0\x18ftypmp42', 'latin1');

const handlers = {
  /** @returns the address of a file of so many bytes, a multiple of 256 KiB. */
  async open(size: number): Promise<string> {
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': size });
      let left = size;
      const push = (): void => {
        while (left > 0) {
          left -= piece.length;
          if (!response.write(piece)) {
            response.once('drain', push);
            return;
          }
        }
        response.end();
      };
      push();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/recording.mp4`;
  },
};

export type FileHandlers = typeof handlers;
serve(handlers);
