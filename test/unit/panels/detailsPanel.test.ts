import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { KnownSecrets } from '../../../src/api/knownSecrets.ts';
import { clipsOfAccount } from '../../../src/model/account/accountClips.ts';
import { Connection, DEMO_ID } from '../../../src/model/connection/connection.ts';
import { type ConnectionModel, serveConnection } from '../../../src/model/connection/connectionModel.ts';
import type { StoredConnection } from '../../../src/model/connection/connections.ts';
import type { TestBroadcast } from '../../../src/model/store/snapshot.ts';
import { StreamStore } from '../../../src/model/store/store.ts';
import { DetailsPanel } from '../../../src/panels/detailsPanel.ts';
import type { WebviewPage } from '../../../src/panels/page.ts';
import { createPlayerSound } from '../../../src/panels/player/playerPart.ts';
import { Emitter } from '../../../src/util/events.ts';
import type { PageAct, PageCommand, Shown, ToDetails } from '../../../src/webview/details/messages.ts';
import type { FromPlayer } from '../../../src/webview/player/messages.ts';
import { fieldsOf } from '../../support/fieldsOf.ts';
import { aTrouble, DAY, HOUR } from '../../support/model/builders.ts';
import { runningDemo } from '../../support/model/fakes.ts';
import { type HeldClock, heldClock, settle } from '../../support/model/heldClock.ts';
import { waitUntil } from '../../support/page/waitUntil.ts';
import { type Fixture, type FixtureOptions, withCommands } from '../commands/fixture.ts';

/** fakeSettings: how often is looked again. */
const INTERVAL = 15_000;

interface DetailsFixture extends Fixture {
  readonly clock: HeldClock;
  readonly heard: readonly ToDetails[];
  /** @param tab the title that the tab has already */
  open(kind: 'stream' | 'session', id: string, tab?: string): Promise<DetailsPanel>;
  /** The title of the tab. */
  tab(): string;
  /** What the page was told to show last. */
  page(): Shown | undefined;
  /** What the page's player says. */
  receive(said: FromPlayer): unknown;
  press(act: PageAct): unknown;
  /** What the page has run, by its buttons. */
  runOnPage(command: PageCommand, session?: string): unknown;
  readonly ran: readonly string[];
  /** What its player asked the servers of media for. */
  readonly asked: readonly string[];
  /** Those respond with this playlist from now on, or with another status. Before, nothing is there. */
  serveMedia(playlist: string, status?: number): void;
  see(isSeen: boolean): void;
  /** The window gets or loses the focus. */
  focus(isFocused: boolean): void;
  /** A player of the same is opened or closed. */
  setPlayer(isOpen: boolean): void;
}

/**
 * Runs a test with a details page over a real service; its page and its clock are fakes.
 * @param shared clock of the service and the model too
 */
function withDetails(
  test: (fixture: DetailsFixture) => Promise<void>,
  shared?: ReturnType<typeof heldClock>,
  options: FixtureOptions = {},
): () => Promise<void> {
  const times = shared === undefined ? {} : { clock: shared, demo: { ...options.demo, clock: shared } };
  return withCommands({ ...options, ...times }, async (fixture) => {
    const { context } = fixture;
    const clock = shared ?? heldClock();
    if (shared !== undefined) {
      Object.assign(context, { drawing: () => ({ now: shared.now(), locale: 'en', timeZone: 'UTC' }) });
    }
    const heard: ToDetails[] = [];
    const ran: string[] = [];
    const asked: string[] = [];
    let media = { status: 404, headers: {}, body: new Uint8Array() };
    const get = async ({ url }: { readonly url: string }) => {
      asked.push(url);
      return media;
    };
    let isSeen = true;
    let isFocused = true;
    let hasPlayer = false;
    let events: Parameters<ConstructorParameters<typeof DetailsPanel>[1]['makePage']>[0] | undefined;
    const page: WebviewPage = {
      get isSeen() {
        return isSeen;
      },
      title: '',
      reveal: () => void ran.push('reveal'),
      send: (message) => void heard.push(message as ToDetails),
      dispose() {},
    };
    let panel: DetailsPanel | undefined;
    try {
      await test({
        ...{ ...fixture, clock, heard, ran, asked },
        tab: () => page.title,
        async open(kind, id, tab = '') {
          panel = new DetailsPanel(
            { connection: context.connection.info?.id ?? '', kind, id },
            {
              ...{
                ...context,
                clock,
                title: tab,
                sound: createPlayerSound(),
                presence: {
                  isFocused: () => isFocused,
                  isViewVisible: () => false,
                  onDidChange: new Emitter<void>().event,
                },
              },
              transport: {
                send: get,
                download: async (request) => {
                  const { body, ...response } = await get(request);
                  return { ...response, body: Readable.from([body]), dispose() {} };
                },
              },
              readPart: async (part) => ({ part, script: undefined }),
              makePage(given) {
                events = given;
                return page;
              },
              acts: { act: async () => {}, createClip: async () => {}, canDownload: async () => true },
              runCommand: async (id, ...args) => void ran.push([id, ...args].join(' ')),
              keep: () => void ran.push('keep'),
              hasPlayer: () => hasPlayer,
            },
          );
          await panel.load();
          events?.onReady();
          return panel;
        },
        page: () => heard.flatMap((said) => (said.kind === 'show' ? [said.shown] : [])).at(-1),
        runOnPage: (command, session) =>
          events?.onSaid({ kind: 'command', command, ...(session === undefined ? {} : { session }) }),
        receive: (said) => events?.onSaid({ kind: 'player', said }),
        press: (act) => events?.onSaid({ kind: 'act', act }),
        setPlayer(isOpen) {
          hasPlayer = isOpen;
        },
        serveMedia(playlist, status = 200) {
          media = { status, headers: {}, body: new TextEncoder().encode(playlist) };
        },
        focus(isFocusedNow) {
          isFocused = isFocusedNow;
        },
        see(isSeenNow) {
          isSeen = isSeenNow;
          events?.onSeenOrHidden();
        },
      });
    } finally {
      panel?.dispose();
    }
  });
}

describe('The health on a details page', () => {
  const healthOf = (shown: Shown | undefined) =>
    shown?.kind === 'details' ? [...shown.sections, ...shown.more].find(({ id }) => id === 'health')?.words : undefined;
  const isHealth = (line: string) => line.endsWith('/health');

  it(
    'is read while the stream is live and the page is visible, at most once in 30 seconds',
    withDetails(async ({ service, open, page, clock, requests }) => {
      const { id } = service.control.streams().find(({ isActive }) => isActive) ?? {};
      await open('stream', id ?? '');
      await waitUntil(async () => healthOf(page()) !== undefined);
      assert.deepEqual(healthOf(page())?.[0], { text: 'Receiving data', tone: 'good' });
      for (let poll = 0; poll < 4; poll++) {
        const before = clock.timerCount;
        await clock.advance(INTERVAL);
        await waitUntil(async () => clock.timerCount >= before);
      }
      assert.ok(requests().filter(isHealth).length <= 3, requests().join('\n'));
      service.control.endBroadcast(id ?? '');
      await clock.advance(INTERVAL);
      await waitUntil(async () => healthOf(page()) === undefined);
    }),
  );

  it(
    'is missing, and leaves the page alone, if the service has no health',
    withDetails(async ({ service, open, page, clock, requests }) => {
      service.control.fault(({ path }) => (path.endsWith('/health') ? { status: 501 } : undefined));
      const { id } = service.control.streams().find(({ isActive }) => isActive) ?? {};
      await open('stream', id ?? '');
      await waitUntil(async () => requests().some(isHealth));
      for (let poll = 0; poll < 3; poll++) await clock.advance(INTERVAL);
      assert.equal(page()?.kind, 'details');
      assert.equal(healthOf(page()), undefined);
      assert.equal(requests().filter(isHealth).length, 1);
    }),
  );
});

/** A service lists no session that nothing was sent in. */
const ENDED = {
  createdAt: Date.UTC(2026, 10, 19, 9),
  lastSeen: Date.UTC(2026, 10, 19, 10),
  sourceSegmentsDuration: 60,
};
const READY = {
  ...ENDED,
  ...{ record: true, recordingStatus: 'ready', recordingUrl: 'https://media.example/a.m3u8' },
};

const broken = { status: 500, body: '{"errors":["it is down"]}' } as const;

