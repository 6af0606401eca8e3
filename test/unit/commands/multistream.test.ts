import assert from 'node:assert/strict';
import { targetsOf } from '../../../src/model/account/accountTargets.ts';
import { maskJson } from '../../../src/model/mask.ts';
import { fieldsOf } from '../../support/fieldsOf.ts';
import { type Fixture, withCommands } from './fixture.ts';

const KEY = 'planted-target-key-51ce';
const URL = `rtmps://live.example:443/app/${KEY}`;
/** A demo this small has none. */
const NO_TARGETS = { streamCount: 3 };
const LADDER = [{ name: '720p0', width: 1280, height: 720 }];

const saidIn = ({ ui }: Fixture) => ui.seen.messages.join('\n');

/** Known to the window, with these targets. */
async function aStream({ service, context }: Fixture, targets: readonly string[] = [], name = 'Talk'): Promise<string> {
  const multistream = { targets: targets.map((id) => ({ id, profile: 'source' })) };
  const { id } = service.control.addStream({ name, profiles: LADDER, multistream });
  await context.connection.account.readStream(id);
  return id;
}

const usesOf = ({ service }: Fixture, id: string) =>
  service.control.streams().find((stream) => stream.id === id)?.multistream?.targets ?? [];
const targetNamed = ({ service }: Fixture, name: string) =>
  service.control.targets().find((target) => target.name === name) ?? assert.fail(`There is no target ${name}`);
const knownUses = ({ context }: Fixture, id: string) => context.store.snapshot.streams.get(id)?.stream.targets;

/** The key is nowhere that somebody could read, nor in what is kept. */
function assertNoKey(fixture: Fixture): void {
  const { readable, context, secretStore, ui } = fixture;
  const kept = JSON.stringify([[...secretStore.values], [...context.store.snapshot.targets.values()], ui.seen.copied]);
  const streams = JSON.stringify([...context.store.snapshot.streams.values()]);
  for (const text of [readable(), kept, streams]) assert.ok(!text.includes(KEY));
}

describe('A service that does not say of a stream where it is sent', () => {
  it(
    'is asked once whether it has targets',
    withCommands({}, async (fixture) => {
      const { context, requests } = fixture;
      const targets = targetsOf(context.connection.account);
      for (let turn = 0; turn < 3; turn++) await targets.ensure({ targets: undefined });
      assert.equal(context.store.snapshot.hasTargets, true);
      assert.equal(requests().filter((line) => line.includes('/multistream/target')).length, 1);
    }),
  );

  it(
    'is not asked again if it has none',
    withCommands({ demo: { face: 'strict' } }, async (fixture) => {
      const { context, requests } = fixture;
      const targets = targetsOf(context.connection.account);
      await assert.rejects(targets.ensure({ targets: undefined }));
      await targets.ensure({ targets: undefined });
      assert.deepEqual(requests(), ['GET /api/user/me']);
      const { snapshot } = context.store;
      assert.deepEqual([snapshot.hasTargets, snapshot.abilities.multistream], [false, false]);
    }),
  );
});

describe('A multistream target that was added elsewhere', () => {
  it(
    'is turned off like any other',
    withCommands({}, async (fixture) => {
      const id = await aStream(fixture);
      const target = fixture.service.control.addTarget({ name: 'Elsewhere', url: URL });
      fixture.service.control.setStream(id, { multistream: { targets: [{ id: target.id, profile: 'source' }] } });
      await fixture.run('turnOffMultistreamTarget', { id, targetId: target.id });
      assert.equal(saidIn(fixture), '');
      assert.equal(targetNamed(fixture, 'Elsewhere').disabled, true);
    }),
  );
});

describe('Multistream targets of a stream that have the same name', () => {
  it(
    'are told apart where one is selected to be removed',
    withCommands({ demo: NO_TARGETS }, async (fixture) => {
      const { service, ui, run, context } = fixture;
      const createdAt = context.drawing().now;
      const [shared, own] = [1, 2].map(() => service.control.addTarget({ name: 'Twitch', url: URL, createdAt }).id);
      assert.ok(shared && own);
      await aStream(fixture, [shared], 'Other');
      await run('removeMultistreamTarget', await aStream(fixture, [shared, own]));
      assert.deepEqual(fieldsOf(ui.seen.picks[0]?.items, 'label', 'description'), [
        ['Twitch', 'On · Other'],
        ['Twitch', 'On'],
      ]);
    }),
  );
});

