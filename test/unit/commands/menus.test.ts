import assert from 'node:assert/strict';
import { CONTEXT_VALUES } from '../../../src/tree/contextValues.ts';
import { fieldsOf } from '../../support/fieldsOf.ts';
import {
  type Entry,
  flatten,
  readMenu,
  readRowMenu,
  rowMenuConditions,
  shortTitleOf,
} from '../../support/rules/menuRules.ts';

const VIEWS = ['liveStreams.streams', 'liveStreams.recordings'];
/** A service that can do everything, and whose dashboard is known. */
const ABLE = { 'liveStreams.knowsDashboard': true };

function rowMenu(viewItem: string, more: Readonly<Record<string, string | boolean>> = {}) {
  return readRowMenu({ ...ABLE, view: 'liveStreams.streams', viewItem, ...more });
}
const titles = (entries: readonly Entry[]) => entries.map(({ title }) => title);
const inSubmenu = (entries: readonly Entry[], title: string) =>
  titles(entries.find((entry) => entry.title === title)?.entries ?? []);

const IDLE = 'stream.idle.recordOff.hasKey.hasPlayback';
const ACTIVE = 'stream.active.recordOn.hasKey.hasPlayback';
const RECORDED = 'session.hasRecording.hasMp4.ready';

describe('The context menu of a row', () => {
  it('has at most ten entries at its top level, and submenus of at least two', () => {
    for (const view of VIEWS) {
      for (const value of CONTEXT_VALUES) {
        const { listed } = rowMenu(value, { view });
        assert.ok(listed.length <= 10, `${value}: ${titles(listed).join(', ')}`);
        for (const { title, entries } of listed) {
          assert.ok(entries === undefined || entries.length > 1 || value.startsWith('child'), `${value}: ${title}`);
        }
      }
    }
  });

  it("doesn't depend on the filter, whose change removes rows that VS Code would still redraw", () => {
    const conditions = rowMenuConditions();
    assert.ok(conditions.some((condition) => condition.includes('liveStreams.cannotPatch')));
    assert.deepEqual(
      conditions.filter((condition) => condition.includes('liveStreams.hasFilter')),
      [],
    );
  });

  it('has for an idle stream its main acts and copies first', () => {
    const { inline, listed } = rowMenu(IDLE);
    assert.deepEqual(titles(inline), ['Copy Stream Key', 'Show Stream Details']);
    assert.deepEqual(titles(listed), [
      ...['Show Stream Details', 'Check Stream', 'Start Test Broadcast…', 'Open'],
      ...['Copy Stream Key', 'Copy', 'Insert Code Snippet…'],
      ...['Edit', 'Turn On Recording'],
    ]);
    assert.deepEqual(inSubmenu(listed, 'Edit'), [
      ...['Rename Stream…', 'Edit Stream Tags…', 'Edit Stream Renditions…', 'Set Playback Policy…'],
      ...['Add Multistream Target…', 'Suspend Stream', 'Delete Stream'],
    ]);
    assert.deepEqual(inSubmenu(listed, 'Open'), [
      ...['Watch Stream in Browser', 'Open Stream in Dashboard', 'Open as JSON'],
    ]);
    assert.deepEqual(inSubmenu(listed, 'Copy'), [
      ...['Copy Playback ID', 'Copy HLS URL', 'Copy Player URL', 'Copy RTMP Server', 'Copy RTMP URL (with Key)'],
      ...['Copy Stream ID', 'Copy VS Code Link'],
    ]);
  });

  it('has for a live stream that is recorded all that people look for at its top level', () => {
    const { listed } = rowMenu(ACTIVE);
    assert.deepEqual(titles(listed), [
      ...['Watch Stream', 'Show Stream Details', 'Check Stream', 'Create Clip…', 'Open'],
      ...['Copy Stream Key', 'Copy', 'Insert Code Snippet…'],
      ...['Edit', 'End Broadcast'],
    ]);
    assert.ok(!flatten(listed).includes('editRenditions'), 'the service refuses it while the stream is live');
  });

  it('deletes each stream at the end of Edit, whatever its state', () => {
    for (const value of CONTEXT_VALUES.filter((each) => each.startsWith('stream'))) {
      const { listed } = rowMenu(value);
      assert.equal(inSubmenu(listed, 'Edit').at(-1), 'Delete Stream', value);
      assert.ok(!titles(listed).includes('Delete Stream'), value);
    }
  });

  it('copies the URL of a private stream with a token, where one stream alone is selected', () => {
    const copied = (value: string, more = {}) => flatten(rowMenu(value, more).listed);
    assert.ok(copied(`${IDLE}.needsToken`).includes('copyPlaybackUrlWithToken'));
    assert.ok(!copied(`${IDLE}.needsToken`, { listMultiSelection: true }).includes('copyPlaybackUrlWithToken'));
    assert.ok(!copied(IDLE).includes('copyPlaybackUrlWithToken'));
  });

  it('has no submenu in a submenu', () => {
    for (const view of VIEWS) {
      for (const value of CONTEXT_VALUES) {
        const inside = rowMenu(value, { view }).listed.flatMap(({ entries = [] }) => entries);
        assert.ok(
          inside.every(({ entries }) => entries === undefined),
          value,
        );
      }
    }
  });

  it('stops the broadcast that this window sends to the stream', () => {
    const tested = rowMenu(`${ACTIVE}.tested`).listed;
    assert.ok(titles(tested).includes('Stop Test Broadcast'));
    const others = flatten(tested).filter((id) => ['startTestBroadcast', 'endBroadcast'].includes(id));
    assert.deepEqual(others, [], 'it would start again what is ended');
    assert.ok(!flatten(rowMenu('stream.idle.recordOff.hasPlayback').listed).includes('startTestBroadcast'));
  });

  it('checks and tests every stream at its top level, below its details', () => {
    for (const value of CONTEXT_VALUES.filter((each) => each.startsWith('stream'))) {
      const { listed } = rowMenu(value);
      const [check, next = '', later = ''] = titles(listed).slice(titles(listed).indexOf('Show Stream Details') + 1);
      assert.equal(check, 'Check Stream', value);
      assert.match(
        next === 'Create Clip…' && value.includes('tested') ? later : next,
        value.includes('tested') ? /^Stop Test Broadcast$/ : /^(Start Test Broadcast…|Create Clip…|Watch Stream|Open)$/,
        value,
      );
    }
  });

  it('offers to resume a suspended stream, and no test broadcast, which the service refuses', () => {
    const { listed } = rowMenu('stream.idle.recordOff.suspended.hasKey.hasPlayback');
    assert.ok(!flatten(listed).includes('startTestBroadcast'));
    assert.equal(titles(listed)[0], 'Resume Stream');
    const active = rowMenu('stream.active.recordOn.suspended.hasKey.hasPlayback');
    for (const entries of [listed, active.listed, active.inline]) {
      assert.ok(!flatten(entries).includes('watchStream'), 'as on its page: nobody can watch it');
    }
  });

  it('offers no test broadcast to a stream that another encoder broadcasts to, as its page does not', () => {
    const { listed } = rowMenu(ACTIVE);
    assert.ok(titles(listed).includes('Check Stream'));
    assert.ok(!flatten(listed).includes('startTestBroadcast'));
  });

  it('ends the broadcast of a live stream, unless it was suspended, and leaves recording alone, which the service would refuse', () => {
    for (const value of CONTEXT_VALUES.filter((each) => each.startsWith('stream.active'))) {
      const commands = flatten(rowMenu(value).listed);
      assert.equal(commands.includes('endBroadcast'), !/suspended|tested/.test(value), value);
      assert.deepEqual(
        commands.filter((id) => id.startsWith('turnRecording')),
        [],
        value,
      );
    }
  });

  it('has Watch as an icon on live streams alone, and Download on recordings', () => {
    assert.deepEqual(titles(rowMenu(ACTIVE).inline), ['Watch Stream', 'Copy Stream Key', 'Show Stream Details']);
    const stale = rowMenu(`${ACTIVE}.stale`);
    assert.deepEqual(titles(stale.inline), ['Copy Stream Key', 'Show Stream Details']);
    const leading = ['Show Stream Details', 'Check Stream'];
    assert.deepEqual(titles(stale.listed).slice(0, 3), [...leading, 'Watch Stream'], 'it may have nothing to show');
    const tested = rowMenu(`${ACTIVE}.tested.stale`).listed;
    assert.deepEqual(titles(tested).slice(0, 4), [...leading, 'Stop Test Broadcast', 'Watch Stream']);
    assert.ok(!flatten(rowMenu(IDLE).listed).includes('watchStream'), 'as on its page: there is nothing to watch');
    for (const view of VIEWS) {
      assert.deepEqual(titles(rowMenu(RECORDED, { view }).inline), ['Download MP4…']);
      for (const value of ['session.hasRecording', 'session.hasRecording.hasMp4', 'session.recorded']) {
        const { inline, listed } = rowMenu(value, { view });
        assert.ok(!titles([...inline, ...listed]).includes('Download MP4…'), `${value}: not ready`);
      }
    }
    assert.deepEqual(rowMenu('session').inline, []);
  });

  it('is the same for a session in both views', () => {
    const [inStreams, inRecordings] = VIEWS.map((view) => rowMenu(RECORDED, { view }).listed);
    assert.deepEqual(inStreams, inRecordings);
    assert.deepEqual(titles(inStreams ?? []), [
      ...['Watch Recording', 'Show Session Details', 'Download MP4…', 'Create Clip…'],
      ...['Open', 'Copy Recording URL', 'Copy', 'Insert Code Snippet…'],
    ]);
    assert.ok(titles(rowMenu('session.recorded').listed).includes('Create Clip…'));
    assert.ok(!titles(rowMenu('session.hasRecording.recorded.ofDeleted').listed).includes('Create Clip…'));
    assert.deepEqual(titles(rowMenu('session').listed), [
      'Show Session Details',
      'Open',
      'Copy',
      'Insert Code Snippet…',
    ]);
    const noDashboard = { 'liveStreams.knowsDashboard': false };
    assert.deepEqual(titles(rowMenu('session', noDashboard).listed), [
      'Show Session Details',
      'Open as JSON',
      'Copy',
      'Insert Code Snippet…',
    ]);
    assert.ok(titles(rowMenu(RECORDED, noDashboard).listed).includes('Open'));
  });

  it('watches the stream of a session that is live first, in both views', () => {
    for (const view of VIEWS) {
      const [first] = titles(rowMenu('session.recorded.live', { view }).listed);
      assert.equal(first, 'Watch Stream');
    }
  });

  it('is the same for a clip in both views, and offers what the clip has', () => {
    const [inStreams, inRecordings] = VIEWS.map((view) => rowMenu('clip.playable.hasFile', { view }).listed);
    assert.deepEqual(inStreams, inRecordings);
    const always = ['Copy VS Code Link', 'Delete Clip'];
    const details = 'Show Session Details';
    assert.deepEqual(titles(inStreams ?? []), ['Watch Clip', details, 'Download Clip…', 'Copy Clip URL', ...always]);
    assert.deepEqual(titles(rowMenu('clip.playable').listed), ['Watch Clip', details, 'Copy Clip URL', ...always]);
    assert.deepEqual(titles(rowMenu('clip').listed), [details, ...always]);
  });

  it('creates clips of a live stream that is recorded, where the service has clips', () => {
    const opens = (value: string, context = {}) => flatten(rowMenu(value, context).listed).includes('createClip');
    assert.ok(opens('stream.active.recordOn.hasKey.hasPlayback'));
    assert.ok(!opens('stream.active.recordOff.hasKey.hasPlayback') && !opens('stream.idle.recordOn.hasPlayback'));
    assert.ok(!opens('stream.active.recordOn.hasKey.hasPlayback', { 'liveStreams.cannotClip': true }));
  });

  it('opens the streams of a group as JSON, and is empty on rows that only load or say something', () => {
    for (const list of ['active', 'idle', 'recording']) {
      assert.deepEqual(titles(rowMenu(`group.${list}`).listed), ['Open as JSON']);
    }
    for (const value of ['orphans', 'day', 'more', 'retry', 'empty', 'notice', 'filter', 'gone']) {
      assert.deepEqual(rowMenu(value).listed, [], value);
    }
  });

  it('leaves out what the service was found not to do, and a dashboard that is not known', () => {
    const cannot = ['Patch', 'Suspend', 'EndBroadcast', 'Delete'].map((what) => [`liveStreams.cannot${what}`, true]);
    const unable = { ...Object.fromEntries(cannot), 'liveStreams.knowsDashboard': false };
    const left = flatten(rowMenu(ACTIVE, unable).listed);
    const changes = ['renameStream', 'turnRecordingOff', 'suspendStream', 'endBroadcast', 'deleteStream'];
    assert.deepEqual(
      left.filter((id) => [...changes, 'openDashboard'].includes(id)),
      [],
    );
  });
});