describe('The multistream targets of a details page', () => {
  it(
    'stay where they are when the first one is added, and when the last one is removed',
    withDetails(async ({ service, open, page, run, clock, context, ui }) => {
      const { id } = service.control.addStream({ name: 'Keynote' });
      const place = () => {
        const shown = page();
        const isThere = (list: readonly { readonly id: string }[]) => list.some((each) => each.id === 'multistream');
        if (shown?.kind !== 'details') return undefined;
        return isThere(shown.more) ? 'more' : isThere(shown.sections) ? 'sections' : undefined;
      };
      const targets = () => context.store.snapshot.streams.get(id)?.stream.targets ?? [];
      await open('stream', id);
      await waitUntil(() => place() === 'more');
      await run('addMultistreamTarget', { id, name: 'Channel', url: 'rtmp://a.example.com/live/key' });
      await clock.advance(100);
      assert.deepEqual([targets().length, place()], [1, 'more']);
      await open('stream', id);
      await waitUntil(() => place() === 'sections');
      ui.answers.confirms.push(true);
      await run('removeMultistreamTarget', { id, targetId: targets()[0]?.id });
      await clock.advance(100);
      assert.deepEqual([targets().length, place()], [0, 'sections']);
    }),
  );

  it(
    'say which other streams they belong to, though no idle stream has been loaded',
    withDetails(async ({ service, open, page, context }) => {
      const { id: target } = service.control.addTarget({ name: 'Channel', url: 'rtmp://a.example.com/live/key' });
      const multistream = { targets: [{ id: target, profile: 'source' }] };
      service.control.addStream({ name: 'Rehearsal', multistream });
      const { id } = service.control.addStream({ name: 'Keynote', multistream });
      const { baseUrl, apiKey } = service;
      context.connection.open({ id: 'next', name: 'Next', baseUrl, apiKey, insecureAccepted: false });
      assert.equal(context.store.snapshot.lists.idle.isLoaded, false);
      await open('stream', id);
      await waitUntil(() => JSON.stringify(page()).includes('Also used by: Rehearsal'));
    }),
  );
});

describe('A test broadcast on a details page', () => {
  it(
    'is followed from its start to its end, and stopped by a button',
    withDetails(async ({ service, open, page, clock, context, runOnPage, ran }) => {
      const { id, name } = service.control.addStream({ name: 'Keynote' });
      await open('stream', id);
      const shownWith = async (broadcast: Partial<TestBroadcast> | undefined) => {
        const known = {
          connectionId: context.connection.info?.id ?? '',
          name,
          state: 'live',
          droppedPercent: 0,
        } as const;
        context.store.testBroadcastChanged(id, broadcast && { secondsLeft: undefined, ...known, ...broadcast });
        await clock.advance(100);
        const shown = page();
        if (shown?.kind !== 'details') return undefined;
        return [
          shown.state[1]?.text,
          ...shown.buttons.filter(({ act }) => /TestBroadcast/.test(act)).map(({ act }) => act),
        ];
      };
      assert.deepEqual(await shownWith({ state: 'connecting' }), ['test broadcast, connecting…', 'stopTestBroadcast']);
      assert.deepEqual(await shownWith({ secondsLeft: 60 }), ['1:00 left in test broadcast', 'stopTestBroadcast']);
      assert.deepEqual(await shownWith({ secondsLeft: 55 }), ['0:55 left in test broadcast', 'stopTestBroadcast']);
      runOnPage('stopTestBroadcast');
      await waitUntil(() => ran.includes(`stopTestBroadcast ${id}`));
      assert.deepEqual(await shownWith(undefined), ['never live', 'startTestBroadcast']);
    }),
  );
});

describe('The addresses of a details page', () => {
  it(
    'are not known until the service has answered, and then read again',
    withDetails(
      async ({ service, open, page, clock }) => {
        const { id } = service.control.addStream({ name: 'Keynote', isActive: true, lastSeen: clock.now() });
        const server = () => {
          const shown = page();
          const facts = shown?.kind === 'details' ? shown.sections.flatMap((section) => section.facts ?? []) : [];
          return facts.find(({ label }) => label === 'RTMP Server');
        };
        service.control.fault(({ path }) => (path.endsWith('/ingest') ? { status: 500 } : undefined));
        await open('stream', id);
        await waitUntil(() => server() !== undefined);
        assert.deepEqual(server(), { label: 'RTMP Server', value: 'Unknown until Production responds' });
        service.control.fault(undefined);
        for (let turn = 0; turn < 20 && server()?.value.startsWith('rtmp') !== true; turn++) await clock.advance(5000);
        assert.match(server()?.value ?? '', /^rtmp:/);
      },
      undefined,
      { addresses: {} },
    ),
  );
});

describe('A details page whose key is rejected', () => {
  it(
    'keeps the addresses that it had, and what they are good for',
    withDetails(
      async ({ service, open, page, clock, context }) => {
        const { id } = service.control.addStream({ name: 'Keynote', isActive: true, lastSeen: clock.now() });
        const buttons = () => page()?.buttons.map(({ label }) => label) ?? [];
        const ways = () => {
          const shown = page();
          return shown?.kind === 'details' ? shown.warning?.buttons.map(({ label }) => label) : [];
        };
        const addresses = () => {
          const shown = page();
          const facts = shown?.kind === 'details' ? shown.sections.flatMap((section) => section.facts ?? []) : [];
          return facts.filter(({ label }) => label === 'RTMP Server' || label === 'HLS URL');
        };
        await open('stream', id);
        await waitUntil(() => addresses().every(({ value }) => value.includes('://')));
        const before = addresses();
        assert.equal(before.length, 2);
        service.control.fault(() => ({ status: 401, body: '{"errors":["bad key"]}' }));
        await context.loader.refresh();
        await clock.advance(INTERVAL);
        await waitUntil(() => ways()?.includes('Set API Key…'));
        assert.deepEqual([addresses(), buttons()], [before, ['Watch', 'Check Stream']]);
      },
      undefined,
      { addresses: {} },
    ),
  );
});

describe('The heading of a details page', () => {
  it(
    'is the whole name of a stream, of which its tab has the beginning',
    withDetails(async ({ service, open, page, tab }) => {
      const name = 'Very long '.repeat(15).trim();
      await open('stream', service.control.addStream({ name }).id);
      await waitUntil(async () => page()?.kind === 'details');
      assert.equal(page()?.title, name);
      assert.equal(tab(), `${name.slice(0, 39)}… (Details)`);
    }),
  );

  it(
    'says that it is about a session, also while only its stream is known',
    withDetails(async ({ open, page }) => {
      await open('session', 'gone', 'Keynote · Yesterday 18:00 (Details)');
      await waitUntil(async () => page()?.kind === 'notice');
      assert.equal(page()?.title, 'Keynote · Session');
    }),
  );
});

describe('A details page of a stream that was changed elsewhere since it was listed', () => {
  it(
    'reads the stream when it opens, and shows what it is now',
    withDetails(async ({ service, open, page, clock, context }) => {
      const { id } = service.control.addStream({ name: 'Before' });
      await context.loader.refresh();
      service.control.setStream(id, { name: 'After' });
      await clock.advance(5000);
      await open('stream', id);
      await waitUntil(async () => page()?.title === 'After');
    }),
  );
});

describe('A details page whose first load failed', () => {
  it(
    'loads again with the next poll, and has its sessions afterwards',
    withDetails(async ({ service, open, page, clock, requests }) => {
      const stream = service.control.addStream({ name: 'Late' });
      service.control.fault(() => broken);
      await open('stream', stream.id);
      assert.equal(page()?.kind, 'notice');
      assert.deepEqual(page()?.kind === 'notice' && buttonsOf(page()), ['Retry']);
      const before = requests().length;
      await clock.advance(INTERVAL);
      await waitUntil(async () => requests().length > before && clock.timerCount > 0);
      assert.deepEqual(buttonsOf(page()), ['Retry'], 'it stays while it fails again');
      service.control.fault(undefined);
      await clock.advance(INTERVAL);
      await waitUntil(async () => page()?.kind === 'details');
      assert.ok(requests().some((request) => request.includes(`/stream/${stream.id}/sessions`)));
    }),
  );

  it(
    'loads again at once when the service responds',
    withDetails(async ({ service, open, page, context }) => {
      const stream = service.control.addStream({ name: 'Late' });
      service.control.fault(() => broken);
      await open('stream', stream.id);
      context.connection.account.writer.pollFailed(aTrouble('network'));
      service.control.fault(undefined);
      await context.loader.refresh();
      await waitUntil(async () => page()?.kind === 'details');
    }),
  );

  it(
    'does not ask again and again for what is gone',
    withDetails(async ({ service, open, page, clock, requests }) => {
      const { id } = service.control.addStream({ name: 'Short lived' });
      service.control.deleteStream(id);
      await open('stream', id);
      assert.deepEqual([page()?.kind, buttonsOf(page())], ['notice', ['Create Stream…']]);
      const before = requests().length;
      await clock.advance(3 * INTERVAL);
      assert.equal(requests().length, before);
    }),
  );
});