describe('Adding a multistream target', () => {
  it(
    'sends what is given, asks for nothing, reads the stream back, and keeps the URL nowhere',
    withCommands({}, async (fixture) => {
      const { run, ui, requests } = fixture;
      const id = await aStream(fixture);
      fixture.service.control.clearRequests();
      await run('addMultistreamTarget', { id, name: ' Channel ', url: URL, profile: '720p0' });
      const target = targetNamed(fixture, 'Channel');
      assert.equal(target.url, URL);
      assert.deepEqual(usesOf(fixture, id), [{ id: target.id, profile: '720p0' }]);
      assert.deepEqual(knownUses(fixture, id), [{ id: target.id, profile: '720p0' }]);
      assert.deepEqual(ui.seen.flashes, ['Added the target "Channel" to "Talk"']);
      assert.deepEqual([ui.seen.picks, ui.seen.inputs], [[], []]);
      assert.equal(requests().filter((line) => line.startsWith('POST')).length, 1);
      assertNoKey(fixture);
      const { value } = (await fixture.context.connection.account.readStreamJson(id)) ?? {};
      assert.ok(!maskJson(value).masked.includes(KEY));
    }),
  );

  it(
    'goes back step by step, and keeps what was entered as far as it still applies',
    withCommands(
      {
        demo: NO_TARGETS,
        answers: {
          picks: ['YouTube', '720p0', '(back)', 'Twitch', 'Source'],
          inputs: [`${KEY}-1`, '(back)', '(back)', KEY, '(as suggested)'],
        },
      },
      async (fixture) => {
        const { ui } = fixture;
        const id = await aStream(fixture);
        await fixture.run('addMultistreamTarget', id);
        assert.deepEqual(
          ui.seen.picks.map(({ title, step }) => [title, step?.current, step?.total]),
          [undefined, 3, 3, undefined, 3].map((at) => ['Add Multistream Target', at, at && 4]),
          'nobody knows how many boxes follow before it is chosen where to send the broadcasts',
        );
        assert.deepEqual(
          ui.seen.inputs.map(({ step, value, back }) => [step?.current, value, back !== undefined]),
          [
            [2, undefined, true],
            [4, 'YouTube', true],
            [2, `${KEY}-1`, true],
            [2, undefined, true],
            [4, 'Twitch', true],
          ],
          'the key of YouTube is none of Twitch, and the name follows the service',
        );
        const [use] = usesOf(fixture, id);
        const added = fixture.service.control.targets().find((target) => target.id === use?.id);
        assert.deepEqual([added?.name, added?.url], ['Twitch', `rtmp://live.twitch.tv/app/${KEY}`]);
        assert.equal(use?.profile, 'source');
        assertNoKey(fixture);
      },
    ),
  );

  it(
    'offers the targets of the account that the stream lacks, asks for nothing but the rendition, and sends no URL',
    withCommands({ demo: NO_TARGETS, answers: { picks: ['Shared', '720p0'] } }, async (fixture) => {
      const { service, ui, run } = fixture;
      const taken = service.control.addTarget({ name: 'Taken', url: URL });
      const shared = service.control.addTarget({ name: 'Shared', url: URL });
      service.control.addTarget({ name: 'Away', url: URL, disabled: true });
      const id = await aStream(fixture, [taken.id]);
      await run('addMultistreamTarget', id);
      assert.deepEqual(fieldsOf(ui.seen.picks[0]?.items, 'label', 'description', 'isSeparator'), [
        ['New Target', undefined, true],
        ...['YouTube', 'Twitch', 'Facebook'].map((label) => [label, undefined, undefined]),
        ['Other…', 'A URL that starts with rtmp://, rtmps://, or srt://', undefined],
        ['Existing Targets', undefined, true],
        ['Away', 'Off', undefined],
        ['Shared', undefined, undefined],
      ]);
      assert.deepEqual(usesOf(fixture, id)[1], { id: shared.id, profile: '720p0' });
      assert.deepEqual([service.control.targets().length, ui.seen.inputs], [3, []]);
      assert.deepEqual(
        ui.seen.picks.map(({ step }) => [step?.current, step?.total]),
        [
          [undefined, undefined],
          [2, 2],
        ],
        'only a new one has a key and a name',
      );
      assert.deepEqual(ui.seen.flashes, ['Added the target "Shared" to "Talk"']);
      assertNoKey(fixture);
    }),
  );

  it(
    'keeps apart a new target and one of the account that has the same name',
    withCommands({ demo: NO_TARGETS }, async (fixture) => {
      fixture.service.control.addTarget({ name: 'YouTube', url: URL });
      await fixture.run('addMultistreamTarget', await aStream(fixture));
      assert.deepEqual(fieldsOf(fixture.ui.seen.picks[0]?.items, 'label', 'description'), [
        ['New Target', undefined],
        ['YouTube', undefined],
        ['Twitch', undefined],
        ['Facebook', undefined],
        ['Other…', 'A URL that starts with rtmp://, rtmps://, or srt://'],
        ['Existing Targets', undefined],
        ['YouTube', undefined],
      ]);
    }),
  );

  it(
    'tells them apart by streams that are idle too, whose group was never open',
    withCommands({ demo: NO_TARGETS }, async (fixture) => {
      const { service, ui, run, context } = fixture;
      const [used] = [1, 2].map(() => service.control.addTarget({ name: 'Twitch', url: URL }));
      const targets = [{ id: used?.id ?? '', profile: 'source' }];
      service.control.addStream({ name: 'Encore', profiles: LADDER, multistream: { targets } });
      const { baseUrl, apiKey } = service;
      context.connection.open({ id: 'next', name: 'Next', baseUrl, apiKey, insecureAccepted: false });
      const id = await aStream(fixture);
      await run('addMultistreamTarget', id);
      const descriptions = (ui.seen.picks[0]?.items ?? []).map(({ description }) => description);
      assert.ok(descriptions.includes('Encore'), descriptions.join());
    }),
  );

  it(
    'tells existing targets with the same name apart by their streams, or else by when they were created',
    withCommands({ demo: NO_TARGETS }, async (fixture) => {
      const { service, ui, run, context } = fixture;
      const day = 86_400_000;
      const { now: today } = context.drawing();
      const add = (name: string, days: number, disabled = false) =>
        service.control.addTarget({ name, url: URL, createdAt: today - days * day, disabled });
      const used = add('Twitch', 3);
      add('Twitch', 1);
      add('Twitch', 0);
      add('Twitch', 0, true);
      const twins = [add('Twin', 0), add('Twin', 0)];
      await aStream(fixture, [used.id]);
      await run('addMultistreamTarget', await aStream(fixture, [], 'Other'));
      const rows = (ui.seen.picks[0]?.items ?? []).filter(({ label }) => label.startsWith('Tw'));
      const shown = rows.map(({ label, ...row }) => [label, 'description' in row ? row.description : undefined]);
      const isNew = (row: object) => 'icon' in row && row.icon === 'add';
      assert.deepEqual(
        rows.filter(isNew).map(({ label }) => label),
        ['Twitch'],
        'the one for a new target',
      );
      const at = 'Created: Today 10:00';
      assert.deepEqual(
        shown.toSorted(),
        [
          ...twins.map(({ id }) => ['Twin', `${at} · ${id.slice(0, 8)}`]).toSorted(),
          ['Twitch', 'Created: Yesterday 10:00'],
          ['Twitch', at],
          ['Twitch', 'Off'],
          ['Twitch', 'Talk'],
          ['Twitch', undefined],
        ].toSorted(),
      );
    }),
  );

  it(
    'proposes a name that no target of the account has',
    withCommands(
      { demo: NO_TARGETS, answers: { picks: ['Twitch', 'Source'], inputs: [KEY, '(as suggested)'] } },
      async (fixture) => {
        const { service, ui, run } = fixture;
        for (const name of ['twitch', 'Twitch 2', 'Twitch 4']) service.control.addTarget({ name, url: URL });
        await run('addMultistreamTarget', await aStream(fixture));
        assert.equal(ui.seen.inputs[1]?.value, 'Twitch 3');
        assert.equal(targetNamed(fixture, 'Twitch 3').url, `rtmp://live.twitch.tv/app/${KEY}`);
      },
    ),
  );

  it(
    'offers the known services alone if the targets of the account can’t be listed, and where a name is given',
    withCommands(
      { isHurried: true, answers: { picks: ['Twitch', 'Source'], inputs: [KEY, 'Mine'] } },
      async (fixture) => {
        const { service, ui, run } = fixture;
        service.control.addTarget({ name: 'Shared', url: URL });
        service.control.fault(({ method, path }) =>
          method === 'GET' && path.includes('/multistream/target') ? { status: 403 } : undefined,
        );
        const id = await aStream(fixture);
        await run('addMultistreamTarget', id);
        assert.deepEqual([usesOf(fixture, id).length, ui.seen.messages], [1, []]);
        ui.answers.picks.push('YouTube', 'Source');
        ui.answers.inputs.push(KEY);
        await run('addMultistreamTarget', { id, name: 'Given' });
        const offered = ui.seen.picks.filter(({ step }) => step === undefined);
        assert.deepEqual(
          offered.map(({ items }) => items.map(({ label }) => label)),
          [1, 2].map(() => ['YouTube', 'Twitch', 'Facebook', 'Other…']),
        );
      },
    ),
  );

  it(
    'says which name another target of the stream has, also in another case',
    withCommands(
      { demo: NO_TARGETS, answers: { picks: ['Twitch', 'Source'], inputs: [KEY, 'twitch'] } },
      async (fixture) => {
        const taken = fixture.service.control.addTarget({ name: 'Twitch', url: URL });
        const id = await aStream(fixture, [taken.id]);
        await fixture.run('addMultistreamTarget', id);
        const warn = fixture.ui.seen.inputs[1]?.warn;
        assert.equal(
          warn?.(' twitch '),
          'This stream already has a target named "Twitch". You can still use this name.',
        );
        assert.equal(warn?.('Second'), undefined);
        assert.deepEqual(knownUses(fixture, id)?.length, 2);
      },
    ),
  );

  for (const [service, url] of [
    ['YouTube', `rtmps://a.rtmps.youtube.com:443/live2/${KEY}`],
    ['Twitch', `rtmp://live.twitch.tv/app/${KEY}`],
    ['Facebook', `rtmps://live-api-s.facebook.com:443/rtmp/${KEY}`],
  ] as const) {
    it(
      `asks for the key of ${service} alone, hidden`,
      withCommands(
        { demo: NO_TARGETS, answers: { picks: [service, '720p0'], inputs: ['rtmp://x/y/z', KEY, 'Channel'] } },
        async (fixture) => {
          const id = await aStream(fixture);
          await fixture.run('addMultistreamTarget', id);
          assert.equal(targetNamed(fixture, 'Channel').url, url);
          assert.equal(usesOf(fixture, id)[0]?.profile, '720p0');
          assert.deepEqual(
            fixture.ui.seen.inputs.map(({ isPassword }) => isPassword === true),
            [true, false],
          );
          assert.equal(fixture.ui.seen.inputs[1]?.value, service);
          assert.deepEqual(fixture.ui.seen.corrections, ['Enter only the stream key, without the URL.']);
          assertNoKey(fixture);
        },
      ),
    );
  }

  it(
    'asks for the URL of another server, and then for its key, hidden',
    withCommands(
      {
        demo: NO_TARGETS,
        answers: {
          picks: ['Other…', 'Source'],
          inputs: ['http://live.example/app', 'rtmps://live.example', 'rtmps://live.example:443/app', KEY, 'Channel'],
        },
      },
      async (fixture) => {
        const { ui, run } = fixture;
        const id = await aStream(fixture);
        await run('addMultistreamTarget', { id });
        assert.equal(targetNamed(fixture, 'Channel').url, URL);
        assert.deepEqual(
          ui.seen.inputs.map(({ step, isPassword, value }) => [step?.current, step?.total, isPassword === true, value]),
          [
            [2, 5, false, ''],
            [3, 5, true, undefined],
            [5, 5, false, 'live.example'],
          ],
        );
        assert.match(ui.seen.inputs[1]?.prompt ?? '', /^Enter your live\.example stream key\. /);
        assert.equal(ui.seen.inputs[0]?.warn?.('rtmps://live.example:443/app'), undefined);
        assert.deepEqual(ui.seen.corrections, [
          'The URL must start with rtmp://, rtmps://, or srt://.',
          'Enter a URL like rtmps://example.com/live.',
        ]);
        assertNoKey(fixture);
      },
    ),
  );

  it(
    'takes a URL that ends with the key, says to remove the key, and shows the key in no box again',
    withCommands(
      {
        demo: NO_TARGETS,
        answers: {
          picks: ['Other…', '(back)', 'Source'],
          inputs: [URL, '', '(back)', '(as suggested)', '(as suggested)', 'Channel'],
        },
      },
      async (fixture) => {
        const { ui, run } = fixture;
        const id = await aStream(fixture);
        await run('addMultistreamTarget', { id });
        const [server, key] = ui.seen.inputs;
        assert.equal(
          server?.warn?.(URL),
          "If the URL ends with the stream key, remove the key. You'll enter it in the next step.",
        );
        assert.match(key?.prompt ?? '', /, or leave the box empty if the URL ends with it\./);
        assert.deepEqual(
          ui.seen.inputs.slice(2).map(({ isPassword, value }) => [isPassword === true, value]),
          [
            [true, KEY],
            [false, 'rtmps://live.example:443/app'],
            [true, KEY],
            [false, 'live.example'],
          ],
        );
        assert.equal(targetNamed(fixture, 'Channel').url, URL);
        assertNoKey(fixture);
      },
    ),
  );

  it(
    'keeps what belongs to the server before a key that is entered',
    withCommands(
      {
        demo: NO_TARGETS,
        answers: { picks: ['Other…', 'Source'], inputs: ['rtmp://live.example/app/instance', KEY, 'Channel'] },
      },
      async (fixture) => {
        await fixture.run('addMultistreamTarget', { id: await aStream(fixture) });
        assert.equal(targetNamed(fixture, 'Channel').url, `rtmp://live.example/app/instance/${KEY}`);
      },
    ),
  );

  it(
    'asks for the stream ID of an SRT server, and moves one in the URL there, hidden',
    withCommands(
      {
        demo: NO_TARGETS,
        answers: {
          picks: ['Other…', 'Source'],
          inputs: [`srt://live.example:9000?streamid=${KEY}&mode=caller`, '(back)', '(as suggested)'],
        },
      },
      async (fixture) => {
        const { ui, run } = fixture;
        ui.answers.inputs.push('(as suggested)', 'Channel');
        await run('addMultistreamTarget', { id: await aStream(fixture) });
        assert.deepEqual(
          ui.seen.inputs.slice(1, 4).map(({ isPassword, value }) => [isPassword === true, value]),
          [
            [true, KEY],
            [false, 'srt://live.example:9000?mode=caller'],
            [true, KEY],
          ],
        );
        assert.match(
          ui.seen.inputs[1]?.prompt ?? '',
          /^Enter the SRT stream ID for live\.example, which serves as the stream key\. /,
        );
        assert.equal(targetNamed(fixture, 'Channel').url, `srt://live.example:9000?mode=caller&streamid=${KEY}`);
        assertNoKey(fixture);
      },
    ),
  );

  it(
    'refuses what can’t be a target before anything is sent, and repeats none of it',
    withCommands({}, async (fixture) => {
      const { run, service, requests } = fixture;
      const id = await aStream(fixture);
      service.control.clearRequests();
      for (const given of [
        { url: `https://live.example/app/${KEY}` },
        { url: `rtmps://user:${KEY}@live.example/app/key` },
        { url: `rtmps://live.example/${KEY}` },
        { url: URL, name: ' ' },
        { url: URL, profile: 'no such' },
      ]) {
        await run('addMultistreamTarget', { id, name: 'Channel', ...given });
      }
      assert.deepEqual(requests(), []);
      assert.deepEqual(fixture.ui.seen.messages, [
        'The URL must start with rtmp://, rtmps://, or srt://.',
        "The URL can't contain a user name or password.",
        'The stream key is missing at the end of the URL.',
        'Enter a name.',
        'The stream has no rendition "no such". Available renditions: source, 720p0.',
      ]);
      assertNoKey(fixture);
    }),
  );

  it(
    'counts as done if the response is lost and the stream shows it, and is sent once',
    withCommands({ isHurried: true }, async (fixture) => {
      const { run, service, requests, ui } = fixture;
      const id = await aStream(fixture);
      const { id: made } = service.control.addTarget({ name: 'Channel', url: URL });
      service.control.fault(({ method }) => {
        if (method !== 'POST') return undefined;
        service.control.setStream(id, { multistream: { targets: [{ id: made, profile: 'source' }] } });
        return { status: 500 };
      });
      await run('addMultistreamTarget', { id, name: 'Channel', url: URL });
      assert.deepEqual(ui.seen.flashes, ['Added the target "Channel" to "Talk"']);
      assert.equal(requests().filter((line) => line.startsWith('POST')).length, 1);
    }),
  );

  it(
    'says that the target may have been added if the response is lost and the stream doesn’t show it',
    withCommands({ isHurried: true }, async (fixture) => {
      const { run, service } = fixture;
      const id = await aStream(fixture);
      service.control.fault(({ method }) => (method === 'POST' ? { status: 500 } : undefined));
      await run('addMultistreamTarget', { id, name: 'Channel', url: URL });
      assert.match(saidIn(fixture), /The change may still have been applied\. Refresh to check\./);
      assert.deepEqual(fixture.ui.seen.said[0]?.actions, ['Refresh', 'Show Log']);
      assertNoKey(fixture);
    }),
  );

  it(
    'says in words why the service rejects a target, without the URL that the service repeats',
    withCommands({}, async (fixture) => {
      const { run, service } = fixture;
      const id = await aStream(fixture);
      for (const url of [`srt://live.example:9000?mode=caller&streamid=${KEY}`, URL]) {
        const body = JSON.stringify({ errors: [`Bad URL ${url}: the key ${KEY} is no good`] });
        service.control.fault(({ method }) => (method === 'POST' ? { status: 422, body } : undefined));
        await run('addMultistreamTarget', { id, name: 'Channel', url });
        assert.match(fixture.ui.seen.messages.at(-1) ?? '', /Bad URL .*is no good/);
        assertNoKey(fixture);
      }
    }),
  );

  it(
    'says that the service has no multistream targets, and hides the commands until a refresh',
    withCommands({ demo: { face: 'strict' } }, async (fixture) => {
      const { run, context, requests } = fixture;
      const id = await aStream(fixture);
      for (const [command, given] of [
        ['addMultistreamTarget', { name: 'Channel', url: URL }],
        ['addMultistreamTarget', { name: 'Channel', url: URL, targetId: 't' }],
        ['removeMultistreamTarget', { targetId: 't' }],
        ['turnOnMultistreamTarget', { targetId: 't' }],
      ] as const) {
        await run(command, { id, ...given });
      }
      assert.deepEqual(fixture.ui.seen.messages, Array(4).fill("Production doesn't support multistream targets."));
      assert.equal(requests().filter((line) => line.startsWith('POST')).length, 1);
      assert.equal(context.store.snapshot.abilities.multistream, false);
      await run('refresh');
      assert.equal(context.store.snapshot.abilities.multistream, true);
    }),
  );
});

