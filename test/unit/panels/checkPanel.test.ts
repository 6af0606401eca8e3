import assert from 'node:assert/strict';
import { ALL_ABILITIES } from '../../../src/api/types.ts';
import type { InspectionStep } from '../../../src/model/inspection/inspectHls.ts';
import type { CheckReport } from '../../../src/model/inspection/report.ts';
import { StreamStore } from '../../../src/model/store/store.ts';
import { CheckPanel, type CheckTarget } from '../../../src/panels/checkPanel.ts';
import type { PageEvents } from '../../../src/panels/page.ts';
import type { CheckAction, CheckOutcome, RunCheck } from '../../../src/texts/checkOutcome.ts';
import type { FromCheck, ShownCheck, ToCheck } from '../../../src/webview/check/messages.ts';
import { fieldsOf } from '../../support/fieldsOf.ts';
import { aStream, NOW, openConnection } from '../../support/model/builders.ts';
import { fakeLog, fakeUi } from '../../support/model/fakes.ts';
import { heldClock } from '../../support/model/heldClock.ts';

const TIMES = { startedAt: NOW, serverDate: NOW };
const OWN = openConnection({ id: 'c1', name: 'Production' });
const STREAM = { kind: 'stream', connection: 'c1', id: 's1' } as const;
const PLAYBACK = { kind: 'playback', connection: '', id: 'https://video.example/index.m3u8' } as const;

const REPORT: CheckReport = {
  title: 'Check results for "Keynote"',
  checkedAt: NOW,
  sections: [
    {
      heading: 'Server',
      findings: [
        {
          ...{ id: 'cors', mark: 'bad', label: 'CORS', figure: 'denied', meaning: 'Bad.', advice: 'Send:' },
          remedy: { line: 'Access-Control-Allow-Origin: *' },
        },
      ],
    },
  ],
  playback: undefined,
};

/** A check that ends when the test says so. */
interface HeldCheck {
  readonly signal: AbortSignal;
  step(step: InspectionStep): void;
  end(outcome: CheckOutcome): Promise<void>;
}

function openPanel(target: Omit<CheckTarget, 'run'>, { isRestored = false } = {}) {
  const store = new StreamStore({ clock: heldClock() });
  store.connected(OWN);
  const [ui, log] = [fakeUi(), fakeLog()];
  const checks: HeldCheck[] = [];
  const heard: ToCheck[] = [];
  const ran: string[] = [];
  const changes: boolean[] = [];
  let isSeen = true;
  let events: PageEvents<FromCheck> | undefined;
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
  const run: RunCheck = (signal, onStep) => {
    const { promise, resolve, reject } = Promise.withResolvers<CheckOutcome>();
    signal.addEventListener('abort', () => reject(signal.reason));
    const end = (outcome: CheckOutcome) => {
      resolve(outcome);
      return settled();
    };
    checks.push({ signal, step: onStep, end });
    return promise;
  };
  const panel = new CheckPanel(isRestored ? target : { ...target, run }, {
    ...{ store, ui, log, title: 'Keynote (Check)' },
    drawing: () => ({ now: NOW, locale: 'en', timeZone: 'UTC' }),
    makePage(given) {
      events = given;
      return {
        get isSeen() {
          return isSeen;
        },
        title: '',
        reveal: () => void ran.push('reveal'),
        send: (message) => void heard.push(message as ToCheck),
        dispose() {},
      };
    },
    runCommand: async (id, ...args) => void ran.push([id, ...args.map((arg) => JSON.stringify(arg))].join(' ')),
    runFor: async (connection, id, args) => {
      ran.push([connection, id, ...args.map((arg) => JSON.stringify(arg))].join(' '));
      return changes.shift();
    },
  });
  void panel.load({ startsItself: !isRestored });
  return {
    ...{ panel, store, ui, log, checks, heard, ran, run, changes },
    page: (): ShownCheck =>
      heard.flatMap((said) => (said.kind === 'show' ? [said.shown] : [])).at(-1) ?? assert.fail('Nothing was shown'),
    async press(act: FromCheck['act'], index?: number) {
      // Not awaited: a check that runs takes until the test ends it.
      void events?.onSaid({ kind: 'press', act, ...(index === undefined ? {} : { index }) });
      await settled();
    },
    see(isSeenNow: boolean) {
      isSeen = isSeenNow;
      if (isSeen) events?.onReady();
    },
    check: (index = 0) => checks[index] ?? assert.fail('There is no such check'),
  };
}