describe('The context menu of a row among those of several connections', () => {
  const all = { 'liveStreams.showsAllConnections': true };

  it('leaves out what its own service does not offer, whatever the active one does', () => {
    const offers = (value: string, id: string, more = {}) =>
      flatten(rowMenu(value, { ...all, ...more }).listed).includes(id);
    const refusals = {
      cannotPatch: 'renameStream',
      cannotSuspend: 'suspendStream',
      cannotDelete: 'deleteStream',
    };
    for (const [word, id] of Object.entries(refusals)) {
      const atActive = { [`liveStreams.${word}`]: true };
      assert.equal(offers(IDLE, id), true, id);
      assert.equal(offers(IDLE, id, atActive), true, id);
      assert.equal(offers(`${IDLE}.${word}`, id), false, id);
    }
    assert.equal(offers(`${ACTIVE}.cannotEndBroadcast`, 'endBroadcast'), false);
  });

  it('has for a connection what is about it, and nothing that the demo or the active one has no use for', () => {
    const listed = (value: string) => flatten(rowMenu(value, all).listed);
    const own = ['setApiKey', 'renameConnection', 'removeConnection'];
    assert.deepEqual(listed('connection'), ['createStream', 'switchConnection', ...own]);
    assert.deepEqual(listed('connection.active'), ['createStream', ...own]);
    assert.deepEqual(listed('connection.active.demo'), ['createStream', 'stopDemo']);
    assert.deepEqual(listed('connection.demo'), ['createStream', 'switchConnection', 'stopDemo']);
    assert.deepEqual(listed('connection.cannotCreate'), ['switchConnection', ...own]);
    assert.deepEqual(listed('connection.failing'), ['createStream', 'retry', 'switchConnection', ...own]);
    assert.deepEqual(titles(rowMenu('connection.failing', all).inline), ['Retry']);
    const key = own.indexOf('setApiKey');
    assert.deepEqual(listed('connection.rejected'), [
      'setApiKey',
      'retry',
      'switchConnection',
      ...own.toSpliced(key, 1),
    ]);
    assert.deepEqual(titles(rowMenu('connection.rejected', all).inline), ['Set API Key…']);
  });

  it('connects a removed connection again or dismisses its row, and has nothing that needs the connection', () => {
    const { listed, inline } = rowMenu('removedConnection', all);
    assert.deepEqual(flatten(listed), ['addConnection', 'showOneConnection', 'dismissConnection']);
    assert.deepEqual(titles(inline), ['Dismiss Removed Connection']);
  });
});