describe('A details page whose stream is deleted', () => {
  it(
    'says so, keeps what is still true without buttons that cannot help, and offers what helps',
    withDetails(async ({ service, context, open, page, runOnPage, ran, ui }) => {
      const stream = service.control.addStream({ name: 'Short lived', isActive: true });
      await open('stream', stream.id);
      await context.connection.account.readStream(stream.id);
      const shown = () => {
        const now = page();
        return now?.kind === 'details' ? now : assert.fail('There is a notice');
      };
      assert.deepEqual(shown().state[0]?.text, 'Live');
      service.control.deleteStream(stream.id);
      await context.loader.refreshActive();
      await waitUntil(async () => page()?.kind === 'details' && shown().announced === 'Deleted');
      const { title, state, meaning, buttons, menu, sections, hasPicture } = shown();
      assert.deepEqual([title, fieldsOf(state, 'text'), menu, hasPicture], ['Short lived', ['Deleted'], [], undefined]);
      assert.match(meaning?.join() ?? '', /^This stream was deleted\./);
      assert.deepEqual(fieldsOf(buttons, 'label'), ['Create Stream…']);
      const facts = sections.flatMap((section) => section.facts ?? []);
      assert.ok(facts.some(({ value }) => value === stream.playbackId));
      assert.ok(sections.every((section) => section.buttons === undefined));
      const acts = facts.flatMap((fact) => fact.buttons?.map(({ act }) => act) ?? []);
      assert.deepEqual(acts, ['copyStreamId', 'copyPlaybackId']);
      await runOnPage('copyStreamId');
      await runOnPage('copyPlaybackId');
      assert.deepEqual(ui.seen.copied, [stream.id, stream.playbackId]);
      await runOnPage('createStream');
      assert.deepEqual(ran, ['createStream']);
    }),
  );
});

describe('A details page that learns that its stream is gone', () => {
  it(
    'says so at once, before it has looked for recordings',
    withDetails(async ({ service, context, open, page, heard }) => {
      const stream = service.control.addStream({ name: 'Short lived', isActive: true });
      await open('stream', stream.id);
      service.control.deleteStream(stream.id);
      let answer = () => {};
      const held = new Promise<void>((resolve) => {
        answer = resolve;
      });
      service.control.fault(async ({ path }) => {
        if (path.includes('/session')) await held;
        return undefined;
      });
      const before = heard.length;
      await context.connection.account.readStream(stream.id);
      const shown = page();
      assert.ok(shown?.kind === 'details', 'there is no notice');
      assert.equal(shown.announced, 'Deleted');
      assert.equal(heard.slice(before).filter(({ kind }) => kind === 'show').length, 1);
      answer();
    }),
  );

  it(
    'comes back if only one response said so',
    withDetails(async ({ service, context, open, page }) => {
      const stream = service.control.addStream({ name: 'Lagging', isActive: true });
      await open('stream', stream.id);
      let count = 0;
      service.control.fault(({ path }) => {
        return path === `/api/stream/${stream.id}` && count++ === 0 ? { status: 404, body: '{}' } : undefined;
      });
      await context.connection.account.readStream(stream.id);
      await waitUntil(async () => {
        const shown = page();
        return shown?.kind === 'details' && shown.announced === 'Live';
      });
      assert.equal(count, 2);
    }),
  );
});

describe('A details page whose link is followed', () => {
  it(
    'stays in its tab',
    withDetails(async ({ service, open, runOnPage, press, ran }) => {
      const stream = service.control.addStream({ name: 'Keynote' });
      const session = service.control.addSession(stream.id);
      await open('session', session.id);
      await press('showStream');
      assert.deepEqual(ran, ['keep', `showStream ${stream.id}`]);
      await open('stream', stream.id);
      await runOnPage('showSession', session.id);
      assert.deepEqual(ran.slice(2), ['keep', 'showSession [object Object]']);
    }),
  );
});

describe('A details page beside a player of its stream', () => {
  it(
    'leads back to the player, also while the stream is not live',
    withDetails(async ({ service, open, setPlayer, page, see }) => {
      const watch = (shown: Shown | undefined) => shown?.buttons.some(({ act }) => act === 'watchStream');
      setPlayer(true);
      await open('stream', service.control.addStream({ name: 'Keynote' }).id);
      await waitUntil(async () => watch(page()) === true);
      see(false);
      setPlayer(false);
      see(true);
      await waitUntil(async () => watch(page()) === false);
    }),
  );
});

describe('A details page that is asked for again', () => {
  it(
    'retries only what failed, in the place that was asked for',
    withDetails(async ({ service, open, page, requests, ran }) => {
      const stream = service.control.addStream({ name: 'Late' });
      service.control.fault(() => broken);
      const panel = await open('stream', stream.id);
      const target = { connection: '', kind: 'stream', id: stream.id } as const;
      assert.deepEqual(buttonsOf(page()), ['Retry']);
      service.control.fault(undefined);
      panel.showAgain(target);
      await waitUntil(async () => page()?.kind === 'details');
      await waitUntil(() => requests().some((line) => line.includes('/sessions')));
      const before = requests().length;
      panel.showAgain(target);
      await settle();
      assert.equal(requests().length, before);
      assert.deepEqual(ran, ['reveal', 'reveal']);
    }, heldClock()),
  );

  it(
    'finds its recording again if that could not be played, but leaves one alone that can be',
    withDetails(async ({ service, open, asked, serveMedia, heard }) => {
      const session = service.control.addSession(service.control.addStream({ name: 'Talk' }).id, READY);
      const panel = await open('session', session.id);
      const target = { connection: '', kind: 'session', id: session.id } as const;
      await waitUntil(async () => shownPlayer(heard)?.problem?.kind === 'status');
      serveMedia('#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1000\n720p.m3u8\n');
      panel.showAgain(target);
      await waitUntil(async () => shownPlayer(heard)?.problem === undefined);
      assert.equal(shownPlayer(heard)?.source?.startsItself, false);
      const before = asked.length;
      panel.showAgain(target);
      await settle();
      assert.equal(asked.length, before);
    }),
  );

  it(
    'scrolls once to the section that it is asked for, as soon as it has it',
    withDetails(async ({ service, open, heard, context, clock }) => {
      const { control } = service;
      const stream = control.addStream({ name: 'Talk' });
      const session = control.addSession(stream.id, READY);
      const panel = await open('session', session.id);
      const scrolls = () => heard.filter(({ kind }) => kind === 'scrollTo');
      const target = { connection: '', kind: 'session', id: session.id, clipId: 'clip1' } as const;
      panel.showAgain(target);
      await settle();
      assert.deepEqual(scrolls(), [], 'there are no clips yet');
      const clip = control.addClip(session.id, { name: 'Goal', createdAt: 5, excerpt: { from: 0, to: 2 } });
      await clipsOfAccount(context.connection.account).find(stream.id, clip.id);
      await clock.advance(200);
      await waitUntil(async () => scrolls().length > 0);
      await clock.advance(INTERVAL);
      const last = heard.findLastIndex(({ kind }) => kind === 'scrollTo');
      assert.ok(heard.slice(0, last).some(({ kind }) => kind === 'show'));
      assert.deepEqual(scrolls(), [{ kind: 'scrollTo', section: 'clips' }]);
    }),
  );
});

