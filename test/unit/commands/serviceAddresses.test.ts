import assert from 'node:assert/strict';
import { templatesInForce } from '../../../src/model/connection/knownAddresses.ts';
import { type Fixture, withCommands } from './fixture.ts';

const ingests = ({ requests }: Fixture) => requests().filter((each) => each.endsWith('/ingest'));
const firstStream = ({ service }: Fixture) => service.control.streams()[0] ?? assert.fail('No stream');

describe('The addresses that a service says itself', () => {
  it(
    'are used where no setting says otherwise, and asked for once, without the key',
    withCommands({ addresses: {} }, async (fixture) => {
      const { run, ui, service } = fixture;
      const { id, streamKey = '', playbackId = '' } = firstStream(fixture);
      await Promise.all([run('copyIngestUrl', id), run('copyPlaybackUrl', id), run('copyIngestServer')]);
      await run('copyIngestUrl', id);
      const { rtmp = '', hls = '' } = service.addresses;
      const url = rtmp.replace('{streamKey}', streamKey);
      const expected = [url, hls.replace('{playbackId}', playbackId), rtmp.replace('/{streamKey}', ''), url];
      assert.deepEqual([...ui.seen.copied].sort(), expected.sort());
      assert.equal(ingests(fixture).length, 1);
      const asked = service.control.requests.find(({ path }) => path.endsWith('/ingest'));
      assert.equal(asked?.headers.authorization, undefined);
    }),
  );

  it(
    'give way to those of the settings, one by one, for which nothing is asked',
    withCommands({ addresses: { rtmp: 'rtmp://127.0.0.1/own/{streamKey}' } }, async (fixture) => {
      const { run, ui, service } = fixture;
      const { id, streamKey = '', playbackId = '' } = firstStream(fixture);
      await run('copyIngestUrl', id);
      assert.deepEqual([ui.seen.copied, ingests(fixture)], [[`rtmp://127.0.0.1/own/${streamKey}`], []]);
      await run('copyPlaybackUrl', id);
      assert.equal(ui.seen.copied[1], service.addresses.hls?.replace('{playbackId}', playbackId));
      assert.equal(templatesInForce(fixture.context).rtmp, 'rtmp://127.0.0.1/own/{streamKey}');
    }),
  );

  it(
    'are asked for again after a failure, which is reported, and after a refresh',
    withCommands({ addresses: {} }, async (fixture) => {
      const { run, ui, service, context } = fixture;
      const { id } = firstStream(fixture);
      service.control.fault(({ path }) => (path.endsWith('/ingest') ? { status: 500 } : undefined));
      await run('copyIngestUrl', id);
      assert.match(ui.seen.said[0]?.message ?? '', /500|problem|error/i);
      assert.deepEqual(ui.seen.copied, []);
      service.control.fault(undefined);
      await run('copyIngestUrl', id);
      assert.equal(ui.seen.copied.length, 1);
      const before = ingests(fixture).length;
      context.connection.account.resetAbilities();
      await run('copyIngestUrl', id);
      assert.equal(ingests(fixture).length, before + 1);
    }),
  );

  it(
    'are shown until the service answers again after a refresh',
    withCommands({ addresses: {} }, async (fixture) => {
      const { run, service, context } = fixture;
      const { id } = firstStream(fixture);
      await run('copyIngestUrl', id);
      const { rtmp } = templatesInForce(context);
      assert.ok(rtmp);
      context.connection.account.resetAbilities();
      service.control.fault(() => ({ status: 500 }));
      await run('copyIngestUrl', id);
      assert.equal(templatesInForce(context).rtmp, rtmp);
    }),
  );

  for (const status of [400, 401, 403, 404, 405, 422, 501]) {
    it(
      `are unknown where that is answered ${status}, which is asked once and says nothing of the key`,
      withCommands({ addresses: {} }, async (fixture) => {
        const { run, ui, service, context } = fixture;
        service.control.fault(({ path }) => (path.endsWith('/ingest') ? { status, body: '{}' } : undefined));
        for (let count = 0; count < 2; count++) await run('copyIngestUrl', firstStream(fixture).id);
        assert.ok(ui.seen.said.every(({ message }) => message.startsWith('No RTMP URL is configured for ')));
        assert.equal(ingests(fixture).length, 1);
        assert.equal(context.store.snapshot.connection.kind, 'open');
      }),
    );
  }

  it(
    'are those of the open connection alone',
    withCommands({ addresses: {} }, async (fixture) => {
      const { run, context } = fixture;
      await run('copyIngestServer');
      assert.notEqual(templatesInForce(context).rtmp, undefined);
      const other = { id: 'other', name: 'Other', baseUrl: 'https://other.example/api', apiKey: 'k' };
      context.connection.open({ ...other, insecureAccepted: false });
      assert.deepEqual(templatesInForce(context), {});
    }),
  );
});
