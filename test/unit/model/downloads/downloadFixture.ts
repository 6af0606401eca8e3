import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Downloader, type DownloadOrder } from '../../../../src/model/downloads/download.ts';
import { isDownloadError } from '../../../../src/model/downloads/downloadError.ts';
import { createDownloadFiles } from '../../../../src/model/downloads/downloadFiles.ts';
import type { Clock, DownloadFiles, Downloads } from '../../../../src/services.ts';
import { fakeLog } from '../../../support/model/fakes.ts';
import { createTestClock } from '../../../support/model/testClock.ts';
import { WAIT_MS } from '../../../support/page/waitUntil.ts';
import { type ClientName, createClient } from '../../../support/service/clients.ts';
import type { ServedFile } from '../../../support/service/fileServer.ts';
import { startServer, type TestServer } from '../../../support/service/testServer.ts';

export const realClock = createTestClock();

/** What is noted of the downloads of these tests. */
export const OF = { connection: { id: 'c1', name: 'Production' }, sessionId: 'x1', streamId: 's1' };

interface DownloadOptions {
  /** Of another window, which cleans them up. */
  readonly shared?: Pick<DownloadKit, 'folder' | 'notes'>;
  readonly client?: ClientName;
  readonly stallMs?: number;
  /** What the transport goes by. Default: the real time. */
  readonly clock?: Clock;
  /** What the pauses between two tries go by. Default: the real time. */
  readonly pauses?: Clock;
  /** In place of the real files; given the real ones. */
  readonly files?: (real: DownloadFiles) => DownloadFiles;
  readonly transport?: Downloads;
}

export interface DownloadKit {
  readonly folder: string;
  /** Where it is noted what is under way. */
  readonly notes: string;
  /** The target that is meant where none is named. */
  readonly target: string;
  readonly log: ReturnType<typeof fakeLog>;
  readonly downloader: Downloader;
  readonly files: ReturnType<typeof createDownloadFiles>;
  /** Cuts an answer after so many bytes, once the download has taken them. To be called for each answer. */
  readonly cut: (bytes: number) => Pick<ServedFile, 'cutAfter' | 'cutWhen'>;
  /** How often another try was waited for. */
  readonly waits: () => number;
  serve(listener: RequestListener): Promise<TestServer>;
  get(url: string, more?: Partial<DownloadOrder>): Promise<number>;
  /** The reason why it failed. */
  failure(url: string, more?: Partial<DownloadOrder>): Promise<string>;
  written(): Buffer;
  /** The names in the folder. */
  names(): readonly string[];
}

/** Runs a test with real servers, real files and a real transport; whatever it leaves is cleaned up. */
export function withDownloads(
  options: DownloadOptions,
  test: (kit: DownloadKit) => Promise<void>,
): () => Promise<void> {
  return async () => {
    const { folder, notes } = options.shared ?? {
      folder: mkdtempSync(join(tmpdir(), 'live-streams-download-')),
      notes: mkdtempSync(join(tmpdir(), 'live-streams-notes-')),
    };
    const servers: TestServer[] = [];
    const log = fakeLog();
    const { clock = realClock, stallMs = 5000 } = options;
    const shared = { settings: () => ({ timeoutMs: 1000 }), clock, log, stallMs };
    const transport = createClient(options.client ?? 'undici', shared);
    const files = createDownloadFiles({ folder: notes, clock: realClock, log });
    const downloader = new Downloader({
      transport: options.transport ?? transport,
      files: options.files?.(files) ?? files,
      clock: options.pauses ?? realClock,
      log,
      // Below what Math.random gives, so that tries follow each other at once.
      random: () => -0.49,
    });
    try {
      await test(kitOf({ folder, notes, servers, log, downloader, files }));
    } finally {
      downloader.dispose();
      files.dispose();
      transport.dispose();
      for (const server of servers) await server.close();
      if (options.shared === undefined)
        for (const each of [folder, notes]) rmSync(each, { recursive: true, force: true });
    }
  };
}

function kitOf(
  parts: Pick<DownloadKit, 'folder' | 'notes' | 'log' | 'downloader' | 'files'> & { servers: TestServer[] },
): DownloadKit {
  const { folder, servers, downloader } = parts;
  const target = join(folder, 'a.mp4');
  let waits = 0;
  let received = 0;
  let taken = 0;
  const get: DownloadKit['get'] = (url, more = {}) =>
    downloader.download({
      url,
      target,
      connection: { baseUrl: url },
      of: OF,
      mayReplace: false,
      signal: new AbortController().signal,
      onWait: () => {
        waits += 1;
      },
      ...more,
      onProgress: (bytes, total) => {
        taken += Math.max(0, bytes - received);
        received = bytes;
        more.onProgress?.(bytes, total);
      },
    });
  return {
    ...parts,
    target,
    waits: () => waits,
    cut: (bytes) => {
      const before = taken;
      const cutWhen = async () => {
        const end = Date.now() + WAIT_MS;
        while (taken - before < bytes && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 2));
      };
      return { cutAfter: bytes, cutWhen };
    },
    async serve(listener) {
      const server = await startServer(listener);
      servers.push(server);
      return server;
    },
    get,
    async failure(url, more) {
      const error = await get(url, more).then(
        () => assert.fail('It was downloaded'),
        (thrown: unknown) => thrown,
      );
      assert.ok(isDownloadError(error), String(error));
      return error.reason;
    },
    written: () => readFileSync(target),
    names: () => readdirSync(folder).sort(),
  };
}