describe('A details page whose stream changes', () => {
  const titleOf = (shown: Shown | undefined) => (shown?.kind === 'details' ? shown.title : undefined);

  it(
    'shows that within a moment while it is visible, and when hidden, in the title of its tab alone',
    withDetails(async ({ service, open, page, tab, context, clock, heard, see, requests }) => {
      const { id } = service.control.addStream({ name: 'Before' });
      await open('stream', id);
      await waitUntil(async () => titleOf(page()) === 'Before');
      const rename = async (name: string) => {
        service.control.setStream(id, { name });
        await context.connection.account.readStream(id);
        const before = requests().length;
        await clock.advance(100);
        assert.equal(requests().length, before, 'nothing more is asked for');
      };
      await rename('After');
      assert.equal(titleOf(page()), 'After');
      see(false);
      const told = heard.length;
      await rename('Hidden');
      assert.equal(tab(), 'Hidden (Details)');
      assert.equal(heard.length, told);
      assert.equal(clock.timerCount, 0, 'nor is anything planned for it');
    }),
  );

  it(
    'asks for nothing when it is in front already',
    withDetails(async ({ service, open, page, see, requests }) => {
      await open('stream', service.control.addStream({ name: 'Keynote' }).id);
      await waitUntil(() => page()?.kind === 'details');
      service.control.clearRequests();
      see(true);
      await settle();
      assert.deepEqual(requests(), []);
    }),
  );

  it(
    'is shown once for several changes at a time',
    withDetails(async ({ service, open, page, context, clock, heard }) => {
      const { id } = service.control.addStream({ name: 'Before' });
      await open('stream', id);
      await waitUntil(async () => titleOf(page()) === 'Before');
      const told = heard.length;
      for (const name of ['One', 'Two', 'Three']) {
        service.control.setStream(id, { name });
        await context.connection.account.readStream(id);
      }
      await clock.advance(100);
      assert.deepEqual([titleOf(page()), heard.length], ['Three', told + 1]);
    }),
  );
});

describe('The page of a session whose recording is missing', () => {
  it(
    'says that the recording is missing, not that it is ready, until the recording plays',
    withDetails(async ({ service, open, page, clock, receive }) => {
      const { id } = service.control.addStream({ name: 'Talk' });
      const recordingUrl = `${new URL(service.baseUrl).origin}/gone.m3u8`;
      const session = service.control.addSession(id, {
        ...{ createdAt: Date.now() - 3_600_000, lastSeen: Date.now() - 60_000, sourceSegmentsDuration: 60 },
        ...{ record: true, recordingStatus: 'ready', recordingUrl },
      });
      const state = () => {
        const shown = page();
        return shown?.kind === 'details' ? shown.state[0] : undefined;
      };
      await open('session', session.id);
      await clock.advance(100);
      assert.deepEqual(state(), { text: 'Recording not found', tone: 'failed' });
      await receive({ kind: 'failed', problem: { kind: 'segmentStatus', status: 404, host: 'a.test' }, serial: 0 });
      await clock.advance(100);
      assert.deepEqual(state(), { text: 'Recording ready', tone: 'ready' });
      await receive({ kind: 'failed', problem: { kind: 'status', status: 410, host: 'a.test' }, serial: 0 });
      await clock.advance(100);
      assert.deepEqual(state(), { text: 'Recording not found', tone: 'failed' });
    }),
  );
});

describe('A button of a details page', () => {
  it(
    'refreshes the views as well to retry what failed for all of them',
    withDetails(async ({ service, open, press, ran, context }) => {
      const stream = service.control.addStream({ name: 'Keynote' });
      await open('stream', stream.id);
      await press('retry');
      assert.deepEqual(ran, []);
      context.connection.account.writer.pollFailed(aTrouble('network'));
      await press('retry');
      assert.deepEqual(ran, ['refresh']);
    }),
  );

  it(
    'does not go on saying that a service was not reached after that has answered somebody else',
    withDetails(async ({ service, open, context, requests, see }) => {
      const { account } = context.connection;
      const { id } = service.control.addStream({ name: 'Keynote' });
      await open('stream', id);
      const fail = () => account.writer.pollFailed({ ...aTrouble('network'), at: Date.now() });
      fail();
      see(false);
      await account.readStream(id);
      assert.notEqual(context.store.snapshot.trouble, undefined, 'nobody sees it');
      see(true);
      fail();
      await waitUntil(async () => Date.now() > (context.store.snapshot.trouble?.at ?? 0));
      service.control.clearRequests();
      await account.readStream(id);
      await waitUntil(async () => context.store.snapshot.trouble === undefined);
      assert.equal(requests().filter((line) => line.includes('/api/stream?')).length, 1, requests().join('\n'));
    }),
  );

  it(
    'is for no other connection than the one of its page',
    withDetails(async ({ service, open, runOnPage, press, ran, context, page, requests }) => {
      const stream = service.control.addStream({ name: 'Keynote' });
      await open('stream', stream.id);
      await runOnPage('copyStreamKey');
      const copied = `copyStreamKey ${stream.id}`;
      assert.deepEqual(ran, [copied]);
      // Pressed before the page has heard of the switch.
      context.connection.open({ ...service, id: 'other', name: 'Other', insecureAccepted: false });
      const before = requests().length;
      await runOnPage('copyStreamKey');
      await runOnPage('setApiKey');
      await press('retry');
      assert.deepEqual([ran, requests().length, page()?.kind], [[copied], before, 'notice']);
      await runOnPage('addConnection');
      await press('openOwnConnection');
      assert.deepEqual(ran, [copied, 'addConnection', 'switchConnection [object Object]']);
    }),
  );

  it(
    'sets an address, loads older sessions, and hides the key that was revealed',
    withDetails(
      async ({ service, open, press, ran, page, heard, clock }) => {
        const stream = service.control.addStream({ name: 'Keynote' });
        for (let count = 0; count < 3; count++) service.control.addSession(stream.id, ENDED);
        await open('stream', stream.id);
        await waitUntil(async () => page()?.sessions?.sessions.length === 2);
        await press('loadMore');
        await clock.advance(100);
        assert.equal(page()?.sessions?.sessions.length, 3);
        await press('setAddress');
        assert.deepEqual(ran, ['setAddresses']);
        await press('reveal');
        await press('hide');
        assert.deepEqual(fieldsOf(heard.slice(-2), 'kind'), ['reveal', 'hide']);
      },
      undefined,
      { pageSize: 2 },
    ),
  );

  it(
    'loads again the sessions that could not be loaded',
    withDetails(async ({ service, context, open, press, page, clock }) => {
      const stream = service.control.addStream({ name: 'Keynote' });
      service.control.addSession(stream.id, ENDED);
      service.control.fault(({ path }) => (path.includes('session') ? broken : undefined));
      await open('stream', stream.id);
      assert.equal(page()?.sessions?.notes[0]?.button?.act, 'retry');
      service.control.fault(undefined);
      await press('retry');
      await waitUntil(async () => context.store.snapshot.sessions.get(stream.id)?.isLoaded === true);
      await clock.advance(100);
      assert.equal(page()?.sessions?.sessions.length, 1);
    }),
  );
});