describe('The context menu of several rows', () => {
  const SEVERAL = { listMultiSelection: true };

  it('offers only commands that take several', () => {
    const taken = new Set([
      ...['copyStreamKey', 'copyPlaybackId', 'copyStreamId', 'copyIngestUrl', 'copyPlaybackUrl', 'copyPlayerUrl'],
      ...['copyRecordingUrl', 'copyMp4Url', 'copySessionId', 'copyLink', 'insertSnippet'],
      ...['turnRecordingOn', 'turnRecordingOff', 'suspendStream', 'resumeStream', 'deleteStream'],
    ]);
    const offered = VIEWS.flatMap((view) =>
      CONTEXT_VALUES.flatMap((value) => flatten(rowMenu(value, { ...SEVERAL, view }).listed)),
    );
    assert.deepEqual(new Set(offered), taken);
  });

  it('copies idle streams, turns recording on, suspends and deletes them', () => {
    const { listed } = rowMenu(IDLE, SEVERAL);
    assert.deepEqual(titles(listed), [
      ...['Copy Stream Key', 'Copy', 'Insert Code Snippet…', 'Turn On Recording', 'Suspend Stream', 'Delete Stream'],
    ]);
    const suspended = rowMenu('stream.idle.recordOn.suspended', SEVERAL).listed;
    assert.deepEqual(titles(suspended), [
      'Resume Stream',
      'Copy',
      'Insert Code Snippet…',
      'Turn Off Recording',
      'Delete Stream',
    ]);
  });
});

