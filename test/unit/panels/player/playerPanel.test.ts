import assert from 'node:assert/strict';
import type { PageEvents } from '../../../../src/panels/page.ts';
import { PlayerPanel } from '../../../../src/panels/player/playerPanel.ts';
import { createPlayerSound } from '../../../../src/panels/player/playerPart.ts';
import type { FromPlayer, ToPlayer } from '../../../../src/webview/player/messages.ts';
import { fieldsOf } from '../../../support/fieldsOf.ts';
import { aTrouble } from '../../../support/model/builders.ts';
import { waitUntil } from '../../../support/page/waitUntil.ts';
import { withBoth } from '../../commands/besideFixture.ts';
import { withCommands } from '../../commands/fixture.ts';
import { PLAYLIST } from './playerFixture.ts';

describe('The tab of a player', () => {
  function compose(test: (tab: Awaited<ReturnType<typeof openTab>>) => Promise<void>) {
    return withCommands({}, async (fixture) => {
      const tab = await openTab(fixture);
      try {
        await test(tab);
      } finally {
        tab.panel.dispose();
      }
    });
  }

  async function openTab({ context, service }: Parameters<Parameters<typeof withCommands>[1]>[0]) {
    let status = 200;
    const { id } = service.control.addStream({ name: 'Keynote', isActive: true });
    const sent: ToPlayer[] = [];
    let events: PageEvents<FromPlayer> | undefined;
    const revealed: string[] = [];
    const icons: string[] = [];
    const page = {
      isSeen: true,
      title: 'Keynote as it was',
      reveal: () => void revealed.push(page.title),
      send: (message: object) => void sent.push(message as ToPlayer),
      dispose: () => void sent.splice(0),
    };
    const body = new TextEncoder().encode(PLAYLIST);
    const target = { connection: context.connection.info?.id ?? '', kind: 'stream', id } as const;
    const panel = new PlayerPanel(target, {
      ...{
        ...context,
        title: page.title,
        setIcon: (shape) => void icons.push(shape),
        sound: createPlayerSound(),
        runFor: async () => {},
      },
      transport: { ...context.transport, send: async () => ({ status, headers: {}, body }) },
      runCommand: async () => {},
      readPart: async (part) => ({ part, script: '' }),
      playerWindow: { playInBrowser: async () => {}, toggleMaximized: async () => {}, canDownload: async () => true },
      showKeptPage: () => false,
      makePage(given) {
        events = given;
        return page;
      },
    });
    await panel.load({ startsItself: true });
    return {
      id,
      panel,
      target,
      page,
      sent,
      media(next: number) {
        status = next;
      },
      ...{ context, service },
      shown: () => sent.filter(({ kind }) => kind === 'show').length,
      events: () => events,
      ...{ revealed, icons },
    };
  }

  it(
    'has the name that the stream has now, and sends all to a page that is ready',
    compose(async ({ page, sent, events }) => {
      assert.equal(page.title, 'Keynote');
      sent.splice(0);
      events()?.onReady();
      assert.deepEqual(fieldsOf(sent, 'kind'), ['show', 'visible']);
    }),
  );

  it(
    'is only brought to the front if it is opened again, unless it has stopped',
    compose(async ({ panel, target, sent, events, shown, revealed }) => {
      const before = shown();
      panel.showAgain(target);
      assert.deepEqual([revealed.length, shown()], [1, before]);
      const last = sent.findLast(({ kind }) => kind === 'show');
      const serial = last?.kind === 'show' ? last.serial : 0;
      await events()?.onSaid({ kind: 'failed', problem: { kind: 'stopped' }, serial });
      const stopped = shown();
      panel.showAgain(target);
      assert.equal(revealed.length, 2);
      assert.ok(shown() > stopped);
    }),
  );

  it(
    'has its bar for clips opened once it plays, also if it is open already',
    compose(async ({ panel, target, sent, events }) => {
      const asked = () => sent.filter(({ kind }) => kind === 'openClipBar').length;
      const isForClip = () => sent.findLast((message) => message.kind === 'show')?.isForClip;
      panel.showAgain(target);
      events()?.onReady();
      assert.deepEqual([asked(), isForClip()], [0, false]);
      panel.showAgain({ ...target, isForClip: true });
      events()?.onReady();
      assert.deepEqual([asked(), isForClip()], [1, true], 'the page may have missed it');
      await events()?.onSaid({ kind: 'playing', isPlaying: true });
      events()?.onReady();
      assert.equal(isForClip(), false, 'the person may have closed it since');
    }),
  );

  it(
    'has the icon of a live stream until the broadcast has ended, and again with the next one',
    compose(async ({ id, panel, service, icons, sent, events }) => {
      assert.deepEqual(new Set(icons), new Set(['stream']));
      service.control.setStream(id, { isActive: false });
      const last = sent.findLast(({ kind }) => kind === 'show');
      await events()?.onSaid({ kind: 'ended', serial: last?.kind === 'show' ? last.serial : 0, hasPlayed: true });
      await waitUntil(async () => icons.at(-1) === 'idle');
      service.control.setStream(id, { isActive: true });
      await panel.load({ startsItself: true });
      await waitUntil(() => icons.at(-1) === 'stream');
    }),
  );

  it(
    'keeps the icon of an idle stream whose key is rejected',
    compose(async ({ id, service, context, icons, sent, events }) => {
      service.control.setStream(id, { isActive: false });
      const last = sent.findLast(({ kind }) => kind === 'show');
      await events()?.onSaid({ kind: 'ended', serial: last?.kind === 'show' ? last.serial : 0, hasPlayed: true });
      await waitUntil(async () => icons.at(-1) === 'idle');
      service.control.revokeKey();
      await context.loader.refresh();
      const isSaid = () => sent.some((message) => message.kind === 'show' && message.problem?.kind === 'said');
      await waitUntil(async () => isSaid());
      assert.equal(icons.at(-1), 'idle');
    }),
  );

  it(
    'keeps the icon of an idle stream while its connection is closed',
    compose(async ({ id, service, context, icons, shown, sent, events }) => {
      service.control.setStream(id, { isActive: false });
      const last = sent.findLast(({ kind }) => kind === 'show');
      await events()?.onSaid({ kind: 'ended', serial: last?.kind === 'show' ? last.serial : 0, hasPlayed: true });
      await waitUntil(async () => icons.at(-1) === 'idle');
      const before = shown();
      context.connection.close();
      await waitUntil(async () => shown() > before);
      assert.equal(icons.at(-1), 'idle');
    }),
  );

  it(
    'retries at once what its server interrupted when the service responds again',
    compose(async ({ panel, media, context, sent }) => {
      media(503);
      await panel.load({ startsItself: true });
      const problem = () => sent.findLast((message) => message.kind === 'show')?.problem?.kind;
      assert.equal(problem(), 'status');
      media(200);
      context.connection.account.writer.pollFailed(aTrouble('network'));
      assert.equal(problem(), 'status');
      await context.loader.refresh();
      await waitUntil(async () => problem() === undefined);
    }),
  );

  it(
    'goes on when another connection is opened',
    compose(async ({ context, service, shown }) => {
      const { id = '' } = context.connection.info ?? {};
      context.store.setConnectionNames([{ id, name: 'Production' }]);
      const before = shown();
      context.connection.open({ ...service, id: 'other', name: 'Other', insecureAccepted: false });
      assert.equal(shown(), before);
    }),
  );

  it(
    'goes on when its connection is shown beside the current one, and follows that from then on',
    withBoth({}, async (both) => {
      const { context, others, serviceB, idB } = both;
      const { id, panel, sent, shown } = await openTab(both);
      const { id: own = '' } = context.connection.info ?? {};
      const heading = () => sent.findLast((message) => message.kind === 'heading')?.heading;
      const before = shown();
      context.connection.open({ ...serviceB, id: idB, name: 'B', insecureAccepted: false });
      const model = await waitUntil(async () => others.get(own));
      panel.continueWith(model);
      assert.deepEqual([shown(), heading()?.way], [before, undefined]);
      both.service.control.setStream(id, { name: 'Renamed' });
      await model.connection.account.readStream(id);
      assert.equal(heading()?.title, 'Renamed');
      const { length } = sent;
      context.connection.close();
      assert.equal(sent.length, length, 'what another connection does is nothing to it');
      panel.dispose();
    }),
  );

  it(
    'loads again when its connection closes',
    compose(async ({ context, shown }) => {
      const before = shown();
      context.connection.close();
      assert.ok(shown() > before);
    }),
  );
});