describe('The player on the page of a session', () => {
  it(
    'gets what it asks for, also after another connection was opened',
    withDetails(async ({ service, open, receive, context, heard }) => {
      const session = service.control.addSession(service.control.addStream({ name: 'Talk' }).id, READY);
      await open('session', session.id);
      context.connection.open({ ...service, id: 'other', name: 'Other', insecureAccepted: false });
      await receive({ kind: 'requestPart', part: 'mp4' });
      const part = heard.find((said) => said.kind === 'player' && said.message.kind === 'part');
      assert.deepEqual(part, { kind: 'player', message: { kind: 'part', part: 'mp4', script: undefined } });
    }),
  );

  it(
    'keeps its page from being replaced once it has played, also paused or hidden, until it has ended',
    withDetails(async ({ service, open, receive, serveMedia, see, heard }) => {
      const { id } = service.control.addStream({ name: 'Talk' });
      serveMedia('#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1000\n720p.m3u8\n');
      assert.equal((await open('stream', id)).isInUse, false);
      const panel = await open('session', service.control.addSession(id, READY).id);
      assert.equal(panel.isInUse, false);
      await receive({ kind: 'playing', isPlaying: true });
      assert.deepEqual([panel.isInUse, panel.isPlaying], [true, true]);
      see(false);
      assert.deepEqual([panel.isInUse, panel.isPlaying], [true, false]);
      see(true);
      const serial = heard.flatMap((said) =>
        said.kind === 'player' && said.message.kind === 'show' ? [said.message.serial] : [],
      );
      await receive({ kind: 'ended', serial: serial.at(-1) ?? 0, hasPlayed: true });
      assert.equal(panel.isInUse, false);
    }),
  );

  it(
    'tries again what its server interrupted, while it is on screen, and at once when it or the service is back',
    withDetails(async ({ service, context, open, receive, serveMedia, see, heard, asked, clock }) => {
      const playlist = '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1000\n720p.m3u8\n';
      serveMedia(playlist);
      await open('session', service.control.addSession(service.control.addStream({ name: 'Talk' }).id, READY).id);
      const interrupt = async () => {
        const serial = heard.flatMap((said) =>
          said.kind === 'player' && said.message.kind === 'show' ? [said.message.serial] : [],
        );
        serveMedia('', 503);
        await receive({ kind: 'failed', problem: { kind: 'timeout' }, serial: serial.at(-1) ?? 0 });
        await waitUntil(async () => shownPlayer(heard)?.problem?.kind === 'timeout');
      };
      const untilPlayed = () => waitUntil(async () => shownPlayer(heard)?.problem === undefined);
      await interrupt();
      see(false);
      const before = asked.length;
      await clock.advance(300_000);
      assert.equal(asked.length, before);
      serveMedia(playlist);
      see(true);
      await untilPlayed();
      await interrupt();
      serveMedia(playlist);
      context.connection.account.writer.pollFailed(aTrouble('network'));
      await context.loader.refresh();
      await untilPlayed();
    }),
  );

  it(
    'completes the step of the walkthrough about watching a recording once it plays one',
    withDetails(async ({ service, open, receive, serveMedia, steps }) => {
      serveMedia('#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1000\n720p.m3u8\n');
      await open('session', service.control.addSession(service.control.addStream({ name: 'Talk' }).id, READY).id);
      await receive({ kind: 'playing', isPlaying: false });
      assert.deepEqual(steps, []);
      await receive({ kind: 'playing', isPlaying: true });
      assert.deepEqual(steps, ['watch']);
    }),
  );
});

describe('A details page while another connection is opened', () => {
  const openStream = async (fixture: DetailsFixture, prepare?: (id: string) => void) => {
    const { service, context, open, clock, page } = fixture;
    const { connection, store } = context;
    const { id: own = '' } = connection.info ?? {};
    store.setConnectionNames([{ id: own, name: 'Production' }]);
    const stream = service.control.addStream({ name: 'Keynote', isActive: true, lastSeen: clock.now() });
    prepare?.(stream.id);
    await open('stream', stream.id);
    await waitUntil(() => textOf(page()).includes('HLS URL'));
    const switchTo = (to: string) =>
      connection.open({ ...service, id: to, name: to === own ? 'Production' : 'Other', insecureAccepted: false });
    return { stream, leave: () => switchTo('other'), comeBack: () => switchTo(own) };
  };
  const textOf = (shown: Shown | undefined) => JSON.stringify(shown?.kind === 'details' ? shown.sections : []);
  const headOf = (shown: Shown | undefined) => {
    if (shown?.kind !== 'details') return shown?.kind;
    return [shown.warning?.sentence, shown.warning?.buttons[0]?.label, shown.state.at(-1)?.text];
  };
  const AWAY = [
    'This item belongs to "Production", which isn\'t the current connection. The information shown may be out of date.',
    'Switch Connection',
    'Production',
  ];

  it(
    'keeps what it showed of the demo until that stops',
    withDetails(async ({ service, context, open, page }) => {
      const { connection } = context;
      const { demo, stop } = runningDemo(service);
      Object.assign(context, { demo });
      connection.open({ ...service, id: DEMO_ID, name: 'Demo', insecureAccepted: false }, true);
      const stream = service.control.addStream({ name: 'Keynote' });
      await open('stream', stream.id);
      await waitUntil(() => textOf(page()).includes('HLS URL'));
      connection.open({ ...service, id: 'other', name: 'Other', insecureAccepted: false });
      const sentence = 'This item belongs to "Demo", which isn\'t the current connection.';
      assert.deepEqual(headOf(page()), [
        `${sentence} The information shown may be out of date.`,
        'Switch Connection',
        'Demo',
      ]);
      stop();
      await waitUntil(() => JSON.stringify(page()).includes("the demo, which isn't running"));
    }),
  );

  it(
    'says of a deleted stream whose it was, but not that it may be out of date, and offers its recordings alone',
    withDetails(async (fixture) => {
      const { service, context, page } = fixture;
      const ended = { createdAt: Date.now() - DAY, lastSeen: Date.now() - DAY + HOUR, recordingStatus: 'ready' };
      const recorded = { record: true, recordingUrl: 'https://cdn.example/r.m3u8', sourceSegmentsDuration: 3600 };
      const { stream, leave } = await openStream(fixture, (id) => {
        service.control.addSession(id, { ...ended, ...recorded });
      });
      service.control.deleteStream(stream.id);
      await context.loader.refresh();
      await context.connection.account.readStream(stream.id);
      await waitUntil(() => buttonsOf(page()).join() === 'Watch Latest Recording,Create Stream…');
      leave();
      const shown = page();
      if (shown?.kind !== 'details') throw new Error('There is a notice');
      assert.deepEqual(fieldsOf(shown.state, 'text'), ['Deleted', 'Production']);
      assert.deepEqual([shown.warning, buttonsOf(shown)], [undefined, ['Watch Latest Recording']]);
    }),
  );

  it(
    'keeps what it showed, says whose it is, and offers to switch, also after it was hidden',
    withDetails(async (fixture) => {
      const { page, see, clock, press, ran, runOnPage, requests, heard } = fixture;
      const { stream, leave, comeBack } = await openStream(fixture);
      const before = textOf(page());
      leave();
      assert.deepEqual([headOf(page()), textOf(page())], [AWAY, before]);
      const sent = requests().length;
      await clock.advance(INTERVAL);
      see(false);
      see(true);
      await clock.advance(INTERVAL);
      assert.deepEqual([headOf(page()), textOf(page())], [AWAY, before]);
      await press('retry');
      await press('loadMore');
      assert.deepEqual(
        requests()
          .slice(sent)
          .filter((line) => line.includes(stream.id)),
        [],
      );
      await runOnPage('deleteStream');
      await press('openOwnConnection');
      assert.deepEqual(ran, [`deleteStream ${stream.id}`, 'switchConnection [object Object]'], 'which offer to switch');
      const shownBefore = heard.length;
      comeBack();
      await waitUntil(() => page()?.kind === 'details' && headOf(page())?.[0] === undefined);
      const meanwhile = heard.slice(shownBefore).flatMap((said) => (said.kind === 'show' ? [said.shown.kind] : []));
      assert.equal(meanwhile.includes('notice'), false);
    }),
  );

  it(
    'leaves no place for a picture that it no longer has',
    withDetails(async (fixture) => {
      const { page, see } = fixture;
      const { leave } = await openStream(fixture);
      const hasPicture = () => {
        const shown = page();
        return shown?.kind === 'details' && shown.hasPicture;
      };
      assert.equal(hasPicture(), true);
      see(false);
      leave();
      see(true);
      await waitUntil(() => JSON.stringify(headOf(page())) === JSON.stringify(AWAY));
      assert.equal(hasPicture(), false);
    }),
  );

  it(
    'goes on copying what it shows, and reveals the key',
    withDetails(async (fixture) => {
      const { ui, runOnPage, press, ran, heard, page } = fixture;
      const { stream, leave } = await openStream(fixture);
      leave();
      for (const command of ['copyStreamKey', 'copyPlaybackId', 'copyStreamId', 'copyIngestServer'] as const) {
        await runOnPage(command);
      }
      const rtmp = ui.seen.copied.at(-1) ?? '';
      assert.match(rtmp, /^rtmp:/);
      assert.deepEqual(ui.seen.copied, [stream.streamKey, stream.playbackId, stream.id, rtmp]);
      await runOnPage('copyIngestUrl');
      assert.equal(ui.seen.copied.at(-1), `${rtmp}/${stream.streamKey}`);
      assert.deepEqual(heard.at(-1), { kind: 'copied', act: 'copyIngestUrl', target: undefined });
      await press('reveal');
      const secrets = heard.flatMap((said) => (said.kind === 'reveal' ? [said.secrets.streamKey] : []));
      assert.deepEqual([secrets, ran], [[stream.streamKey], []]);
      assert.equal(JSON.stringify(page()).includes(stream.streamKey ?? ''), false);
    }),
  );

  it(
    'has nothing left to show once its connection is removed',
    withDetails(async (fixture) => {
      const { page, context, runOnPage, ui } = fixture;
      const { leave } = await openStream(fixture);
      leave();
      context.store.setConnectionNames([]);
      await waitUntil(() => page()?.kind === 'notice');
      await runOnPage('copyStreamKey');
      assert.deepEqual(ui.seen.copied, []);
    }),
  );
});