describe('The title of the Streams view', () => {
  const icons = (context: Readonly<Record<string, string | number | boolean>>) =>
    readMenu('view/title', { view: 'liveStreams.streams', 'liveStreams.state': 'loaded', ...context })
      .filter(({ group }) => group.startsWith('navigation'))
      .map(({ id }) => shortTitleOf(id));

  it('has three icons beside Collapse All: to create, to filter or clear the filter, and to refresh', () => {
    for (const isDemo of [true, false]) {
      for (const count of [0, 1, 2]) {
        const context = { 'liveStreams.isDemo': isDemo, 'liveStreams.connectionCount': count };
        const all = ['Create Stream…', 'Filter…', 'Refresh', 'Collapse All'];
        assert.deepEqual(icons(context), all, `${isDemo}, ${count}`);
        assert.deepEqual(icons({ ...context, 'liveStreams.hasFilter': true }), all.with(1, 'Clear Filter'));
      }
    }
  });

  it('has a menu in groups, with what connects first beside the demo', () => {
    const menu = (context: Readonly<Record<string, string | number | boolean>>) =>
      readMenu('view/title', { view: 'liveStreams.streams', 'liveStreams.state': 'loaded', ...context })
        .filter(({ group }) => !group.startsWith('navigation'))
        .map(({ id }) => id);
    assert.deepEqual(menu({ 'liveStreams.connectionCount': 1 }), [
      ...['goToStream', 'sortStreams'],
      ...['switchConnection', 'addConnection', 'ofConnection', 'startDemo', 'chooseNotifications', 'showLog'],
    ]);
    const ofConnection = (isDemo: boolean) =>
      fieldsOf(readMenu('liveStreams.ofConnection', { 'liveStreams.isDemo': isDemo }), 'id');
    assert.deepEqual(ofConnection(false), ['setApiKey', 'renameConnection', 'setAddresses', 'removeConnection']);
    assert.deepEqual(ofConnection(true), ['renameConnection', 'removeConnection']);
    assert.deepEqual(menu({ 'liveStreams.isDemo': true, 'liveStreams.connectionCount': 0 }), [
      ...[
        'addConnection',
        'goToStream',
        'sortStreams',
        'switchConnection',
        'stopDemo',
        'chooseNotifications',
        'showLog',
      ],
    ]);
    assert.ok(menu({ 'liveStreams.hasFilter': true }).includes('filterStreams'), 'to edit the filter');
  });

  it('has no icons before anything is connected', () => {
    assert.deepEqual(icons({ 'liveStreams.state': 'none', 'liveStreams.connectionCount': 0 }), []);
    for (const [recordingsState, expected] of [
      ['none', []],
      ['loaded', ['searchRecordings', 'refresh', 'collapseRecordings']],
    ] as const) {
      const context = { view: 'liveStreams.recordings', 'liveStreams.recordingsState': recordingsState };
      const listed = readMenu('view/title', context).filter(({ group }) => group.startsWith('navigation'));
      assert.deepEqual(fieldsOf(listed, 'id'), expected);
    }
  });

  it('offers the connection picker wherever it can connect or start the demo', () => {
    const offers = (state: string, count: number) => {
      const context = { view: 'liveStreams.streams', 'liveStreams.state': state, 'liveStreams.connectionCount': count };
      return flatten(readMenu('view/title', context)).includes('switchConnection');
    };
    for (const state of ['none', 'keyless', 'empty', 'loaded']) assert.ok(offers(state, 0), state);
    for (const state of ['starting', 'waiting']) assert.ok(!offers(state, 0), state);
    for (const state of ['starting', 'waiting', 'keyless', 'loaded']) {
      for (const count of [1, 2]) assert.ok(offers(state, count), `${state}, ${count}`);
    }
  });

  it('lists each command once', () => {
    for (const isDemo of [true, false]) {
      for (const count of [0, 1, 2]) {
        const context = { 'liveStreams.isDemo': isDemo, 'liveStreams.connectionCount': count };
        const all = readMenu('view/title', { view: 'liveStreams.streams', 'liveStreams.state': 'loaded', ...context });
        assert.equal(new Set(flatten(all)).size, flatten(all).length);
      }
    }
  });
});

