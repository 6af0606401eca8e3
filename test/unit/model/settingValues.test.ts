import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import manifest from '../../../package.json' with { type: 'json' };
import {
  addressesWith,
  DEFAULT_SETTINGS,
  NOTIFICATION_KINDS,
  PAGE_SIZE,
  REFRESH_SECONDS,
  readAddresses,
  readAgentAccess,
  readBoolean,
  readNetworkClient,
  readNotifications,
  readNumber,
  readProgram,
  readRefreshInterval,
  readWholeNumber,
  settingsFrom,
  TIMEOUT_SECONDS,
} from '../../../src/model/settingValues.ts';
import { inProject } from '../../support/projectFolder.ts';

describe('The client from the settings', () => {
  it('is one that there is, else the default; the log is told', () => {
    assert.deepEqual(readNetworkClient('editor'), { value: 'editor' });
    assert.deepEqual(readNetworkClient('undici'), { value: 'undici' });
    assert.deepEqual(readNetworkClient(undefined), { value: 'undici' });
    for (const written of ['Editor', 5, null, ['editor']]) {
      const { value, problem } = readNetworkClient(written);
      assert.equal(value, 'undici');
      assert.match(problem ?? '', /"undici" is used$/);
    }
  });
});

describe('The tools for agents from the settings', () => {
  it('are those that read for anything else than the words there are', () => {
    for (const word of ['off', 'read', 'readAndChange']) assert.deepEqual(readAgentAccess(word), { value: word });
    assert.deepEqual(readAgentAccess(undefined), { value: 'read' });
    for (const written of ['Off', 'change', true, null, ['readAndChange']]) {
      const { value, problem } = readAgentAccess(written);
      assert.equal(value, 'read');
      assert.match(problem ?? '', /"read" is used$/);
    }
  });
});

describe('A number from the settings', () => {
  it('is used as it is within its range', () => {
    assert.deepEqual(readNumber(20, TIMEOUT_SECONDS), { value: 20 });
    assert.deepEqual(readNumber(0.5, { standard: 3, least: 0, most: 1 }), { value: 0.5 });
  });

  it('is moved into its range, and the log is told', () => {
    for (const [written, value] of [
      [0.001, 20],
      [-5, 20],
      [1e9, 1000],
      [Number.POSITIVE_INFINITY, 1000],
    ] as const) {
      const read = readNumber(written, PAGE_SIZE);
      assert.equal(read.value, value);
      assert.match(read.problem ?? '', /^is not between 20 and 1000: \d+ is used$/);
    }
  });

  it('is the default where none was written, without a word', () => {
    assert.deepEqual(readNumber(undefined, PAGE_SIZE), { value: 500 });
  });

  it('is the default where something else was written, which the log names by its type alone', () => {
    for (const written of ['a-secret', null, [1], {}, true, Number.NaN]) {
      const read = readNumber(written, PAGE_SIZE);
      assert.equal(read.value, 500);
      assert.match(read.problem ?? '', /not a number: 500 is used/);
      assert.doesNotMatch(read.problem ?? '', /a-secret/);
    }
  });

  it('is rounded where a whole one is due', () => {
    assert.equal(readWholeNumber(20.4, PAGE_SIZE).value, 20);
    assert.equal(readWholeNumber('20', PAGE_SIZE).value, 500);
  });
});

describe('A switch from the settings', () => {
  it('takes true and false, and the default for anything else', () => {
    assert.deepEqual(readBoolean(true, false), { value: true });
    assert.deepEqual(readBoolean(undefined, true), { value: true });
    assert.equal(readBoolean('true', false).value, false);
    assert.match(readBoolean('true', false).problem ?? '', /not true or false/);
  });
});

describe('The interval between looks', () => {
  it('is 0, or within its range', () => {
    assert.deepEqual(readRefreshInterval(0), { value: 0 });
    assert.deepEqual(readRefreshInterval(undefined), { value: 15 });
    assert.deepEqual(readRefreshInterval(7.5), { value: 7.5 });
    for (const [written, value] of [
      [0.001, 5],
      [4.9, 5],
      [-1, 0],
      [Number.NEGATIVE_INFINITY, 0],
      [1e9, 3600],
      ['abc', 15],
      [null, 15],
      [Number.NaN, 15],
    ] as const) {
      const read = readRefreshInterval(written);
      assert.equal(read.value, value);
      assert.ok(read.problem);
    }
  });
});

describe('The notifications from the settings', () => {
  it('are the words that are known, each once', () => {
    assert.deepEqual(readNotifications(undefined), { value: new Set() });
    assert.deepEqual(readNotifications(['streamEnded', 'streamEnded']), { value: new Set(['streamEnded']) });
    assert.deepEqual(readNotifications([...NOTIFICATION_KINDS]).value, new Set(NOTIFICATION_KINDS));
  });

  it('leave out values of another type, and say so without repeating the value', () => {
    const { value, problem } = readNotifications(['a-secret', 5, 'recordingReady']);
    assert.deepEqual(value, new Set(['recordingReady']));
    assert.match(problem ?? '', /unknown values/);
    assert.doesNotMatch(problem ?? '', /a-secret/);
    for (const written of ['streamStarted', null, {}, true, 1]) {
      assert.equal(readNotifications(written).value.size, 0);
      assert.match(readNotifications(written).problem ?? '', /not a list/);
    }
  });
});