describe('Changing a multistream target', () => {
  const OTHER_KEY = 'planted-new-key-77aa';
  const assertNowhere = (fixture: Fixture) => {
    assertNoKey(fixture);
    assert.ok(!fixture.readable().includes(OTHER_KEY));
  };

  it(
    'asks for its new key, hidden, offers its name, and keeps it on its streams and in its state',
    withCommands(
      { demo: NO_TARGETS, answers: { picks: ['Twitch'], inputs: [OTHER_KEY, 'Second channel'] } },
      async (fixture) => {
        const { run, service, context, ui, requests } = fixture;
        const { id: targetId, createdAt } = service.control.addTarget({ name: 'Channel', url: URL, disabled: true });
        const id = await aStream(fixture, [targetId]);
        await run('addMultistreamTarget', { id, targetId });
        const target = targetNamed(fixture, 'Second channel');
        const url = `rtmp://live.twitch.tv/app/${OTHER_KEY}`;
        assert.deepEqual([target.id, target.url, target.disabled], [targetId, url, true]);
        const known = { id: targetId, name: 'Second channel', isDisabled: true, createdAt };
        assert.deepEqual(context.store.snapshot.targets.get(targetId), known);
        assert.deepEqual(usesOf(fixture, id), [{ id: targetId, profile: 'source' }]);
        assert.deepEqual(
          ui.seen.inputs.map(({ title, isPassword, value }) => [title, isPassword === true, value]),
          [
            ['Edit Multistream Target', true, undefined],
            ['Edit Multistream Target', false, 'Channel'],
          ],
        );
        assert.deepEqual(ui.seen.flashes, ['Updated the target "Second channel"']);
        assert.equal(requests().filter((line) => line.startsWith('PATCH')).length, 1);
        assertNowhere(fixture);
      },
    ),
  );

  it(
    'sends a URL that is given without asking, and keeps the name',
    withCommands({}, async (fixture) => {
      const { run, service, ui } = fixture;
      const { id: targetId } = service.control.addTarget({ name: 'Channel', url: URL });
      const id = await aStream(fixture, [targetId]);
      const url = `srt://live.example:9000?streamid=${OTHER_KEY}`;
      await run('addMultistreamTarget', { id, targetId, url });
      assert.equal(targetNamed(fixture, 'Channel').url, url);
      assert.deepEqual([ui.seen.picks, ui.seen.inputs, ui.seen.questions], [[], [], []]);
      await run('addMultistreamTarget', { id, targetId, url: `https://live.example/app/${OTHER_KEY}` });
      assert.equal(targetNamed(fixture, 'Channel').url, url);
      assert.match(saidIn(fixture), /The URL must start with rtmp/);
      assertNowhere(fixture);
    }),
  );

  it(
    'asks first if other streams use it, too',
    withCommands({ demo: NO_TARGETS, answers: { confirms: [false] } }, async (fixture) => {
      const { run, service, ui } = fixture;
      const { id: targetId } = service.control.addTarget({ name: 'Channel', url: URL });
      const id = await aStream(fixture, [targetId]);
      await aStream(fixture, [targetId], 'Other talk');
      await run('addMultistreamTarget', { id, targetId, url: `${URL}-2` });
      assert.deepEqual(
        [ui.seen.questions[0]?.message, ui.seen.questions[0]?.act],
        ['Change the target "Channel"?', 'Change'],
      );
      assert.equal(targetNamed(fixture, 'Channel').url, URL);
    }),
  );

  it(
    'is offered where a target is picked',
    withCommands(
      { answers: { picks: ['Channel > Edit Multistream Target', 'Twitch'], inputs: [OTHER_KEY, 'New'] } },
      async (fixture) => {
        const { run, service } = fixture;
        const { id: targetId } = service.control.addTarget({ name: 'Channel', url: URL });
        const id = await aStream(fixture, [targetId]);
        await run('removeMultistreamTarget', id);
        assert.equal(targetNamed(fixture, 'New').url, `rtmp://live.twitch.tv/app/${OTHER_KEY}`);
        assert.equal(usesOf(fixture, id).length, 1, 'not removed');
      },
    ),
  );

  it(
    'says to change it again if the response is lost, as nobody can read the URL back',
    withCommands({ isHurried: true }, async (fixture) => {
      const { run, service, requests } = fixture;
      const { id: targetId } = service.control.addTarget({ name: 'Channel', url: URL });
      const id = await aStream(fixture, [targetId]);
      service.control.fault(({ method }) => (method === 'PATCH' ? { status: 500 } : undefined));
      await run('addMultistreamTarget', { id, targetId, url: `rtmp://live.example/app/${OTHER_KEY}` });
      assert.match(saidIn(fixture), /may still have been applied\. To make sure, change the target again\./);
      assert.equal(requests().filter((line) => line.startsWith('PATCH')).length, 1);
      assertNowhere(fixture);
    }),
  );

  for (const status of [405, 501]) {
    it(
      `is no longer offered once the service has answered ${status}`,
      withCommands({}, async (fixture) => {
        const { run, service, context } = fixture;
        const { id: targetId } = service.control.addTarget({ name: 'Channel', url: URL });
        const id = await aStream(fixture, [targetId]);
        service.control.fault(({ method }) => (method === 'PATCH' ? { status } : undefined));
        await run('addMultistreamTarget', { id, targetId, url: `rtmp://live.example/app/${OTHER_KEY}` });
        assert.equal(saidIn(fixture), "Production doesn't support multistream targets.");
        assert.equal(context.store.snapshot.abilities.multistream, false);
        assertNowhere(fixture);
      }),
    );
  }
});

