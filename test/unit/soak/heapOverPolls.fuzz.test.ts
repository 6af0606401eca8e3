import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import type { Node } from '../../../src/model/rows/nodes.ts';
import { usedHeap } from '../../bench/collectGarbage.ts';
import { growthOfEach, type HeapSample, KB } from '../../soak/heap.ts';
import { fakeLog } from '../../support/model/fakes.ts';
import { heldClock } from '../../support/model/heldClock.ts';
import { composeRealModel, type RealModel } from '../../support/model/realModel.ts';
import { startServer } from '../../support/service/testServer.ts';

/** Of all streams, so many move: each of them has been live before anything is measured. */
const [LIVE, IDLE, CHANGES, MOVING] = [50, 300, 5, 250];
const [POLLS_BEFORE, POLLS_A_SAMPLE, SAMPLES] = [100, 25, 7];
/** Node itself keeps some for code that it compiles: 1.5 to 5 kB a poll, less and less. */
const AT_MOST = 10 * KB;

/** A service in which streams go live and end, and which keeps nothing of that. */
function createAccount() {
  const streams = Array.from({ length: LIVE + IDLE }, (_, index) => ({
    ...{ id: `stream-${index}`, name: `Stream ${index}`, isActive: index < LIVE, record: false },
    ...{ lastSeen: Date.now(), createdAt: 1 + index, streamKey: `abcd-${index}-ef01`, playbackId: `play${index}` },
  }));
  let first = 0;
  return {
    /** Those that were live longest end, and as many after the last one go live. */
    change() {
      for (let count = 0; count < CHANGES; count++) {
        const [ending, starting] = [streams[first % MOVING], streams[(first + LIVE) % MOVING]];
        if (ending !== undefined) ending.isActive = false;
        if (starting !== undefined) Object.assign(starting, { isActive: true, lastSeen: Date.now() });
        first += 1;
      }
    },
    answer({ pathname, search }: URL, response: ServerResponse) {
      response.setHeader('content-type', 'application/json');
      const [, , id] = pathname.split('/');
      const isActive = decodeURIComponent(search).includes('"isActive","value":true');
      const found = id === undefined ? streams.filter((each) => each.isActive === isActive) : undefined;
      response.end(JSON.stringify(found ?? streams.find((each) => each.id === id)));
    },
  };
}

/** Asks for rows as VS Code does: all at first, then what is fired, with what is below it. */
function watchRows({ tree }: RealModel): () => Promise<void> {
  const fired: (Node | undefined)[] = [undefined];
  tree.onDidChange((nodes) => fired.push(...(nodes ?? [undefined])));
  const open = async (node: Node | undefined): Promise<void> => {
    for (const child of await tree.children(node)) {
      tree.row(child);
      if (child.kind === 'group' && child.list !== 'recording') await open(child);
    }
  };
  return async () => {
    while (fired.length > 0) {
      const node = fired.pop();
      if (node !== undefined) tree.row(node);
      if (node === undefined || node.kind === 'group') await open(node);
    }
  };
}

describe('Hours of polls', () => {
  it('keep nothing of a poll, with rows that move', async () => {
    const account = createAccount();
    const server = await startServer((request, response) => {
      server.requests.length = 0;
      account.answer(new URL(request.url ?? '', 'http://service.test'), response);
    });
    const model = composeRealModel({
      ...{ baseUrl: server.url, apiKey: 'key-of-tests', clock: heldClock(Date.now()), log: fakeLog() },
      timeoutMs: 60_000,
    });
    const draw = watchRows(model);
    const poll = async (polls: number): Promise<void> => {
      for (let count = 0; count < polls; count++) {
        account.change();
        await model.loader.poll();
        await draw();
      }
    };
    try {
      model.connect();
      await draw();
      await poll(POLLS_BEFORE);
      const samples: HeapSample[] = [];
      for (let count = 0; count < SAMPLES; count++) {
        samples.push({ count: count * POLLS_A_SAMPLE, bytes: usedHeap() });
        await poll(POLLS_A_SAMPLE);
      }
      const growth = growthOfEach(samples);
      assert.ok(growth < AT_MOST, `${Math.round(growth)} bytes a poll: ${samples.map(({ bytes }) => bytes).join(' ')}`);
      assert.equal(model.store.snapshot.lists.active.ids.length, LIVE);
    } finally {
      model.dispose();
      await server.close();
    }
  }).timeout(120_000);
});