/** Serves a connection with objects of its own. */
function serveBeside({ context }: DetailsFixture, stored: StoredConnection): ConnectionModel {
  const { clock, log, settings, transport } = context;
  const store = new StreamStore({ clock, initial: { locale: 'en' } });
  const connection = new Connection(store);
  const presence = { isViewVisible: () => false, isFocused: () => false, onDidChange: new Emitter<void>().event };
  const makeToken = async () => undefined;
  const parts = { clock, log, settings, transport, presence, makeToken, random: () => 0, secrets: new KnownSecrets() };
  const model = serveConnection({ store, connection }, parts);
  store.setConnectionNames([stored]);
  connection.open(stored);
  return model;
}

describe('The page of a session whose recording plays, while another connection is opened', () => {
  const openPlaying = async (fixture: DetailsFixture) => {
    const { service, context, open, receive, serveMedia, heard } = fixture;
    const { connection, store } = context;
    const { id: own = '' } = connection.info ?? {};
    store.setConnectionNames([{ id: own, name: 'Production' }]);
    serveMedia('#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1000\n720p.m3u8\n');
    const session = service.control.addSession(service.control.addStream({ name: 'Talk' }).id, READY);
    const panel = await open('session', session.id);
    await waitUntil(() => shownPlayer(heard)?.source !== undefined);
    await receive({ kind: 'playing', isPlaying: true });
    const switchTo = (to: string) =>
      connection.open({ ...service, id: to, name: to === own ? 'Production' : 'Other', insecureAccepted: false });
    const loads = () => heard.filter((said) => said.kind === 'player' && said.message.kind === 'show').length;
    return { panel, session, loads, leave: () => switchTo('other'), comeBack: () => switchTo(own) };
  };
  const wordsOf = (shown: Shown | undefined) => (shown?.kind === 'details' ? fieldsOf(shown.state, 'text') : undefined);

  it(
    'stays, names its connection, and plays on, also after a switch back',
    withDetails(async (fixture) => {
      const { page, clock, ran, runOnPage, requests } = fixture;
      const { panel, session, loads, leave, comeBack } = await openPlaying(fixture);
      const before = loads();
      leave();
      await clock.advance(INTERVAL);
      assert.deepEqual(wordsOf(page())?.at(-1), 'Production');
      assert.deepEqual([panel.isPlaying, loads()], [true, before]);
      await runOnPage('downloadMp4');
      assert.equal(ran.at(-1)?.startsWith('downloadMp4'), true, 'which offers to switch back');
      assert.equal(
        requests().some((line) => line.includes(session.id) && line.includes('other')),
        false,
      );
      comeBack();
      await clock.advance(100);
      await waitUntil(() => wordsOf(page())?.includes('Production') === false);
      assert.deepEqual([panel.isPlaying, loads()], [true, before]);
    }),
  );

  it(
    'goes on with its connection beside that one, and follows that from then on',
    withDetails(async (fixture) => {
      const { page, context, service, clock, heard } = fixture;
      const { panel, session, loads, leave } = await openPlaying(fixture);
      const [before, warnings] = [loads(), () => heard.filter((said) => said.kind === 'show' && isAway(said.shown))];
      const isAway = (shown: Shown) => shown.kind === 'details' && shown.warning !== undefined;
      leave();
      const [stored] = await context.connections.readAll();
      const beside = serveBeside(fixture, stored?.stored ?? assert.fail());
      const { length } = warnings();
      panel.continueWith(beside);
      assert.equal(isAway(page() ?? assert.fail()), false, 'at once');
      await waitUntil(() => beside.store.snapshot.streams.size > 0);
      await clock.advance(100);
      assert.deepEqual([panel.isPlaying, loads(), warnings().length], [true, before, length]);
      service.control.setStream(session.parentId ?? '', { name: 'Renamed' });
      await beside.connection.account.readStream(session.parentId ?? '');
      await clock.advance(100);
      assert.match(page()?.title ?? '', /^Renamed/);
      context.connection.close();
      await clock.advance(100);
      assert.deepEqual([page()?.kind, panel.isPlaying], ['details', true]);
      beside.dispose();
    }),
  );

  it(
    'stays, too, once it has stopped or was hidden, and is loaded after a switch back',
    withDetails(async (fixture) => {
      const { page, clock, see, receive, runOnPage, ui, ran } = fixture;
      const { panel, leave, comeBack } = await openPlaying(fixture);
      leave();
      await receive({ kind: 'playing', isPlaying: false });
      comeBack();
      await clock.advance(100);
      assert.equal(page()?.kind, 'details', 'what was paused meanwhile stays, too');
      await receive({ kind: 'playing', isPlaying: true });
      leave();
      see(false);
      see(true);
      await clock.advance(INTERVAL);
      const warning = () => {
        const shown = page();
        return shown?.kind === 'details' ? (shown.warning?.sentence ?? 'none') : 'no details';
      };
      assert.match(warning(), /^This item belongs to "Production"/);
      assert.equal(panel.isPlaying, false);
      await runOnPage('copyRecordingUrl');
      assert.deepEqual([ui.seen.copied, ran], [[READY.recordingUrl], []]);
      comeBack();
      await waitUntil(() => warning() === 'none');
    }),
  );
});

describe('The player on the page of a session that is still being processed', () => {
  const WAITING = { ...ENDED, record: true, recordingStatus: 'waiting' };
  const isRead = (line: string) => line.startsWith('GET /api/session/');

  it(
    'plays the recording once the page has read that it is ready, but not by itself',
    withDetails(async ({ service, open, heard, clock, requests, serveMedia, asked }) => {
      const session = service.control.addSession(service.control.addStream({ name: 'Talk' }).id, WAITING);
      await open('session', session.id);
      assert.equal(shownPlayer(heard)?.problem?.kind, 'processing');
      service.control.clearRequests();
      await clock.advance(INTERVAL);
      await waitUntil(() => clock.timerCount > 0 && requests().some(isRead));
      assert.equal(requests().filter(isRead).length, 1, 'the player does not read it too');
      assert.deepEqual(asked, []);
      serveMedia('#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1000\n720p.m3u8\n');
      service.control.setSession(session.id, READY);
      await clock.advance(INTERVAL);
      await waitUntil(() => shownPlayer(heard)?.source !== undefined);
      assert.equal(shownPlayer(heard)?.source?.startsItself, false);
    }),
  );
});

describe('The page of a session whose first load failed', () => {
  it(
    'shows that it loads again, and finds its recording afterwards',
    withDetails(async ({ service, open, heard, page, press, requests }) => {
      const session = service.control.addSession(service.control.addStream({ name: 'Talk' }).id, READY);
      service.control.fault(() => broken);
      await open('session', session.id);
      assert.deepEqual(buttonsOf(page()), ['Retry']);
      service.control.fault(undefined);
      service.control.clearRequests();
      const before = heard.length;
      await press('retry');
      assert.deepEqual(heard[before], {
        ...{ kind: 'show' },
        shown: { kind: 'notice', title: 'Session', sentence: 'Loading…', buttons: [] },
      });
      await waitUntil(() => shownPlayer(heard)?.problem?.kind === 'status');
      assert.equal(page()?.kind, 'details');
      assert.ok(!requests().some((line) => line.includes(`/stream/${session.id}/sessions`)));
    }),
  );

  it(
    'finds its recording when a poll succeeds, and does not load again with later polls',
    withDetails(async ({ service, open, heard, clock, asked, page }) => {
      const session = service.control.addSession(service.control.addStream({ name: 'Talk' }).id, READY);
      service.control.fault(() => broken);
      await open('session', session.id);
      const before = heard.length;
      service.control.fault(undefined);
      await clock.advance(INTERVAL);
      await waitUntil(() => shownPlayer(heard)?.problem?.kind === 'status');
      assert.equal(page()?.kind, 'details');
      const notices = heard.slice(before).filter((said) => said.kind === 'show' && said.shown.kind === 'notice');
      assert.deepEqual(notices, [], 'what went wrong is shown until then');
      await clock.advance(2 * INTERVAL);
      assert.equal(asked.length, 1);
    }),
  );
});

