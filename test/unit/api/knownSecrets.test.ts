import assert from 'node:assert/strict';
import { isApiError } from '../../../src/api/errors.ts';
import { KnownSecrets } from '../../../src/api/knownSecrets.ts';
import { StreamApi } from '../../../src/api/streamApi.ts';
import type { Transport } from '../../../src/services.ts';
import { fakeLog } from '../../support/model/fakes.ts';
import { createTestClock } from '../../support/model/testClock.ts';
import { apiOver, type Canned, KEY } from './support.ts';

const PARENT = { id: 'p', streamKey: 'parent-key-01' };
const STREAM = { id: 'a', streamKey: 'odd-key', pull: { headers: { 'x-api': 'Token pull-credential' } } };

describe("The service's words about a change", () => {
  it('hold none of the secrets that were in earlier answers', async () => {
    const secrets = [KEY, 'odd-key', 'pull-credential', 'parent-key-01'];
    const answers: Canned[] = [
      { body: [STREAM] },
      { body: [{ id: 's', parentStream: PARENT }] },
      { status: 422, body: { errors: secrets.map((secret) => `"${secret}" is bad`) } },
    ];
    const { api } = apiOver((_request, count) => answers[count - 1] ?? {});
    await api.listStreams({ parentsOnly: true });
    await api.listUserSessions();
    const error = await api.patchStream('a', { name: 'x' }).catch((thrown: unknown) => thrown);
    assert.ok(isApiError(error));
    assert.equal(error.detail, '"…" is bad; "…" is bad; "…" is bad; "…" is bad');
  });
});

describe('Secrets nobody has met yet', () => {
  const strip = (text: string) => {
    const secrets = new KnownSecrets();
    secrets.noteKey(KEY);
    return secrets.strip(text);
  };

  it('are known by their form: stream keys, and what comes behind Bearer', () => {
    assert.equal(strip('no stream abcd-1234-efgh-5678 here'), 'no stream … here');
    assert.equal(strip('authorization: Bearer abc.def refused'), 'authorization: Bearer … refused');
  });

  it('are known by where they stand in an address', () => {
    const told =
      'see https://user:word@cam.example/x?sig=abc and rtmp://in.example/live/some_key or https://docs.example/a';
    const expected = 'see https://…@cam.example/x?… and rtmp://in.example/live/… or https://docs.example/a';
    assert.equal(strip(told), expected);
  });

  it('are known whatever the case of their address, their form or the word before them', () => {
    assert.equal(
      strip('RTMP://in.example/Live/some_key SRT://in.example/x'),
      'RTMP://in.example/Live/… SRT://in.example/…',
    );
    assert.equal(strip('ABCD-1234-EFGH-5678'), '…');
    assert.equal(strip('BEARER abc.def'), 'BEARER …');
  });

  it('are not taken for ids', () => {
    const words = 'stream 3c9f2a10-1b2c-4d5e-8f90-a1b2c3d4e5f6 of rather-long-word-with-hyphens';
    assert.equal(strip(words), words);
  });
});

describe('Secrets that another connection of the window has met', () => {
  it('are left out of what is said about a key that was typed, which is left out of nothing else', () => {
    const window = new KnownSecrets();
    window.noteKey(KEY);
    const typed = new KnownSecrets(window);
    typed.noteKey('e');
    assert.equal(typed.strip(`refused ${KEY}`), 'r…fus…d …');
    assert.equal(window.strip(`refused ${KEY}`), 'refused …');
  });

  it('are left out of what is said of this one', async () => {
    const secrets = new KnownSecrets();
    secrets.noteKey(KEY);
    secrets.note({ pull: { headers: { authorization: 'planted-credential' } } });
    const transport: Transport = {
      send: async () => ({
        status: 403,
        headers: {},
        body: new TextEncoder().encode(JSON.stringify({ errors: ['no planted-credential here'] })),
      }),
    };
    const options = { baseUrl: 'https://service.test/api', apiKey: 'another-key', transport, clock: createTestClock() };
    const api = new StreamApi({ ...options, log: fakeLog(), secrets });
    const error = await api.getStream('a').catch((thrown: unknown) => thrown);
    assert.ok(isApiError(error));
    assert.equal(error.detail, 'no … here');
  });
});
