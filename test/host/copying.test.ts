import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { DemoSession, DemoStream } from '../../src/demo/demoState.ts';
import { fillTemplate } from '../../src/model/filledAddresses.ts';
import { fieldsOf } from '../support/fieldsOf.ts';
import { type HostRow, type Product, withProduct } from './product.ts';

const pasted = () => vscode.env.clipboard.readText();
const NOT_IDS: readonly unknown[] = ['', '../x', 'x'.repeat(10_000), 'a/b', 'a?b', '%2e', {}, { id: '' }, 7, [], true];

function aStream({ service }: Product): DemoStream {
  const stream = service.control.streams().find(({ isActive, parentId }) => !isActive && parentId === undefined);
  return stream ?? assert.fail('The demo has no idle stream');
}

/** The row of the idle group with this name, as VS Code was given it. */
async function rowOf(product: Product, name: string): Promise<HostRow> {
  const idle = (await product.rows()).find((row) => row.contextValue === 'group.idle');
  assert.ok(idle);
  const row = (await product.rows(idle)).find(({ label }) => label === name);
  return row ?? assert.fail(`There is no row ${name}`);
}

async function sessionRowOf(product: Product, { id }: DemoSession, streamName: string): Promise<HostRow> {
  const rows = await product.rows(await rowOf(product, streamName));
  const isIt = (node: unknown) => typeof node === 'object' && node !== null && Reflect.get(node, 'sessionId') === id;
  return rows.find(({ node }) => isIt(node)) ?? assert.fail('The session has no row');
}