describe('A details page that is open for a while', () => {
  it(
    'polls only while its window has the focus',
    withDetails(async ({ service, open, requests, clock, focus, page }) => {
      const { id } = service.control.addStream({ name: 'Keynote' });
      await open('stream', id);
      await waitUntil(async () => page()?.kind === 'details');
      const read = `GET /api/stream/${id}`;
      service.control.clearRequests();
      focus(false);
      await clock.advance(2 * INTERVAL);
      assert.deepEqual(requests(), []);
      focus(true);
      await clock.advance(INTERVAL);
      await waitUntil(async () => requests().includes(read));
    }, heldClock()),
  );

  it(
    'keeps the times that it shows true without asking for anything if polling is off',
    withDetails(async ({ service, context, open, requests, clock, page }) => {
      Object.assign(context.settings, { refreshInterval: () => 0 });
      const { id } = service.control.addStream({ name: 'Keynote', lastSeen: clock.now() - 60_000 });
      const words = () => {
        const shown = page();
        return shown?.kind === 'details' ? shown.state.map(({ text }) => text) : [];
      };
      await open('stream', id);
      await waitUntil(async () => words()[1] === 'last live 1 min ago');
      service.control.clearRequests();
      await clock.advance(60_000);
      assert.deepEqual([words()[1], requests()], ['last live 2 min ago', []]);
    }, heldClock()),
  );

  it(
    'is told nothing more once it is closed, and asks for nothing',
    withDetails(async ({ service, context, open, requests, clock, heard, page }) => {
      const { id } = service.control.addStream({ name: 'Keynote' });
      const panel = await open('stream', id);
      await waitUntil(async () => page()?.kind === 'details');
      panel.dispose();
      service.control.setStream(id, { name: 'Renamed' });
      await context.connection.account.readStream(id);
      service.control.clearRequests();
      const before = heard.length;
      await panel.load();
      await clock.advance(2 * INTERVAL);
      assert.deepEqual([heard.length, requests(), clock.timerCount], [before, [], 0]);
    }),
  );
});

describe('A details page when everything is refreshed', () => {
  const linesOf = (shown: Shown | undefined) =>
    shown?.kind === 'details' ? [shown.state.map(({ text }) => text), shown.sessions?.sessions.length] : undefined;

  it(
    'shows what is known until it is read again, also if that fails, and only while it is on screen',
    withDetails(async ({ service, context, open, page, heard, see }) => {
      const { id = '' } = service.control.streams().find(({ isActive, name }) => isActive && name === 'Keynote') ?? {};
      await context.loader.refreshActive();
      await open('stream', id);
      await waitUntil(async () => Number(linesOf(page())?.[1]) > 0);
      const before = linesOf(page());
      assert.match(JSON.stringify(before), /Live for \d/u);
      service.control.fault(() => broken);
      const told = heard.length;
      await context.loader.refresh();
      assert.notEqual(context.store.snapshot.trouble, undefined);
      await waitUntil(async () => heard.length > told);
      assert.deepEqual(linesOf(page()), before);
      see(false);
      service.control.fault(undefined);
      await context.loader.refresh();
      assert.equal(context.store.snapshot.sessions.has(id), false, 'nobody sees them');
    }),
  );

  it(
    'reads its stream at once, though no list has it',
    withDetails(async ({ service, context, open, page, tab }) => {
      const { id } = service.control.addStream({ name: 'Before' });
      await open('stream', id);
      await waitUntil(async () => page()?.kind === 'details');
      service.control.setStream(id, { name: 'Since' });
      await new Promise((resolve) => setTimeout(resolve, 1000));
      await context.loader.refresh();
      await waitUntil(async () => tab().includes('Since'));
    }),
  );
});

describe('The page of a stream that is deleted meanwhile', () => {
  it(
    'says that the stream is deleted, and offers its recordings',
    withDetails(async ({ service, open, page, context }) => {
      const stream = service.control.addStream({ name: 'Short lived' });
      const createdAt = Date.now() - 86_400_000;
      const url = { recordingUrl: 'https://cdn.example/r.m3u8', mp4Url: 'https://cdn.example/r.mp4' };
      service.control.addSession(stream.id, {
        ...{ record: true, recordingStatus: 'ready', createdAt, lastSeen: createdAt + 60_000 },
        ...{ sourceSegments: 30, sourceSegmentsDuration: 60, ...url },
      });
      await open('stream', stream.id);
      service.control.deleteStream(stream.id);
      await context.loader.refresh();
      await context.connection.account.readStream(stream.id);
      await waitUntil(async () => buttonsOf(page()).join() === 'Watch Latest Recording,Create Stream…');
      const sessions = page()?.sessions?.sessions ?? [];
      assert.deepEqual(fieldsOf(sessions, 'canPlay', 'canDownload'), [[true, true]]);
      const shown = page();
      const { sections, more } = shown?.kind === 'details' ? shown : assert.fail('There is a notice');
      assert.deepEqual(sections, [], 'the recordings are first');
      assert.ok(more.some(({ facts = [] }) => facts.some(({ value }) => value === stream.playbackId)));
    }),
  );
});

describe('A copy button of a details page', () => {
  it(
    'is told when something was copied, and only then',
    withDetails(async ({ service, open, press, runOnPage, heard, context }) => {
      const stream = service.control.addStream({ name: 'Keynote' });
      await open('stream', stream.id);
      const told = () => heard.flatMap((said) => (said.kind === 'copied' ? [said.act] : []));
      await runOnPage('copyStreamKey');
      assert.deepEqual(told(), [], 'the command did not copy');
      await context.ui.copy('elsewhere');
      assert.deepEqual(told(), []);
      await press('copyWhip');
      assert.deepEqual(told(), ['copyWhip']);
    }),
  );

  it(
    'copies the SRT URL with the key where there is one',
    withDetails(
      async ({ service, ui, open, press, heard }) => {
        const stream = service.control.addStream({ name: 'Keynote' });
        await open('stream', stream.id);
        await press('copySrt');
        assert.deepEqual(ui.seen.copied, [`srt://127.0.0.1:2935?streamid=${stream.streamKey}`]);
        assert.ok(heard.some((said) => said.kind === 'copied' && said.act === 'copySrt'));
        const flash = (what: string) =>
          `Copied the ${what} URL for "Keynote". It contains the stream key, so keep it private.`;
        assert.deepEqual(ui.seen.flashes, [flash('SRT')]);
        await press('copyWhip');
        assert.equal(ui.seen.copied.length, 1, 'no WHIP URL is known');
        await press('setOtherAddress');
        assert.deepEqual(ui.seen.settings, ['liveStreams.addresses']);
      },
      undefined,
      { addresses: { srt: 'srt://127.0.0.1:2935?streamid={streamKey}' } },
    ),
  );

  it(
    'is there as soon as its URL is configured',
    withDetails(
      async ({ service, context: { store, settings }, clock, open, page }) => {
        const { id } = service.control.addStream({ name: 'Keynote' });
        await open('stream', id);
        await clock.advance(1000);
        const isShown = () => JSON.stringify(page()).includes('copySrt');
        assert.equal(isShown(), false);
        const srt = 'srt://127.0.0.1:2935?streamid={streamKey}';
        const addresses = { [new URL(service.baseUrl).origin]: { srt } };
        Object.assign(settings, { addresses: () => addresses });
        store.setSettings({ ...store.snapshot.settings, addresses });
        await clock.advance(1000);
        assert.equal(isShown(), true);
      },
      undefined,
      { addresses: {}, demo: { saysAddresses: false } },
    ),
  );

  it(
    'copies the project ID, of a stream and of a session',
    withDetails(async ({ service, ui, open, press }) => {
      const { id } = service.control.addStream({ name: 'Keynote', projectId: 'p-7' });
      const session = service.control.addSession(id, { projectId: 'p-8' });
      await open('stream', id);
      await press('copyProjectId');
      await open('session', session.id);
      await press('copyProjectId');
      assert.deepEqual(ui.seen.copied, ['p-7', 'p-8']);
    }),
  );

  it(
    'knows the session that it has read, also where no list has it',
    withDetails(async ({ service, open }) => {
      const { id } = service.control.addStream({ name: 'Keynote' });
      const session = service.control.addSession(id, {});
      const panel = await open('session', session.id);
      assert.deepEqual([panel.read.session?.id, panel.read.session?.parentId], [session.id, id]);
      assert.equal((await open('stream', id)).read.session, undefined);
    }),
  );

  it(
    'copies the playback ID of a session, which is not that of its stream',
    withDetails(async ({ service, ui, open, press }) => {
      const stream = service.control.addStream({ name: 'Keynote' });
      const session = service.control.addSession(stream.id, {});
      assert.notEqual(session.playbackId, stream.playbackId);
      await open('session', session.id);
      await press('copyOwnPlaybackId');
      assert.deepEqual(ui.seen.copied, [session.playbackId]);
    }),
  );

  it(
    'is there for the URLs that the service says itself',
    withDetails(
      async ({ service, open, heard }) => {
        const stream = service.control.addStream({ name: 'Keynote' });
        await open('stream', stream.id);
        const shown = JSON.stringify(heard);
        assert.ok(shown.includes('copyIngestServer') && shown.includes('copyIngestUrl'), shown.slice(0, 200));
        assert.ok(shown.includes(service.addresses.hls?.replace('{playbackId}', stream.playbackId ?? '') ?? ''));
      },
      undefined,
      { addresses: {} },
    ),
  );
});

