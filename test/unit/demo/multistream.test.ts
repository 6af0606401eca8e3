import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { waitUntil } from '../../support/page/waitUntil.ts';
import { errorsOf, type Fixture, type Row, withDemo } from './demoFixture.ts';

const TARGETS = '/multistream/target';
const URL = 'rtmps://live.example/app/k3y-0f-another';
const LADDER = [{ name: '720p0', width: 1280, height: 720 }];

const post = (fixture: Fixture, path: string, body: unknown, method = 'POST') =>
  fixture.call(path, { method, body: JSON.stringify(body) });

function stream({ demo }: Fixture) {
  return demo.control.addStream({ name: 'Talk', profiles: LADDER });
}

async function listed(fixture: Fixture): Promise<readonly Row[]> {
  const { id } = JSON.parse((await fixture.call('/user/me')).text) as Row;
  return fixture.rows(`${TARGETS}?userId=${String(id)}`);
}

const multistreamOf = ({ demo }: Fixture, id: string) =>
  demo.control.streams().find((each) => each.id === id)?.multistream;

describe('The multistream targets of the demo', () => {
  it(
    'are created on a stream, and never send their URL',
    withDemo({}, async (fixture) => {
      const { id } = stream(fixture);
      const body = { profile: '720p0', spec: { name: 'Elsewhere', url: URL } };
      const reply = await post(fixture, `/stream/${id}/create-multistream-target`, body);
      assert.equal(reply.status, 200);
      const target = JSON.parse(reply.text) as Row;
      assert.deepEqual([target.name, target.disabled, Object.hasOwn(target, 'url')], ['Elsewhere', false, false]);
      assert.deepEqual(multistreamOf(fixture, id), { targets: [{ profile: '720p0', id: target.id }] });
      assert.deepEqual((await listed(fixture)).at(-1), target);
      const one = await fixture.call(`${TARGETS}/${String(target.id)}`);
      assert.deepEqual([JSON.parse(one.text), one.text.includes('k3y')], [target, false]);
      assert.equal(fixture.demo.control.targets().at(-1)?.url, URL);
    }),
  );

  it(
    'are reached at another URL, even if the one before failed',
    withDemo({}, async (fixture) => {
      const { id } = fixture.demo.control.addTarget({ name: 'Bad', url: URL, isFailing: true });
      const failing = () => fixture.demo.control.targets().find((each) => each.id === id)?.isFailing;
      await post(fixture, `${TARGETS}/${id}`, { name: 'Better' }, 'PATCH');
      assert.equal(failing(), true);
      await post(fixture, `${TARGETS}/${id}`, { url: `${URL}-2` }, 'PATCH');
      assert.equal(failing(), false);
    }),
  );

  it(
    'fail on this computer if nothing listens there',
    withDemo({}, async (fixture) => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const url = `rtmp://127.0.0.1:${port}/live/k3y`;
      const failing = () => fixture.demo.control.targets().at(-1)?.isFailing;
      const knocked = once(server, 'connection');
      const reply = await post(fixture, TARGETS, { url });
      await knocked;
      assert.equal(failing(), false);
      server.close();
      await once(server, 'close');
      await post(fixture, `${TARGETS}/${String((JSON.parse(reply.text) as Row).id)}`, { url }, 'PATCH');
      await waitUntil(async () => failing() === true);
    }),
  );

  it(
    'are turned off and on for every stream, and removed from one alone',
    withDemo({}, async (fixture) => {
      const { id } = stream(fixture);
      const target = fixture.demo.control.addTarget({ url: URL });
      assert.equal(target.name, 'live.example');
      const use = { profile: 'source', id: target.id };
      assert.equal((await post(fixture, `/stream/${id}/create-multistream-target`, use)).status, 200);
      assert.equal((await post(fixture, `/stream/${id}/create-multistream-target`, use)).status, 400, 'twice');
      const isDisabled = () => fixture.demo.control.targets().find((each) => each.id === target.id)?.disabled;
      for (const disabled of [true, false]) {
        assert.equal((await post(fixture, `${TARGETS}/${target.id}`, { disabled }, 'PATCH')).status, 204);
        assert.equal(isDisabled(), disabled);
      }
      const remove = () => fixture.call(`/stream/${id}/multistream/${target.id}`, { method: 'DELETE' });
      assert.deepEqual([(await remove()).status, (await remove()).status], [204, 204]);
      assert.deepEqual([multistreamOf(fixture, id), isDisabled()], [{ targets: [] }, false]);
    }),
  );

  it(
    'are refused as the public service refuses them',
    withDemo({}, async (fixture) => {
      const { id } = stream(fixture);
      const path = `/stream/${id}/create-multistream-target`;
      const spec = { name: 'T', url: URL };
      const refused: readonly (readonly [status: number, body: unknown])[] = [
        [422, { spec }],
        [422, { profile: 'source', spec: { name: 'T' } }],
        [422, { profile: 'source', spec: { ...spec, disabled: true } }],
        [422, { profile: 'source', spec, more: 1 }],
        [422, { profile: 'source', spec: null }],
        [422, { profile: 'source', spec: { url: 'https://live.example/app/key' } }],
        [422, { profile: 'source', spec: { url: 'rtmp://a b/app/key' } }],
        [400, { profile: 'no such', spec }],
        [400, { profile: 'source' }],
        [400, { profile: 'source', spec, id: 'a' }],
        [400, { profile: 'source', id: 'no-such-target' }],
      ];
      for (const [status, body] of refused) {
        assert.equal((await post(fixture, path, body)).status, status, JSON.stringify(body));
      }
      assert.deepEqual(multistreamOf(fixture, id)?.targets ?? [], []);
      const wrong = await post(fixture, path, { profile: 'no such', spec });
      assert.match(errorsOf(wrong).join(), /profile not found: "no such"\. available: \["720p0","source"\]/);
      assert.equal(
        (await post(fixture, '/stream/none/create-multistream-target', { profile: 'source', spec })).status,
        404,
      );
      assert.equal((await fixture.call(TARGETS)).status, 400, 'without a user');
      assert.equal((await fixture.call(`${TARGETS}?userId=another`)).status, 403);
      assert.equal((await post(fixture, `${TARGETS}/none`, { disabled: true }, 'PATCH')).status, 404);
      const [target] = fixture.demo.control.targets();
      assert.equal((await post(fixture, `${TARGETS}/${target?.id}`, { disabled: null }, 'PATCH')).status, 422);
    }),
  );

  it(
    'are in the health of a live stream while they are on, connected or not',
    withDemo({}, async (fixture) => {
      const { control } = fixture.demo;
      const { id } = stream(fixture);
      const [good, bad, off] = [
        { name: 'Good' },
        { name: 'Bad', isFailing: true },
        { name: 'Off', disabled: true },
      ].map((fields) => control.addTarget({ ...fields, url: URL }).id);
      const targets = [good, bad, off].map((each) => ({ id: each ?? '', profile: 'source' }));
      control.setStream(id, { multistream: { targets } });
      control.startBroadcast(id);
      const health = JSON.parse((await fixture.call(`/data/stream/${id}/health`)).text) as Row;
      assert.deepEqual(health.multistream, [
        { target: { id: good, name: 'Good', profile: 'source' }, connected: true },
        { target: { id: bad, name: 'Bad', profile: 'source' }, connected: false },
      ]);
      const conditions = health.conditions as readonly Row[];
      assert.equal(conditions.find(({ type }) => type === 'Multistreaming')?.status, false);
    }),
  );

  it(
    'are replaced with the stream, and kept where the stream’s change is refused',
    withDemo({}, async (fixture) => {
      const { control } = fixture.demo;
      const { id } = stream(fixture);
      const patch = async (multistream: unknown) =>
        (await post(fixture, `/stream/${id}`, { name: 'Other', multistream }, 'PATCH')).status;
      const kept = control.addTarget({ name: 'Kept', url: URL }).id;
      const spec = { name: 'New', url: URL };
      const targets = [
        { profile: '720p0', id: kept },
        { profile: 'source', videoOnly: true, spec },
      ];
      assert.equal(await patch({ targets }), 204);
      const added = control.targets().find(({ name }) => name === 'New')?.id;
      const now = { targets: [targets[0], { profile: 'source', videoOnly: true, id: added }] };
      assert.deepEqual(multistreamOf(fixture, id), now);
      const count = control.targets().length;
      const refused: readonly (readonly [status: number, multistream: unknown])[] = [
        [422, null],
        [422, []],
        [422, { targets: {} }],
        [422, { targets: [], more: 1 }],
        [422, { targets: ['x'] }],
        [422, { targets: [{ profile: 'source', spec }, { id: kept }] }],
        [
          400,
          {
            targets: [
              { profile: 'source', spec },
              { profile: 'no such', id: kept },
            ],
          },
        ],
        [400, { targets: [{ profile: 'source', id: 'none' }] }],
        [400, { targets: [targets[0], targets[0]] }],
      ];
      for (const [status, multistream] of refused) {
        assert.equal(await patch(multistream), status, JSON.stringify(multistream));
        assert.deepEqual(multistreamOf(fixture, id), now);
      }
      assert.equal(control.targets().length, count);
      assert.equal(await patch({}), 204);
      assert.deepEqual(multistreamOf(fixture, id), { targets: [] });
    }),
  );

  it(
    'are told to webhooks: where a broadcast is sent, where it can’t be, and where no longer',
    withDemo({}, async (fixture) => {
      const { control } = fixture.demo;
      const { id } = stream(fixture);
      const events = ['multistream.connected', 'multistream.error', 'multistream.disconnected'];
      const webhook = control.addWebhook({ url: 'https://hooks.example/', events, streamId: id });
      const told = async () => {
        await new Promise(setImmediate);
        const deliveries = control.deliveries(webhook.id).toReversed();
        control.setDeliveries(webhook.id, []);
        return deliveries.map(({ event, request }) => {
          const { payload } = JSON.parse(request?.body ?? '') as { payload: { target: Row } };
          assert.ok(!request?.body.includes('k3y'), 'the URL of a target is never sent');
          assert.deepEqual(Object.keys(payload.target), ['id', 'name', 'profile']);
          return `${event.replace('multistream.', '')} ${String(payload.target.name)}`;
        });
      };
      const idOf = (fields: { name: string; isFailing?: boolean; disabled?: boolean }) =>
        control.addTarget({ ...fields, url: URL }).id;
      const [good, bad, off] = [
        idOf({ name: 'Good' }),
        idOf({ name: 'Bad', isFailing: true }),
        idOf({ name: 'Off', disabled: true }),
      ];
      const targets = [good, bad, off].map((each) => ({ id: each, profile: 'source' }));
      assert.equal((await post(fixture, `/stream/${id}`, { multistream: { targets } }, 'PATCH')).status, 204);
      assert.deepEqual(await told(), [], 'nothing is sent yet');
      control.startBroadcast(id);
      assert.deepEqual(await told(), ['connected Good', 'error Bad']);
      for (const [target, disabled] of [
        [good, true],
        [off, false],
        [off, false],
      ] as const) {
        await post(fixture, `${TARGETS}/${target}`, { disabled }, 'PATCH');
      }
      assert.deepEqual(await told(), ['disconnected Good', 'connected Off']);
      await fixture.call(`/stream/${id}/multistream/${off}`, { method: 'DELETE' });
      await post(fixture, `${TARGETS}/${good}`, { disabled: false }, 'PATCH');
      assert.deepEqual(await told(), ['disconnected Off', 'connected Good']);
      control.endBroadcast(id);
      assert.deepEqual(await told(), ['disconnected Good']);
    }),
  );

  it(
    'are not there on a service that offers what is stated alone',
    withDemo({ face: 'strict' }, async (fixture) => {
      const { id } = stream(fixture);
      assert.equal((await fixture.call(`${TARGETS}?userId=a`)).status, 404);
      const body = { profile: 'source', spec: { url: URL } };
      assert.equal((await post(fixture, `/stream/${id}/create-multistream-target`, body)).status, 404);
    }),
  );
});
