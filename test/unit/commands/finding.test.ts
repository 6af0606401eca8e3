import assert from 'node:assert/strict';
import { pickStream } from '../../../src/commands/targets/pickStream.ts';
import { liveStreams, shownIds, streamState } from '../../../src/model/store/streams.ts';
import type { PickItem, PickOptions } from '../../../src/services.ts';
import { streamIcon } from '../../../src/texts/streams.ts';
import { Emitter } from '../../../src/util/events.ts';
import { fieldsOf } from '../../support/fieldsOf.ts';
import { waitUntil } from '../../support/page/waitUntil.ts';
import { type Fixture, withCommands } from './fixture.ts';

/** Without separators. */
function rowsOf({ items }: { readonly items: readonly PickItem<unknown>[] } = { items: [] }) {
  return items.filter(({ isSeparator }) => isSeparator !== true);
}

/** Opens the picker as a person who types and waits. */
function openPicker({ context }: Fixture) {
  const typing = new Emitter<string>();
  const closing = new AbortController();
  const closed = Promise.withResolvers<undefined>();
  let rows: readonly PickItem<unknown>[] = [];
  let isBusy = true;
  const ui = {
    ...context.ui,
    pick<T>({ items }: PickOptions<T>) {
      assert.ok(typeof items === 'function');
      const show = (shown: readonly PickItem<T>[], isBusyNow: boolean) => {
        rows = rowsOf({ items: shown });
        isBusy = isBusyNow;
      };
      items({ signal: closing.signal, onDidType: typing.event, text: () => '', show });
      return closed.promise;
    },
  };
  const picking = pickStream({ ...context, ui }, 'Title');
  return {
    labels: () => rows.map(({ label }) => label),
    rows: () => rows,
    /** Types, and waits for what that asks for. */
    type(text: string) {
      typing.fire(text);
      return waitUntil(() => !isBusy);
    },
    settled: () => waitUntil(() => !isBusy),
    close() {
      closing.abort();
      closed.resolve(undefined);
      return picking;
    },
  };
}