describe('The addresses to write to the settings', () => {
  const origin = 'https://a.example';

  it('join those of the origin that are written, however its key is', () => {
    const written = { 'https://a.example/api/': { player: 'https://p.example', hls: 'https://old.example' } };
    assert.deepEqual(addressesWith(written, origin, { rtmp: 'rtmp://a.example', hls: 'https://new.example' }), {
      'https://a.example/api/': { player: 'https://p.example', hls: 'https://new.example', rtmp: 'rtmp://a.example' },
    });
  });

  it('leave other services and what cannot be read as they are', () => {
    const written = { 'https://b.example': { hls: 'https://b.example' }, nonsense: 5 };
    assert.deepEqual(addressesWith(written, origin, { hls: 'https://a.example' }), {
      ...written,
      [origin]: { hls: 'https://a.example' },
    });
    for (const other of [undefined, 'text', []]) {
      assert.deepEqual(addressesWith(other, origin, { hls: 'h' }), { [origin]: { hls: 'h' } });
    }
  });

  it('lose those that are removed', () => {
    const written = { [origin]: { rtmp: 'rtmp://a.example', hls: 'https://a.example' } };
    assert.deepEqual(addressesWith(written, origin, { rtmp: undefined }), { [origin]: { hls: 'https://a.example' } });
    assert.deepEqual(addressesWith(written, origin, { rtmp: undefined, hls: undefined }), {});
  });
});

describe('The addresses from the settings', () => {
  it('stand by the origin of the base URL, whatever path it was written with', () => {
    const { value, problem } = readAddresses({
      'https://Video.example.com/api/': { hls: ' https://cdn/{playbackId} ' },
    });
    assert.deepEqual(value, { 'https://video.example.com': { hls: 'https://cdn/{playbackId}' } });
    assert.equal(problem, undefined);
  });

  it('leave out what is wrong and keep the rest, and say so once', () => {
    const { value, problem } = readAddresses({
      'not an address': { hls: 'x' },
      'file:///etc': { hls: 'x' },
      'https://a.example': 'https://a.example',
      'https://b.example': { hls: 5, player: null, keys: 'https://b.example/keys', dashboard: ' ' },
    });
    assert.deepEqual(value, { 'https://b.example': { keys: 'https://b.example/keys' } });
    assert.match(problem ?? '', /"hls".*"player"|"player".*"hls"/);
  });

  it('are none where something else than an object was written', () => {
    for (const written of ['https://a.example', 5, null, ['https://a.example']]) {
      const { value, problem } = readAddresses(written);
      assert.deepEqual(value, {});
      assert.match(problem ?? '', /not an object/);
    }
  });

  it('are not tricked by names that every object has', () => {
    const { value } = readAddresses(JSON.parse('{"__proto__": {"hls": "x"}, "https://a.example": {"__proto__": 1}}'));
    assert.deepEqual(value, { 'https://a.example': {} });
  });
});

describe('The declared settings', () => {
  const declared = manifest.contributes.configuration.properties;

  it('have the defaults that their readers have, and a row in the table of the documentation', () => {
    const defaults = new Map<string, unknown>(Object.entries(declared).map(([key, each]) => [key, each.default]));
    const table = readFileSync(inProject('.github/docs/settings.md'), 'utf8');
    const read: string[] = [];
    const settings = settingsFrom((key, decode) => {
      read.push(key);
      const { value, problem } = decode(defaults.get(`liveStreams.${key}`));
      assert.deepEqual([key, value, problem], [key, decode(undefined).value, undefined]);
      assert.ok(table.includes(`| \`liveStreams.${key}\` |`), key);
      return value;
    });
    assert.deepEqual(settings.values(), DEFAULT_SETTINGS);
    assert.ok(settings.leakGuard('') && settings.leakGuardExclude('').length > 0);
    assert.deepEqual(read.map((key) => `liveStreams.${key}`).sort(), [...defaults.keys()].sort());
  });

  it('have the ranges and defaults that the code has', () => {
    const { default: standard, minimum: least, maximum: most } = declared['liveStreams.pageSize'];
    assert.deepEqual({ standard, least, most }, PAGE_SIZE);
    const timeout = declared['liveStreams.network.timeout'];
    assert.deepEqual({ standard: timeout.default, least: timeout.minimum, most: timeout.maximum }, TIMEOUT_SECONDS);
  });

  it('offer 0 and the range of looks, and every kind of notification', () => {
    const { default: standard, minimum, maximum } = declared['liveStreams.refreshInterval'];
    assert.deepEqual([standard, minimum, maximum], [REFRESH_SECONDS.standard, 0, REFRESH_SECONDS.most]);
    const { items, default: chosen, scope } = declared['liveStreams.notifications'];
    assert.deepEqual([items.enum, chosen, scope], [NOTIFICATION_KINDS, [], 'application']);
  });

  it('are out of a workspace’s reach if they decide where the key is sent', () => {
    assert.equal(declared['liveStreams.addresses'].scope, 'application');
    assert.equal(declared['liveStreams.agentTools'].scope, 'application');
    assert.equal(declared['liveStreams.network.timeout'].scope, 'application');
    assert.equal(declared['liveStreams.network.client'].scope, 'application');
  });
});

describe('A program from the settings', () => {
  it('is the one on the PATH, unless a path was written', () => {
    assert.deepEqual(readProgram(undefined), { value: 'ffmpeg' });
    assert.deepEqual(readProgram('  '), { value: 'ffmpeg' });
    assert.deepEqual(readProgram('/opt/ffmpeg '), { value: '/opt/ffmpeg' });
    assert.match(readProgram(['/opt/ffmpeg']).problem ?? '', /not a path/);
  });
});