describe('Copying', () => {
  beforeEach(() => vscode.env.clipboard.writeText('nothing yet'));

  it(
    'puts what the command names on the clipboard, from a row, an id or {id}',
    withProduct({}, async (product) => {
      const stream = aStream(product);
      const { id, streamKey, playbackId } = stream;
      const { rtmp = '', hls = '', player = '' } = product.service.addresses;
      const expected: Readonly<Record<string, string | undefined>> = {
        copyStreamKey: streamKey,
        copyPlaybackId: playbackId,
        copyStreamId: id,
        copyIngestUrl: fillTemplate(rtmp, { streamKey }),
        copyIngestServer: rtmp.replace('/{streamKey}', ''),
        copyPlaybackUrl: fillTemplate(hls, { playbackId }),
        copyPlayerUrl: fillTemplate(player, { playbackId }),
      };
      const row = await rowOf(product, stream.name);
      for (const given of [row.node, id, { id }]) {
        for (const [command, value] of Object.entries(expected)) {
          await vscode.env.clipboard.writeText('nothing yet');
          await product.run(command, given);
          assert.equal(await pasted(), value, command);
        }
      }
      assert.deepEqual(product.window.said, []);
      assert.equal(product.window.flashes.length, 21);
      assert.ok(!product.window.readable().includes(streamKey ?? ''));
    }),
  );

  it(
    'takes the rows that were chosen together, each stream once',
    withProduct({}, async (product) => {
      const idle = (await product.rows()).find((row) => row.contextValue === 'group.idle');
      const [first, second] = await product.rows(idle);
      assert.ok(first && second);
      await product.run('copyStreamId', first.node, [first.node, second.node, first.node]);
      assert.equal(new Set((await pasted()).split('\n')).size, 2);
      assert.deepEqual(product.window.flashes, ['Copied 2 stream IDs']);
    }),
  );

  it(
    'takes ids from rows of sessions',
    withProduct({}, async (product) => {
      const stream = aStream(product);
      const createdAt = Date.now() - 7_200_000;
      const times = { createdAt, lastSeen: createdAt + 60_000, sourceSegmentsDuration: 60 };
      const fields = { record: true, recordingStatus: 'ready', ...times };
      const media = {
        recordingUrl: 'https://cdn.example/r/1/index.m3u8',
        mp4Url: 'https://cdn.example/r/1.mp4?s=a%2Fb',
      };
      const session = product.service.control.addSession(stream.id, { ...fields, ...media });
      const { node } = await sessionRowOf(product, session, stream.name);
      for (const given of [node, session.id, { id: session.id }]) {
        await product.run('copySessionId', given);
        assert.equal(await pasted(), session.id);
        await product.run('copyRecordingUrl', given);
        assert.equal(await pasted(), media.recordingUrl);
        await product.run('copyMp4Url', given);
        assert.equal(await pasted(), media.mp4Url);
      }
      assert.deepEqual(product.window.said, []);
    }),
  );

  it(
    'refuses text that isn’t an id before any request, whichever command is given it',
    withProduct({}, async (product) => {
      const takeStream = ['copyStreamKey', 'copyStreamId', 'copyPlaybackUrl', 'openPlayerPage', 'openJson'];
      const takeSession = ['copySessionId', 'copyMp4Url', 'openRecording'];
      const commands = [...takeStream, ...takeSession, 'goToStream', 'retry', 'openDashboard'];
      for (const command of commands) for (const given of NOT_IDS) await product.run(command, given);
      assert.deepEqual(product.requests(), []);
      assert.equal(product.window.said.length, commands.length * NOT_IDS.length);
      const sentence = "This isn't a valid stream or session ID.";
      assert.deepEqual([...new Set(product.window.said.map(({ text }) => text))], [sentence]);
      assert.equal(await pasted(), 'nothing yet');
      assert.deepEqual(product.window.opened, []);
      assert.equal(vscode.window.activeTextEditor, undefined);
    }),
  );

  it(
    'refuses rows whose ids were made up',
    withProduct({}, async (product) => {
      const row = { kind: 'stream', id: 'idle/../x', list: 'idle', streamId: '../x' };
      for (const command of ['copyStreamKey', 'openJson', 'retry']) await product.run(command, row);
      const session = { kind: 'session', id: 'x', list: 'idle', streamId: '..', sessionId: 'x' };
      for (const command of ['copySessionId', 'openRecording', 'retry']) await product.run(command, session);
      const more = { kind: 'more', id: 'x', of: { kind: 'stream', id: 'x', list: 'idle', streamId: '../x' } };
      for (const command of ['loadMore', 'retry']) await product.run(command, more);
      assert.deepEqual(product.requests(), []);
      assert.equal(product.window.said.length, 8);
    }),
  );

  it(
    'says that a stream was deleted, whose row goes',
    withProduct({}, async (product) => {
      const { id, name } = aStream(product);
      const row = await rowOf(product, name);
      product.service.control.deleteStream(id);
      await product.run('copyPlaybackId', row.node);
      assert.deepEqual(fieldsOf(product.window.said, 'text'), [`"${name}" no longer exists.`]);
      await assert.rejects(rowOf(product, name), /There is no row/);
      await product.run('copyPlaybackId', id);
      assert.equal(product.window.said.length, 2);
    }),
  );

  it(
    'says that a stream was deleted where its row is opened, which goes with the next refresh',
    withProduct({}, async (product) => {
      const streams = product.service.control.streams();
      const [first, second] = streams.filter(({ isActive, parentId }) => !isActive && parentId === undefined);
      assert.ok(first && second);
      const rows = [await rowOf(product, first.name), await rowOf(product, second.name)];
      for (const { id } of [first, second]) product.service.control.deleteStream(id);
      for (const row of rows) {
        const [retry] = await product.rows(row);
        assert.equal(retry?.contextValue, 'retry');
        assert.equal(retry?.description, 'This stream no longer exists.');
      }
      const [retry] = await product.rows(rows[0]);
      await product.run('retry', retry?.node);
      assert.equal(product.window.said[0]?.text, `"${first.name}" no longer exists.`);
      await assert.rejects(rowOf(product, first.name), /There is no row/);
      await product.run('refresh');
      await assert.rejects(rowOf(product, second.name), /There is no row/);
    }),
  );

  it(
    'says what to do first where nothing is connected, and copies nothing',
    withProduct({ isConnected: false }, async (product) => {
      for (const command of ['copyStreamKey', 'copySessionId', 'copyIngestServer']) await product.run(command, 'abc');
      for (const { text, actions } of product.window.said) {
        assert.equal(text, 'Connect to a service first.');
        assert.deepEqual(actions, ['Connect to a Service…', 'Try the Demo']);
      }
      assert.equal(product.window.said.length, 3);
      assert.equal(await pasted(), 'nothing yet');
    }),
  );
});