describe('The Webhooks view', () => {
  it('has three icons beside Collapse All in its title, as Streams does, and the rest in its menu', () => {
    for (const isListening of [true, false]) {
      const listed = readMenu('view/title', { view: 'liveStreams.webhooks', 'liveStreams.isListening': isListening });
      const [icons, others] = [true, false].map((isIcon) =>
        listed.filter(({ group }) => group.startsWith('navigation') === isIcon),
      );
      const listen = isListening ? 'stopListening' : 'listenForEvents';
      assert.deepEqual(fieldsOf(icons ?? [], 'id'), ['createWebhook', listen, 'refreshWebhooks', 'collapseWebhooks']);
      assert.deepEqual(fieldsOf(others ?? [], 'id'), ['sendTestEvent', 'copyWebhookSecret']);
    }
  });

  it('repeats no word in the menu of a delivery', () => {
    assert.deepEqual(titles(menuOfRow('delivery.failed').listed), [
      ...['Show Delivery Details', 'Replay Delivery to Localhost', 'Resend Delivery'],
      ...['Copy Delivery as cURL', 'Copy Delivery Body'],
    ]);
  });

  it('has one icon in the row of a delivery that failed, and none in others, so that a narrow view has room for words', () => {
    const icons = ['delivery', 'delivery.failed', 'localDelivery', 'localDelivery.failed'].map((item) =>
      titles(menuOfRow(item).inline),
    );
    assert.deepEqual(icons, [[], ['Resend Delivery'], [], ['Replay Delivery to Localhost']]);
  });

  it('has no icon in the row of this computer that its title has, too', () => {
    for (const viewItem of ['thisComputer', 'thisComputer.listening'])
      assert.deepEqual(titles(menuOfRow(viewItem).inline), ['Send Webhook Test Event…']);
  });

  function menuOfRow(viewItem: string) {
    return readRowMenu({ view: 'liveStreams.webhooks', viewItem });
  }
});