describe('Go to Stream', () => {
  const PASTED: Readonly<Record<string, (stream: { id: string; playbackId: string; streamKey: string }) => string>> = {
    'HLS URL': ({ playbackId }) => `https://cdn.example.com/hls/${playbackId}/index.m3u8`,
    'player URL': ({ playbackId }) => `https://player.example.com/?v=${playbackId}`,
    'dashboard URL': ({ id }) => `https://example.com/dashboard/streams/${id}`,
    'ingest URL': ({ streamKey }) => `rtmp://example.com/live/${streamKey}`,
    'stream key': ({ streamKey }) => streamKey,
  };
  for (const [what, textFor] of Object.entries(PASTED)) {
    it(
      `finds a stream that isn't loaded by its ${what}, and sends no key`,
      withCommands({ demo: { streamCount: 400 } }, async (fixture) => {
        const { control } = fixture.service;
        const added = control.addStream({ name: 'Far away', createdAt: 1, lastSeen: 1 });
        const { id, playbackId = '', streamKey = '' } = added;
        const picker = openPicker(fixture);
        await picker.settled();
        assert.ok(!picker.labels().includes('Far away'));
        await picker.type(textFor({ id, playbackId, streamKey }));
        const found = picker.rows().filter(({ isAlwaysShown }) => isAlwaysShown);
        assert.deepEqual(fieldsOf(found, 'label'), ['Far away']);
        assert.ok(!JSON.stringify(picker.rows()).includes(streamKey));
        assert.ok(!JSON.stringify(control.requests).includes(streamKey));
        await picker.close();
      }),
    );
  }

  it(
    "finds no stream by a part of a URL's part",
    withCommands({ demo: { streamCount: 3 } }, async (fixture) => {
      const { playbackId = '' } = fixture.service.control.addStream({ name: 'Near' });
      const picker = openPicker(fixture);
      await picker.type(`https://example.com/hls/${playbackId}x/index.m3u8`);
      const found = picker.rows().filter(({ isAlwaysShown }) => isAlwaysShown);
      assert.deepEqual(fieldsOf(found, 'label'), ['No matching streams']);
      await picker.close();
    }),
  );

  it(
    'finds names without their accents',
    withCommands({ demo: { streamCount: 3 } }, async (fixture) => {
      fixture.service.control.addStream({ name: 'Language café' });
      const picker = openPicker(fixture);
      await picker.type('cafe');
      const found = picker.rows().filter(({ isAlwaysShown }) => isAlwaysShown);
      assert.deepEqual(fieldsOf(found, 'label'), ['Language café']);
      await picker.close();
    }),
  );

  it(
    'says which streams not everybody can watch, as their rows do',
    withCommands({ demo: { streamCount: 0 } }, async ({ run, ui, service }) => {
      service.control.addStream({ name: 'Members', playbackPolicy: { type: 'jwt' } });
      ui.answers.picks.push('Members');
      await run('goToStream');
      const [item] = rowsOf(ui.seen.picks[0]);
      assert.deepEqual([item?.description, item?.icon], ['private', 'circle-outline']);
    }),
  );

  it(
    'says what is wrong with live streams, as their rows do',
    withCommands({ demo: { streamCount: 2, liveCount: 1 } }, async ({ run, ui, context }) => {
      const live = [...context.store.snapshot.streams.values()].find(({ stream }) => stream.isActive)?.stream;
      assert.ok(live);
      const condition = { type: 'Transcoding', isMet: false, since: undefined, checkedAt: undefined };
      context.connection.account.writer.healthRead(live.id, [condition]);
      ui.answers.picks.push(live.name);
      await run('goToStream');
      const item = rowsOf(ui.seen.picks[0]).find(({ value }) => value === live.id);
      assert.match(item?.description ?? '', /^1 problem/);
      assert.equal(item?.icon, 'warning');
    }),
  );

  it(
    'has what was just created before the other idle streams, as the view does',
    withCommands({ demo: { streamCount: 40, liveCount: 1 } }, async ({ run, ui }) => {
      await run('createStream', { name: 'Opening talk', record: false });
      ui.answers.picks.push('Opening talk');
      await run('goToStream');
      const items = ui.seen.picks[0]?.items ?? [];
      const idle = items.findIndex(({ label, isSeparator }) => isSeparator === true && label === 'Idle');
      assert.ok(idle > 0);
      assert.equal(items[idle + 1]?.label, 'Opening talk');
    }),
  );

  it(
    'finds a stream that is not loaded by what is typed of its name, id or playback id, and shows its row',
    withCommands({ demo: { streamCount: 40 } }, async ({ run, ui, service, context }) => {
      const added = service.control.addStream({ name: 'Far away' });
      ui.answers.picks.push('Far away');
      await run('goToStream');
      assert.deepEqual(ui.seen.reveals, [{ kind: 'stream', id: added.id }]);
      assert.ok(context.store.snapshot.pinnedIds.has(added.id));
      const items = rowsOf(ui.seen.picks[0]);
      assert.equal(items.length, service.control.streams().filter((stream) => stream.parentId === undefined).length);
      const item = items.find(({ label }) => label === 'Far away');
      assert.equal(item?.description, undefined, 'no ids');
      const { streams } = context.store.snapshot;
      for (const { icon, value } of items) {
        const fact = streams.get(String(value));
        if (fact !== undefined) assert.equal(icon, streamIcon(streamState(fact), fact.stream, false).id);
      }
      assert.ok(
        items.some(({ icon }) => icon === 'question'),
        'a stale stream has the icon of its row',
      );
    }),
  );

  it(
    'lists live streams first, then those seen last, then the newest',
    withCommands({ demo: { streamCount: 0 } }, async ({ run, ui, service, context }) => {
      const at = (hours: number) => Date.UTC(2026, 10, 19, hours);
      const add = (name: string, fields: object) => service.control.addStream({ name, ...fields });
      add('seen first', { lastSeen: at(1), createdAt: at(1) });
      add('seen last', { lastSeen: at(5), createdAt: at(0) });
      const older = add('never live, older', { lastSeen: 0, createdAt: at(2) });
      // Known before the others are listed.
      await context.connection.account.readStream(older.id, { settle: true });
      add('never live, newer', { lastSeen: 0, createdAt: at(3) });
      add('live', { isActive: true, lastSeen: at(0), createdAt: at(0) });
      await run('goToStream');
      assert.deepEqual(fieldsOf(ui.seen.picks[0]?.items, 'label'), [
        'Live',
        'live',
        'Idle',
        'seen last',
        'seen first',
        'never live, newer',
        'never live, older',
      ]);
    }),
  );

  it(
    'lists live streams in the order of the view, whichever of them was seen last',
    withCommands({ demo: { streamCount: 0 } }, async ({ run, ui, service, context }) => {
      const now = Date.now();
      const add = (name: string, createdAt: number) =>
        service.control.addStream({ name, isActive: true, createdAt, lastSeen: now - 2000 });
      const [oldest, , newest] = [add('Oldest', now - 9000), add('Middle', now - 8000), add('Newest', now - 7000)];
      const names = ['Newest', 'Middle', 'Oldest'];
      for (const { id } of [oldest, newest]) {
        service.control.setStream(id, { lastSeen: now });
        await context.loader.refreshActive();
        await run('goToStream');
        assert.deepEqual(
          rowsOf(ui.seen.picks.at(-1)).map(({ label }) => label),
          names,
        );
        const { snapshot } = context.store;
        const inView = shownIds(snapshot, 'active').map((each) => snapshot.streams.get(each)?.stream.name);
        assert.deepEqual(inView, names);
        service.control.setStream(id, { lastSeen: now - 3000 });
      }
    }),
  );

  it(
    'shows an id only where it is what matches, and a short one beside streams of one name',
    withCommands({ demo: { streamCount: 0 } }, async (fixture) => {
      const { service } = fixture;
      const [one, two] = ['Twin', 'Twin'].map((name) => service.control.addStream({ name }));
      const far = service.control.addStream({ name: 'Far away' });
      const picker = openPicker(fixture);
      await picker.settled();
      const described = () => new Map(picker.rows().map(({ value, description }) => [value, description]));
      assert.deepEqual(
        [one, two, far].map((stream) => described().get(stream?.id)),
        [one?.id.slice(0, 8), two?.id.slice(0, 8), undefined],
      );
      for (const field of ['id', 'playbackId'] as const) {
        await picker.type(` ${far[field]?.slice(2).toUpperCase()}`);
        assert.equal(described().get(far.id), far[field]);
      }
      for (const text of ['far', far.id.slice(0, 3)]) {
        await picker.type(text);
        assert.equal(described().get(far.id), undefined);
      }
      await picker.close();
    }),
  );

  it(
    'searches at the service once for a text, and not for longer texts of which it has all matches',
    withCommands({ demo: { streamCount: 130 } }, async (fixture) => {
      const { service, requests } = fixture;
      for (const name of ['Channel one', 'Channel two']) service.control.addStream({ name });
      const many = Array.from({ length: 60 }, (_, index) => service.control.addStream({ name: `Many ${index}` }));
      const picker = openPicker(fixture);
      await picker.settled();
      const searches = async (text: string) => {
        service.control.clearRequests();
        await picker.type(text);
        return requests().filter((each) => each.includes('"name"') || each.includes('%22name%22')).length;
      };
      assert.equal(await searches('Channel'), 1);
      for (const text of ['Channel ', ' channel', 'CHANNEL', 'Channel t', 'Channel two']) {
        assert.equal(await searches(text), 0, text);
      }
      assert.ok(picker.labels().includes('Channel two'));
      assert.equal(await searches('Many'), 1);
      assert.equal(await searches('Many 5'), 1, 'not all of the first were found');
      assert.ok(many.length > 50 && picker.labels().includes('Many 59'));
      await picker.close();
    }),
  );

  it(
    'says that nothing matches, which stays whatever is typed, once the service has answered',
    withCommands({ demo: { streamCount: 3 } }, async (fixture) => {
      const picker = openPicker(fixture);
      await picker.settled();
      await picker.type('nothing has this');
      const last = picker.rows().at(-1);
      assert.deepEqual([last?.label, last?.isAlwaysShown, last?.isSentence], ['No matching streams', true, true]);
      await picker.type('');
      assert.ok(!picker.labels().includes('No matching streams'));
      await picker.close();
    }),
  );

  it(
    'finds the beginnings of words that are typed together, as VS Code does, and then not that nothing matches',
    withCommands({ demo: { streamCount: 3 } }, async (fixture) => {
      fixture.service.control.addStream({ name: 'Slow Kitchen: bread week' });
      const picker = openPicker(fixture);
      await picker.settled();
      for (const typed of ['slowkit', 'skbw', 'SlowBread']) {
        await picker.type(typed);
        const found = picker.rows().find(({ label }) => label === 'Slow Kitchen: bread week');
        assert.equal(found?.isAlwaysShown, true, typed);
        assert.ok(!picker.labels().includes('No matching streams'), typed);
      }
      await picker.type('kitslow');
      assert.equal(picker.labels().at(-1), 'No matching streams');
      await picker.close();
    }),
  );

  for (const command of ['goToStream', 'goToLiveStream']) {
    it(
      `watches, copies the key and shows the details by buttons in ${command}, and reveals no row`,
      withCommands({ demo: { liveCount: 1, streamCount: 4 } }, async ({ run, ui, service, played, shown }) => {
        const live = service.control.addStream({ name: 'Far away', isActive: true });
        const pick = async (button: string) => {
          ui.answers.picks.push(`Far away > ${button}`);
          await run(command);
        };
        await pick('Watch');
        await pick('Copy Stream Key');
        await pick('Show Details');
        assert.deepEqual(
          [played, ui.seen.copied, shown],
          [[`stream ${live.id}`], [live.streamKey], [`stream ${live.id}`]],
        );
        assert.deepEqual([ui.seen.reveals, ui.seen.said], [[], []]);
      }),
    );
  }

  it(
    'offers to watch only what is live',
    withCommands({}, async ({ run, ui }) => {
      await run('goToStream');
      for (const { icon, buttons } of rowsOf(ui.seen.picks[0])) {
        const canWatch = buttons?.some(({ tooltip }) => tooltip === 'Watch') ?? false;
        assert.equal(canWatch, !['circle-outline', 'record-small', 'circle-slash'].includes(icon ?? ''), icon);
      }
    }),
  );

  it(
    'goes to the row that a menu was opened on, though other rows are selected too',
    withCommands({}, async ({ run, played, service }) => {
      const [first, second] = service.control.streams().filter(({ parentId }) => parentId === undefined);
      const row = (id = '') => ({ kind: 'stream', id: `idle/${id}`, list: 'idle', streamId: id });
      await run('watchStream', row(first?.id), [row(second?.id), row(first?.id)]);
      assert.deepEqual(played, [`stream ${first?.id}`]);
    }),
  );

  it(
    'never shows a stream key',
    withCommands({}, async ({ run, ui, service, readable }) => {
      await run('goToStream');
      assert.equal(ui.seen.picks.length, 1);
      for (const { streamKey } of service.control.streams()) {
        assert.ok(streamKey === undefined || !readable().includes(streamKey));
      }
    }),
  );

  it(
    'asks the service by name while there is more than was read',
    withCommands({ answers: { typed: ['needle'], picks: ['The needle'] } }, async ({ run, ui, service, requests }) => {
      const added = service.control.addStream({ name: 'The needle' });
      const isWalk = (query: string) => !query.includes('name%22');
      service.control.fault(({ path, query }) =>
        path.endsWith('/stream') && isWalk(query) ? { status: 403, body: '{"errors":["not now"]}' } : undefined,
      );
      await run('goToStream');
      assert.ok(requests().some((request) => decodeURIComponent(request).includes('{"id":"name","value":"needle"}')));
      assert.deepEqual(ui.seen.reveals, [{ kind: 'stream', id: added.id }]);
    }),
  );

  for (const field of ['id', 'playbackId'] as const) {
    it(
      `finds a stream by a pasted ${field} while there is more than was read`,
      withCommands({ demo: { streamCount: 40 }, pageSize: 20 }, async ({ run, ui, service, requests }) => {
        const added = service.control.addStream({ name: 'Far away' });
        service.control.fault(({ path, query }) =>
          path.endsWith('/stream') && !query.includes('filters') ? { status: 403, body: '{}' } : undefined,
        );
        ui.answers.typed.push('short', added[field] ?? '');
        ui.answers.picks.push('Far away');
        await run('goToStream');
        assert.deepEqual(ui.seen.reveals, [{ kind: 'stream', id: added.id }]);
        const asked = requests().map(decodeURIComponent);
        assert.ok(!asked.some((request) => request.endsWith('/stream/short')), 'not every word is asked for as an id');
        assert.equal(asked.filter((request) => request.includes('"id":"playbackId"')).length, 1);
        assert.ok(asked.some((request) => request.endsWith(`/stream/${added[field]}`)));
        const said = ui.seen.picks[0]?.items.at(-1)?.label ?? '';
        assert.match(
          said,
          /This API key doesn't have permission to do that\./,
          'of the pages alone: an id that is none is no trouble',
        );
      }),
    );
  }

  for (const id of ['goToStream', 'openRecording']) {
    it(
      `marks the key as refused by the picker of ${id}`,
      withCommands({}, async ({ run, service, context }) => {
        service.control.revokeKey();
        await run(id);
        assert.equal(context.store.snapshot.connection.kind, 'refused');
      }),
    );
  }

  it(
    'offers to set the key that is rejected below what is known, which can still be selected',
    withCommands({ answers: { picks: ['The API key was rejected.'] } }, async ({ run, ui, service, context }) => {
      await context.loader.refresh();
      service.control.revokeKey();
      await run('watchStream');
      const [shown] = ui.seen.picks;
      assert.ok((shown?.items.length ?? 0) > 1);
      assert.equal(shown?.items.at(-1)?.description, 'Set API Key…');
      assert.match(ui.seen.inputs[0]?.title ?? '', /API Key/);
    }),
  );

  it(
    'names the service by its host, as messages do',
    withCommands({ isHurried: true }, async ({ run, ui, service, context }) => {
      await context.loader.refresh();
      service.control.fault(() => ({ status: 501, body: '{"errors":["not here"]}' }));
      await run('copyPlaybackId');
      const warnings = (ui.seen.picks[0]?.items ?? []).filter((item) => !item.isSeparator && item.icon === 'warning');
      const { host } = new URL(service.baseUrl);
      assert.notEqual(context.connection.info?.name, host);
      assert.ok(warnings.length > 0);
      for (const { label } of warnings) assert.ok(label.startsWith(host), label);
    }),
  );

  it(
    'does not ask by name when it has everything',
    withCommands({ answers: { typed: ['needle'] } }, async ({ run, requests }) => {
      await run('goToStream');
      assert.ok(requests().length > 0);
      assert.ok(requests().every((request) => !request.includes('name%22')));
    }),
  );

  it(
    'lists a hundred streams once, and asks the service for what is typed; all are listed where it finds nothing',
    withCommands({ demo: { streamCount: 240 } }, async ({ run, ui, service, requests }) => {
      const added = service.control.addStream({ name: 'Far away', createdAt: 1 });
      const asked = () => {
        const lists = requests()
          .map(decodeURIComponent)
          .filter((request) => request.startsWith('GET /api/stream?'));
        service.control.clearRequests();
        return lists.map((request) => /"id":"\w+"|limit=\d+/.exec(request)?.[0]);
      };
      await run('goToStream');
      assert.deepEqual(asked(), ['limit=100']);
      await run('goToStream');
      assert.deepEqual(asked(), [], 'they are kept for a while');
      ui.answers.typed.push('away');
      ui.answers.picks.push('Far away');
      await run('goToStream');
      assert.deepEqual(asked(), ['"id":"name"']);
      ui.answers.typed.push(added.id.slice(4, 11));
      ui.answers.picks.push('Far away');
      service.control.setStream(added.id, { lastSeen: 1 });
      await run('goToStream');
      assert.deepEqual(asked(), ['"id":"name"']);
      ui.answers.typed.push('nothing has this');
      await run('goToStream');
      assert.deepEqual(asked(), ['"id":"name"', 'limit=1000']);
      assert.equal(rowsOf(ui.seen.picks.at(-1)).length, 242);
      assert.equal(ui.seen.picks.at(-1)?.items.at(-1)?.label, 'No matching streams');
      ui.answers.typed.push('nor this');
      await run('goToStream');
      assert.deepEqual(asked(), ['"id":"name"'], 'what was listed is kept');
      assert.equal(rowsOf(ui.seen.picks.at(-1)).length, 242);
    }),
  );

  for (const [text, name] of [
    ['%', '100 % live'],
    ['_', 'snake_case'],
    ['\\back', 'a \\backslash'],
  ] as const) {
    it(
      `finds ${text} at the service as it is typed, not as a wildcard`,
      withCommands({ demo: { streamCount: 240 } }, async ({ run, ui, service, requests }) => {
        service.control.addStream({ name, createdAt: 1 });
        ui.answers.typed.push(text);
        ui.answers.picks.push(name);
        await run('goToStream');
        assert.equal(ui.seen.reveals.length, 1);
        assert.ok(!requests().some((request) => request.includes('limit=1000')));
      }),
    );
  }

  describe('the list of the whole account', () => {
    const isWalk = ({ query }: { readonly query: string }) => query.includes('limit=1000');

    it(
      'lists the whole account once, even if the first short list comes late',
      withCommands({ demo: { streamCount: 240 } }, async (fixture) => {
        const { service } = fixture;
        const held = Promise.withResolvers<undefined>();
        service.control.fault(({ query }) =>
          /limit=100(?!0)/.test(query) && !query.includes('filters') ? held.promise : undefined,
        );
        const picker = openPicker(fixture);
        const typing = picker.type('nothing has this');
        await waitUntil(() =>
          service.control.requests.some(({ query, status }) => query.includes('filters') && status > 0),
        );
        held.resolve(undefined);
        await typing;
        await picker.type('nor this');
        assert.equal(service.control.requests.filter(isWalk).length, 1);
        await picker.close();
      }),
    );

    it(
      'lists the whole account again if that failed',
      withCommands({ demo: { streamCount: 240 } }, async (fixture) => {
        const { service } = fixture;
        service.control.fault((request) => (isWalk(request) ? { status: 403, body: '{}' } : undefined));
        const picker = openPicker(fixture);
        await picker.settled();
        await picker.type('nothing has this');
        assert.match(picker.labels().at(-1) ?? '', /This API key doesn't have permission to do that\./);
        service.control.fault(() => undefined);
        await picker.type('nor this');
        assert.deepEqual([picker.labels().length, picker.labels().at(-1)], [241, 'No matching streams']);
        await picker.close();
      }),
    );

    it(
      'lists the whole account, and still asks the service for what is typed, as streams may have come since',
      withCommands({ demo: { streamCount: 240 } }, async (fixture) => {
        const { service } = fixture;
        const picker = openPicker(fixture);
        await picker.settled();
        await picker.type('nothing has this');
        service.control.addStream({ name: 'Came since' });
        await picker.type('came');
        assert.ok(picker.labels().includes('Came since'));
        assert.equal(service.control.requests.filter(isWalk).length, 1);
        await picker.close();
      }),
    );
  });

  it(
    'is busy while it searches at the service',
    withCommands({ demo: { streamCount: 240 } }, async ({ context, service }) => {
      const busy: boolean[] = [];
      const typing = new Emitter<string>();
      const closing = new AbortController();
      const seen = Promise.withResolvers<void>();
      const held = Promise.withResolvers<undefined>();
      service.control.fault(({ query }) => (query.includes('name') ? held.promise : undefined));
      const ui = {
        ...context.ui,
        async pick<T>({ items }: PickOptions<T>) {
          assert.ok(typeof items === 'function');
          const show = (_: unknown, isBusy: boolean) => {
            if (busy.at(-1) !== isBusy) busy.push(isBusy);
            if (!isBusy && busy.length === 2) typing.fire('needle');
            if (busy.length === 3) held.resolve(undefined);
            if (busy.length === 4) seen.resolve();
          };
          items({ signal: closing.signal, onDidType: typing.event, text: () => '', show });
          await seen.promise;
          closing.abort();
          return undefined;
        },
      };
      await pickStream({ ...context, ui }, 'Title');
      assert.deepEqual(busy, [true, false, true, false]);
    }),
  );

  it(
    'says what is wrong in the picker, and as a message when nothing could be shown',
    withCommands({}, async ({ run, ui, service, context }) => {
      const known = context.store.snapshot.streams.size;
      service.control.fault(() => ({ status: 403, body: '{"errors":["suspended"]}' }));
      await run('goToStream');
      const items = rowsOf(ui.seen.picks[0]);
      assert.equal(items.length, known + 1);
      assert.match(items.at(-1)?.label ?? '', /rejected the request: "suspended\."/);
      assert.notEqual(items.at(-1)?.isSeparator, true, 'a separator at the end is not drawn');
      assert.equal(ui.seen.said.length, 0);
      context.connection.open({ ...service, id: 'fresh', name: 'Fresh', insecureAccepted: false });
      await run('goToStream');
      assert.match(ui.seen.said[0]?.message ?? '', /rejected the request: "suspended\."/);
    }),
  );

  it(
    'says that there are no streams once all pages are read, which can’t be picked',
    withCommands({ demo: { streamCount: 0 } }, async ({ run, ui, service }) => {
      await run('goToStream');
      assert.deepEqual(
        ui.seen.picks.map(({ items }) => fieldsOf(items, 'label', 'isSentence')),
        [[['No streams found', true]]],
      );
      assert.deepEqual([ui.seen.reveals, ui.seen.said], [[], []]);
      service.control.addStream({ name: 'First' });
      await run('goToStream');
      assert.deepEqual(fieldsOf(rowsOf(ui.seen.picks[1]), 'label'), ['First']);
    }),
  );

  it(
    'clears a filter that hides the stream, and says so',
    withCommands({}, async ({ run, ui, service, context }) => {
      const [stream] = service.control.streams();
      context.store.setFilter('nothing has this name');
      await run('goToStream', stream?.id);
      assert.equal(context.store.snapshot.filter, '');
      assert.deepEqual(ui.seen.flashes, [`Cleared the filter to show "${stream?.name}"`]);
      assert.equal(ui.seen.reveals.length, 1);
    }),
  );

  it(
    'says that a stream is gone',
    withCommands({}, async ({ run, ui }) => {
      await run('goToStream', 'nobody');
      assert.deepEqual(ui.seen.messages, ['"nobody" no longer exists.']);
      assert.deepEqual(ui.seen.reveals, []);
    }),
  );
});

describe('Go to Live Stream', () => {
  it(
    'looks, offers the live streams alone, and goes to the one that is picked',
    withCommands({ demo: { liveCount: 2 } }, async ({ run, ui, service, requests }) => {
      const added = service.control.addStream({ name: 'Just now', isActive: true, record: true });
      ui.answers.picks.push('Just now');
      await run('goToLiveStream');
      assert.ok(decodeURIComponent(requests()[0] ?? '').includes('"isActive","value":true'));
      assert.equal(ui.seen.picks[0]?.items.length, 3);
      const item = ui.seen.picks[0]?.items.find(({ label }) => label === 'Just now');
      assert.equal(item?.description, 'recording');
      assert.deepEqual(ui.seen.reveals, [{ kind: 'stream', id: added.id }]);
      assert.ok(added.streamKey && !JSON.stringify(ui.seen.picks).includes(added.streamKey));
    }),
  );

  it(
    'says that no stream is live, which can’t be picked',
    withCommands({ demo: { liveCount: 0 } }, async ({ run, ui }) => {
      await run('goToLiveStream');
      assert.deepEqual([ui.seen.reveals, ui.seen.said], [[], []]);
      assert.deepEqual(fieldsOf(ui.seen.picks[0]?.items, 'label', 'isSentence'), [['No live streams', true]]);
    }),
  );

  it(
    'says why it could not look, below what is known',
    withCommands({ demo: { liveCount: 1 } }, async ({ run, ui, service, context }) => {
      service.control.fault(() => ({ status: 403, body: '{"errors":["suspended"]}' }));
      const [live] = liveStreams(context.store.snapshot);
      assert.ok(live);
      const iconInTree = streamIcon('live', live.stream, false).id;
      await run('goToLiveStream');
      assert.deepEqual(fieldsOf(ui.seen.picks[0]?.items, 'icon'), [iconInTree, 'warning']);
      assert.equal(
        ui.seen.picks[0]?.items[1]?.label,
        `${new URL(service.baseUrl).host} rejected the request: "suspended."`,
      );
    }),
  );

  it(
    'offers to set a rejected key first, until the user types',
    withCommands({ demo: { liveCount: 1 } }, async ({ run, ui, service, context }) => {
      await context.loader.refresh();
      service.control.revokeKey();
      await context.loader.refresh();
      ui.answers.picks.push('The API key was rejected.');
      await run('goToLiveStream');
      const [first, ...others] = ui.seen.picks[0]?.items ?? [];
      assert.deepEqual([first?.description, first?.isAlwaysShown], ['Set API Key…', false]);
      assert.ok(others.length > 0);
      assert.match(ui.seen.inputs[0]?.title ?? '', /API Key/);
    }),
  );

  it(
    'needs a connection',
    withCommands({ isConnected: false }, async ({ run, ui, context }) => {
      context.connection.close();
      await run('goToLiveStream');
      assert.equal(ui.seen.said[0]?.message, 'Connect to a service first.');
    }),
  );
});