describe('The stream key of a details page', () => {
  it(
    'is not sent to a page that is hidden, or of a stream that has none, or of a session',
    withDetails(async ({ service, open, press, heard, see, context }) => {
      const stream = service.control.addStream({ name: 'Secret' });
      await open('stream', stream.id);
      see(false);
      await press('reveal');
      see(true);
      await open('session', service.control.addSession(stream.id, ENDED).id);
      for (const act of ['reveal', 'copySrt'] as const) await press(act);
      service.control.fault(({ path }) =>
        path.endsWith('/stream/keyless') ? { status: 200, body: '{"id":"keyless","name":"Keyless"}' } : undefined,
      );
      await open('stream', 'keyless');
      assert.equal(context.store.snapshot.streams.get('keyless')?.stream.name, 'Keyless');
      await press('reveal');
      for (const act of ['copySrt', 'copyWhip'] as const) await press(act);
      assert.ok(!heard.some(({ kind }) => kind === 'reveal' || kind === 'copied'));
    }),
  );

  it(
    'is hidden again when another tab is in front',
    withDetails(async ({ service, open, press, heard, see, clock }) => {
      const stream = service.control.addStream({ name: 'Secret' });
      await open('stream', stream.id);
      await press('reveal');
      assert.equal(heard.at(-1)?.kind, 'reveal');
      see(false);
      assert.equal(heard.at(-1)?.kind, 'hide', 'at once, not only when its 30 s are over');
      const before = heard.length;
      await clock.advance(60_000);
      assert.equal(heard.length, before);
    }),
  );
});

describe('A details page that is shown again', () => {
  const MINUTE = 60_000;
  const words = (shown: Shown | undefined) =>
    shown?.kind === 'details' ? shown.state.map(({ text }) => text).join(' · ') : '';
  const recordings = (shown: Shown | undefined) => shown?.sessions?.sessions.map(({ recording }) => recording) ?? [];
  const becomeReady = { recordingStatus: 'ready', recordingUrl: 'https://x.test/a.m3u8' } as const;
  const withOneClock = (test: (fixture: DetailsFixture) => Promise<void>) => withDetails(test, heldClock());

  async function openWaiting({ service: { control }, clock, open, page }: DetailsFixture) {
    const { id } = control.addStream({ name: 'Keynote' });
    const ended = { lastSeen: clock.now() - MINUTE, sourceSegmentsDuration: 600 };
    const session = control.addSession(id, { ...ended, record: true, recordingStatus: 'waiting' });
    await open('stream', id);
    await waitUntil(async () => recordings(page()).length === 1);
    return { read: `GET /api/stream/${id}`, session };
  }

  it(
    'asks at once, and judges states by the time of its data until the service responds',
    withOneClock(async (fixture) => {
      const { service, page, see, requests, clock, heard } = fixture;
      const { read, session } = await openWaiting(fixture);
      assert.deepEqual(recordings(page()), ['Processing (1 min)']);
      see(false);
      clock.jump(22 * MINUTE);
      const answer = Promise.withResolvers<undefined>();
      service.control.fault(() => answer.promise);
      service.control.clearRequests();
      const before = heard.length;
      see(true);
      await waitUntil(async () => requests().includes(read));
      await clock.advance(INTERVAL - 1);
      assert.deepEqual(recordings(page()), ['Processing (1 min)']);
      service.control.setSession(session.id, becomeReady);
      answer.resolve(undefined);
      await waitUntil(async () => recordings(page())[0] === 'Ready');
      const shown = heard.slice(before).flatMap((said) => (said.kind === 'show' ? recordings(said.shown) : []));
      assert.ok(!/\d\d min/.test(shown.join()), shown.join());
    }),
  );

  it(
    'asks whatever the refresh interval is, but not for what was read just now',
    withOneClock(async (fixture) => {
      const { context, service, see, requests, clock } = fixture;
      Object.assign(context.settings, { refreshInterval: () => 0 });
      const { read } = await openWaiting(fixture);
      service.control.clearRequests();
      for (const ms of [1000, 0]) {
        see(false);
        clock.jump(ms);
        see(true);
        await waitUntil(async () => requests().includes(read));
        await settle();
      }
      assert.equal(requests().filter((line) => line === read).length, 1);
    }),
  );

  it(
    'goes by the present time again once the service responds',
    withOneClock(async (fixture) => {
      const { service, page, see, clock, requests } = fixture;
      const { read } = await openWaiting(fixture);
      see(false);
      clock.jump(22 * MINUTE);
      service.control.fault(() => broken);
      service.control.clearRequests();
      see(true);
      await waitUntil(async () => requests().includes(read));
      await settle();
      assert.deepEqual(recordings(page()), ['Processing (1 min)']);
      service.control.fault(undefined);
      await clock.advance(INTERVAL);
      await waitUntil(async () => recordings(page())[0] === 'Processing (23 min)');
    }),
  );

  it(
    'loads the session again when it is shown again, and its player waits for the response',
    withOneClock(async (fixture) => {
      const { service, context, open, page, see, clock, heard } = fixture;
      const { control } = service;
      const { id } = control.addStream({ name: 'Keynote' });
      const ended = { lastSeen: clock.now() - MINUTE, sourceSegmentsDuration: 600 };
      const session = control.addSession(id, { ...ended, record: true, recordingStatus: 'waiting' });
      const lastProblem = () => heard.flatMap((said) => (said.kind === 'player' ? [said.message] : [])).at(-1);
      await open('session', session.id);
      await waitUntil(async () => JSON.stringify(lastProblem()).includes('"processing"'));
      assert.match(words(page()), /1 min/);
      see(false);
      clock.jump(22 * MINUTE);
      const answer = Promise.withResolvers<undefined>();
      control.fault(() => answer.promise);
      see(true);
      context.store.setFilter('x');
      await clock.advance(INTERVAL - 1);
      assert.match(words(page()), /\b1 min/);
      control.setSession(session.id, becomeReady);
      answer.resolve(undefined);
      await waitUntil(async () => /ready/i.test(words(page())));
    }),
  );

  it(
    'shows what a broadcast has become that ended meanwhile, with its session',
    withOneClock(async (fixture) => {
      const { service, open, page, see, clock } = fixture;
      const { control } = service;
      const { id } = control.addStream({ name: 'Keynote', record: true });
      const running = control.startBroadcast(id);
      clock.jump(MINUTE);
      await open('stream', id);
      await waitUntil(async () => page()?.sessions?.sessions[0]?.isLive === true);
      see(false);
      clock.jump(22 * MINUTE);
      control.endBroadcast(id);
      control.setSession(running.id, becomeReady);
      see(true);
      await waitUntil(async () => recordings(page())[0] === 'Ready' && words(page()).startsWith('Idle'));
    }),
  );
});

function shownPlayer(heard: readonly ToDetails[]) {
  const shown = (said: ToDetails) => (said.kind === 'player' && said.message.kind === 'show' ? [said.message] : []);
  return heard.flatMap(shown).at(-1);
}

function buttonsOf(shown: Shown | undefined): readonly string[] {
  return shown?.buttons.map(({ label }) => label) ?? [];
}