describe('A multistream target', () => {
  it(
    'is turned off and on, and says so in the snapshot',
    withCommands({}, async (fixture) => {
      const { run, service, context, ui } = fixture;
      const { id: targetId } = service.control.addTarget({ name: 'Channel', url: URL });
      const id = await aStream(fixture, [targetId]);
      for (const [command, disabled] of [
        ['turnOffMultistreamTarget', true],
        ['turnOnMultistreamTarget', false],
      ] as const) {
        await run(command, { id, targetId });
        assert.equal(targetNamed(fixture, 'Channel').disabled, disabled);
        assert.equal(context.store.snapshot.targets.get(targetId)?.isDisabled, disabled);
      }
      assert.deepEqual(ui.seen.flashes, ['Turned off the target "Channel"', 'Turned on the target "Channel"']);
      assert.deepEqual(ui.seen.questions, []);
    }),
  );

  it(
    'is turned off after a question that names the other streams with the same target',
    withCommands({ demo: NO_TARGETS, answers: { confirms: [false] } }, async (fixture) => {
      const { run, service, ui } = fixture;
      const { id: targetId } = service.control.addTarget({ name: 'Channel', url: URL });
      const id = await aStream(fixture, [targetId]);
      await aStream(fixture, [targetId], 'Other talk');
      await run('turnOffMultistreamTarget', { id, targetId });
      assert.equal(ui.seen.questions[0]?.detail, 'Changes to this target also affect these streams: Other talk.');
      assert.equal(targetNamed(fixture, 'Channel').disabled, false);
    }),
  );

  it(
    'is turned off during a broadcast after a question, and turned on without one',
    withCommands({ demo: NO_TARGETS, answers: { confirms: [false, true] } }, async (fixture) => {
      const { run, service, ui, context } = fixture;
      const { id: targetId } = service.control.addTarget({ name: 'Channel', url: URL });
      const id = await aStream(fixture, [targetId]);
      service.control.startBroadcast(id);
      await context.loader.reloadList('active');
      await run('turnOffMultistreamTarget', { id, targetId });
      assert.equal(ui.seen.questions[0]?.message, 'Turn off the target "Channel"?');
      assert.equal(ui.seen.questions[0]?.detail, '"Talk" is live. The target will stop receiving it.');
      assert.equal(targetNamed(fixture, 'Channel').disabled, false);
      await run('turnOffMultistreamTarget', { id, targetId });
      assert.equal(targetNamed(fixture, 'Channel').disabled, true);
      await run('turnOnMultistreamTarget', { id, targetId });
      assert.equal(ui.seen.questions.length, 2);
    }),
  );

  it(
    'is turned off after that question also while no idle stream has been loaded',
    withCommands({ demo: NO_TARGETS, answers: { confirms: [false] } }, async (fixture) => {
      const { run, service, context, ui } = fixture;
      const { id: targetId } = service.control.addTarget({ name: 'Channel', url: URL });
      const targets = [{ id: targetId, profile: 'source' }];
      service.control.addStream({ name: 'Other talk', profiles: LADDER, multistream: { targets } });
      const { baseUrl, apiKey } = service;
      context.connection.open({ id: 'next', name: 'Next', baseUrl, apiKey, insecureAccepted: false });
      const id = await aStream(fixture, [targetId]);
      assert.equal(context.store.snapshot.lists.idle.isLoaded, false);
      await run('turnOffMultistreamTarget', { id, targetId });
      assert.equal(ui.seen.questions[0]?.detail, 'Changes to this target also affect these streams: Other talk.');
    }),
  );

  it(
    'is picked among those of the stream that can be turned on',
    withCommands({ demo: NO_TARGETS, answers: { picks: ['Second'] } }, async (fixture) => {
      const { run, service, ui } = fixture;
      const names = ['First', 'Second', 'Of another stream'];
      const ids = names.map((name) => service.control.addTarget({ name, url: URL, disabled: name !== 'First' }).id);
      const id = await aStream(fixture, ids.slice(0, 2));
      await run('turnOnMultistreamTarget', id);
      assert.equal(targetNamed(fixture, 'Second').disabled, false);
      assert.deepEqual(fieldsOf(ui.seen.picks[0]?.items, 'label'), ['Second']);
      await run('turnOnMultistreamTarget', id);
      assert.match(saidIn(fixture), /"Talk" has no multistream target that you can turn on\./);
    }),
  );

  it(
    'is removed from its stream alone, after a question',
    withCommands({ demo: NO_TARGETS, answers: { confirms: [false, true] } }, async (fixture) => {
      const { run, service, ui } = fixture;
      const { id: targetId } = service.control.addTarget({ name: 'Channel', url: URL });
      const id = await aStream(fixture, [targetId]);
      await run('removeMultistreamTarget', { id, targetId });
      assert.equal(usesOf(fixture, id).length, 1);
      await run('removeMultistreamTarget', { id, targetId });
      assert.deepEqual([usesOf(fixture, id), knownUses(fixture, id)], [[], []]);
      assert.equal(ui.seen.questions[0]?.message, 'Remove the target "Channel" from "Talk"?');
      assert.equal(targetNamed(fixture, 'Channel').url, URL);
      await run('removeMultistreamTarget', { id, targetId });
      assert.match(saidIn(fixture), /The stream no longer has this multistream target\./);
      await run('removeMultistreamTarget', id);
      assert.match(saidIn(fixture), /"Talk" has no multistream targets\./);
      await run('turnOffMultistreamTarget', id);
      assert.match(saidIn(fixture), /"Talk" has no multistream target that you can turn off\./);
    }),
  );

  it(
    'counts as turned off if the response is lost and the service shows the target as off',
    withCommands({ isHurried: true }, async (fixture) => {
      const { run, service, requests, ui } = fixture;
      const { id: targetId } = service.control.addTarget({ name: 'Channel', url: URL });
      const id = await aStream(fixture, [targetId]);
      service.control.fault(({ method, path }) => {
        if (method === 'PATCH') return { status: 500 };
        if (!path.endsWith(targetId)) return undefined;
        return { status: 200, body: JSON.stringify({ id: targetId, name: 'Channel', disabled: true }) };
      });
      await run('turnOffMultistreamTarget', { id, targetId });
      assert.deepEqual(ui.seen.flashes, ['Turned off the target "Channel"']);
      assert.equal(requests().filter((line) => line.startsWith('PATCH')).length, 1);
    }),
  );
});