/** Those of the notice come first. */
const buttonsOf = ({ notice, buttons }: ShownCheck) => [...(notice?.buttons ?? []), ...buttons];
const actsOf = (shown: ShownCheck) => buttonsOf(shown).map(({ act }) => act);
const noticeOf = (text: string) => ({ text, isFailure: false, buttons: [] });
const failed = (actions: readonly CheckAction[] = []): CheckOutcome => ({
  ...{ kind: 'failure', sentence: 'Production is unavailable (500).', actions, canRetry: true },
});

describe('The page of a check', () => {
  it('says what is done while it runs, and then shows the report', async () => {
    const { page, panel, check, heard } = openPanel(STREAM);
    assert.equal(page().title, 'Keynote');
    assert.equal(panel.isInUse, true);
    assert.equal(page().progress, "Getting the stream's status…");
    assert.deepEqual(actsOf(page()), ['cancel']);
    check().step({ kind: 'rendition', at: 2, count: 8 });
    assert.equal(page().progress, 'Loading rendition 2 of 8…');
    await check().end({ kind: 'report', report: REPORT });
    assert.deepEqual([page().title, page().progress], ['Keynote', undefined]);
    assert.equal(panel.isInUse, false);
    assert.equal(page().report?.summary, '1 problem');
    assert.deepEqual(actsOf(page()), ['run', 'copyReport', 'showStream']);
    assert.equal(heard.length, 3);
  });

  it('ends the check when it is canceled, and shows the report before it, if there is one', async () => {
    const { page, check, press } = openPanel(STREAM);
    await press('cancel');
    assert.equal(check().signal.aborted, true);
    assert.deepEqual(page().notice, noticeOf('The check was canceled.'));
    assert.equal(page().report, undefined);
    assert.equal(page().buttons[0]?.label, 'Run Check');
    await press('run');
    await check(1).end({ kind: 'report', report: REPORT });
    await press('run');
    assert.equal(page().report, undefined);
    await press('cancel');
    assert.match(page().notice?.text ?? '', /^The check was canceled. These results are from/);
    assert.equal(page().report?.summary, '1 problem');
  });

  it('changes a target that is not reached, and offers that only as long as the service has targets', async () => {
    const { page, check, press, ran, store, changes } = openPanel(STREAM);
    const finding = {
      id: 'health',
      mark: 'bad',
      label: 'Twitch',
      figure: 'Failing',
      remedy: { target: 't1' },
    } as const;
    await check().end({
      kind: 'report',
      report: { ...REPORT, sections: [{ heading: 'Stream', findings: [finding] }] },
    });
    const button = () => page().report?.problems?.findings[0]?.button?.act;
    assert.equal(button(), 'changeTarget');
    await press('changeTarget', 0);
    await press('changeTarget', 1);
    assert.deepEqual(ran, ['c1 addMultistreamTarget {"id":"s1","targetId":"t1"}']);
    assert.equal(page().notice, undefined);
    changes.push(true);
    await press('changeTarget', 0);
    assert.deepEqual(page().notice, noticeOf('The stream has changed since this check.'));
    store.openWriter().abilitiesChanged({ ...ALL_ABILITIES, multistream: false });
    assert.equal(button(), undefined);
  });

  it('says that its results are of before once the stream is in another state, until it is run again', async () => {
    const { page, check, press, store } = openPanel(STREAM);
    const writer = store.openWriter();
    writer.read(aStream({ id: 's1', suspended: true }), { requestSeq: 1, ...TIMES });
    await check().end({ kind: 'report', report: REPORT });
    assert.equal(page().notice, undefined);
    writer.read(aStream({ id: 's1', suspended: false }), { requestSeq: 2, ...TIMES });
    assert.equal(page().notice?.text, 'The stream has changed since this check.');
    assert.equal(page().buttons[0]?.label, 'Run Again');
    await press('run');
    await check(1).end({ kind: 'report', report: REPORT });
    assert.equal(page().notice, undefined);
  });

  it('names the connection of its stream if there are several', async () => {
    const { page, check, store } = openPanel(STREAM);
    await check().end({ kind: 'report', report: REPORT });
    const about = () => fieldsOf(page().about, 'text');
    assert.deepEqual(about(), ['Check results', 'Nov 20, 2026, 10:54:00']);
    store.setConnectionCount(2);
    assert.deepEqual(about(), ['Check results', 'Nov 20, 2026, 10:54:00', 'Production']);
  });

  it('ends the check when it is closed, and shows nothing more', async () => {
    const { panel, check, heard, log } = openPanel(STREAM);
    const before = heard.length;
    panel.dispose();
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(check().signal.aborted, true);
    assert.deepEqual([heard.length, log.lines], [before, []]);
  });

  it('runs the check again if it is opened again, and forgets the running one', async () => {
    const { panel, page, check, ran, run } = openPanel(STREAM);
    void panel.showAgain({ ...STREAM, run });
    assert.deepEqual([check().signal.aborted, check(1).signal.aborted, ran], [true, false, ['reveal']]);
    await check(1).end({ kind: 'report', report: REPORT });
    assert.equal(page().report?.summary, '1 problem');
  });

  it('goes on while another tab is in front, and is shown as it is by then', async () => {
    const { page, check, see, heard } = openPanel(STREAM);
    see(false);
    const before = heard.length;
    await check().end({ kind: 'report', report: REPORT });
    assert.equal(heard.length, before);
    see(true);
    assert.equal(page().report?.summary, '1 problem');
  });

  it('says when a check failed that has no report before', async () => {
    const { page, check } = openPanel(STREAM);
    assert.deepEqual(page().about, []);
    await check().end(failed());
    assert.deepEqual(fieldsOf(page().about, 'text'), ['Nov 20, 2026, 10:54:00']);
  });

  it('says in words why a check failed, keeps the report before, and offers what helps', async () => {
    const { page, check, press, ran, ui } = openPanel(STREAM);
    await check().end({ kind: 'report', report: REPORT });
    await press('run');
    const key = { label: 'Set API Key…', command: 'setApiKey' } as const;
    const log = { label: 'Show Log', command: 'showLog' } as const;
    await check(1).end(failed([log, key, { label: 'Open Settings', setting: 'http.proxy' }]));
    const { text, isFailure, buttons } = page().notice ?? assert.fail('There is no notice');
    assert.deepEqual(
      [text, isFailure],
      ['Production is unavailable (500). These results are from the previous check.', true],
    );
    assert.deepEqual(fieldsOf(buttons, 'label'), ['Set API Key…', 'Open Settings', 'Run Again']);
    assert.equal(page().report?.summary, '1 problem');
    assert.deepEqual(fieldsOf(page().buttons, 'label'), ['Copy Report', 'Show Stream Details', 'Show Log']);
    for (const { act, index } of buttonsOf(page())) if (act === 'runAction') await press(act, index);
    await press('runAction', 3);
    assert.deepEqual([ran, ui.seen.settings], [['setApiKey', 'showLog'], ['http.proxy']]);
  });

  it('says so, and logs it, if a check breaks', async () => {
    const { panel, page, log } = openPanel(STREAM);
    await panel.showAgain({ ...STREAM, run: () => Promise.reject(new Error('Broken')) });
    assert.equal(page().notice?.isFailure, true);
    assert.deepEqual(actsOf(page()), ['run', 'showStream']);
    assert.match(log.lines.join(), /A check failed/);
  });

  it('copies the report, or a line of it, and says so on the button', async () => {
    const { check, press, ui, heard } = openPanel(STREAM);
    await press('copyReport');
    await check().end({ kind: 'report', report: REPORT });
    await press('copyReport');
    await press('copyLine', 0);
    await press('copyLine', 1);
    assert.match(
      ui.seen.copied[0] ?? '',
      /^Check results for "Keynote"\n.*\n1 problem\n\nServer\n {2}✗ CORS: denied\n/,
    );
    assert.deepEqual(ui.seen.copied.slice(1), ['Access-Control-Allow-Origin: *']);
    assert.deepEqual(
      heard.filter(({ kind }) => kind === 'copied'),
      [
        { kind: 'copied', act: 'copyReport' },
        { kind: 'copied', act: 'copyLine', index: 0 },
      ],
    );
  });

  it('runs commands on its stream, and none of a stream for playback', async () => {
    const of = openPanel(STREAM);
    for (const act of ['showStream', 'resumeStream', 'startTestBroadcast', 'setApiKey'] as const) await of.press(act);
    assert.deepEqual(of.ran, ['showStream "s1"', 'resumeStream "s1"', 'startTestBroadcast "s1"', 'setApiKey']);
    const playback = openPanel(PLAYBACK);
    await playback.press('showStream');
    assert.deepEqual(playback.ran, []);
    await playback.check().end({ kind: 'report', report: REPORT });
    assert.deepEqual(actsOf(playback.page()), ['run', 'copyReport']);
  });

  it('shows what can be done if the connection of its stream is not open, and runs nothing until it is', async () => {
    const { store, page, check, press, ran, checks } = openPanel(STREAM);
    await check().end({ kind: 'report', report: REPORT });
    store.setConnectionNames([{ id: 'c1', name: 'Production' }]);
    store.connected(openConnection({ id: 'c2', name: 'Other' }));
    assert.equal(page().notice?.text, 'This item belongs to "Production", which isn\'t the current connection.');
    assert.equal(page().report?.summary, '1 problem');
    assert.deepEqual(actsOf(page()), ['openOwnConnection', 'copyReport']);
    for (const act of ['run', 'showStream'] as const) await press(act);
    assert.deepEqual([ran, checks.length], [[], 1]);
    await press('openOwnConnection');
    assert.deepEqual(ran, ['switchConnection {"connectionId":"c1"}']);
    store.connected(OWN);
    assert.equal(page().report?.summary, '1 problem');
  });

  it('keeps its report if its connection is shown in another way, and is run by the command then', async () => {
    const { panel, page, check, press, ran, checks } = openPanel(STREAM);
    await check().end({ kind: 'report', report: REPORT });
    const next = new StreamStore({ clock: heldClock() });
    next.connected(OWN);
    panel.continueWith({ store: next });
    assert.equal(page().report?.summary, '1 problem');
    await press('run');
    assert.deepEqual([ran, checks.length], [['checkStream "s1"'], 1]);
    next.setConnectionNames([{ id: 'c1', name: 'Production' }]);
    next.connected(openConnection({ id: 'c2', name: 'Other' }));
    assert.deepEqual(actsOf(page()), ['openOwnConnection', 'copyReport'], 'it follows the other objects');
  });

  it('stays as it is if another connection is opened, if it is of playback', async () => {
    const { store, page, check } = openPanel(PLAYBACK);
    store.connected(openConnection({ id: 'c2', name: 'Other' }));
    await check().end({ kind: 'report', report: REPORT });
    assert.equal(page().report?.summary, '1 problem');
  });

  it('is restored with the window without a check, and runs it by the command', async () => {
    const { page, press, ran, panel, run, check } = openPanel(STREAM, { isRestored: true });
    assert.equal(page().title, 'Keynote');
    assert.deepEqual(page().notice, noticeOf("Results aren't kept when the window reloads."));
    assert.deepEqual(actsOf(page()), ['run', 'showStream']);
    await press('run');
    assert.deepEqual(ran, ['checkStream "s1"']);
    void panel.showAgain({ ...STREAM, run });
    await check().end({ kind: 'report', report: REPORT });
    assert.equal(page().report?.summary, '1 problem');
  });
});
