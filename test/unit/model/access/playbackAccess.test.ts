import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { KnownSecrets } from '../../../../src/api/knownSecrets.ts';
import { PlaybackAccess } from '../../../../src/model/access/playbackAccess.ts';
import type { PrivateSigningKey } from '../../../../src/model/access/privateKey.ts';
import type { Secrets } from '../../../../src/services.ts';
import { fakeLog, fakeSecrets } from '../../../support/model/fakes.ts';
import { heldClock } from '../../../support/model/heldClock.ts';

const HOUR_S = 3600;

function makeKey(id: string): PrivateSigningKey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return { id, name: id, publicKey: btoa(publicKey), privateKey };
}

function compose(overrides: Partial<Secrets> = {}) {
  const [clock, log, known, storage] = [heldClock(), fakeLog(), new KnownSecrets(), fakeSecrets()];
  const open = () => new PlaybackAccess({ clock, log, known, secrets: storage.window(overrides) });
  return { clock, log, known, storage, open, access: open() };
}

describe('The signing keys on this computer', () => {
  it('belong to a connection, and the one that was kept last signs', async () => {
    const { access, clock, open } = compose();
    const [first, second, other] = [makeKey('first'), makeKey('second'), makeKey('other')];
    await access.keep('one', first);
    await clock.advance(1);
    await access.keep('one', second);
    await access.keep('one-more', other);
    assert.deepEqual({ ...(await open().keyOf('one')) }, { ...second, keptAt: clock.now() }, 'in the next window');
    await access.forget('one', 'second');
    assert.equal((await access.keyOf('one'))?.id, 'first');
    await access.forgetAll('one');
    assert.equal(await access.keyOf('one'), undefined);
    assert.equal((await access.keyOf('one-more'))?.id, 'other');
  });

  it('appear in no text, in any form, even if they cannot be stored', async () => {
    const { access, known, log } = compose({ store: (_, value) => Promise.reject(new Error(`cannot store ${value}`)) });
    const key = makeKey('key');
    await access.keep('one', key);
    assert.equal((await access.keyOf('one'))?.id, 'key', 'until the window closes');
    assert.equal(known.hide(`${key.privateKey}|${btoa(key.privateKey)}`), '…|…');
    assert.doesNotMatch(log.lines.join('\n'), /PRIVATE KEY|cannot store/);
    assert.match(log.lines.join('\n'), /signing key isn't stored/);
  });

  it('are as good as none if the secret storage cannot be read, or holds something else', async () => {
    const { access: locked, log } = compose({ keys: () => Promise.reject(new Error('locked')) });
    assert.equal(await locked.keyOf('one'), undefined);
    assert.match(log.lines.join('\n'), /can't be read/);
    const { access, storage } = compose();
    const { privateKey: _, ...half } = makeKey('half');
    for (const value of ['', '{', 'null', JSON.stringify({ ...half, keptAt: 1 })]) {
      storage.values.set('signingKey/one/a', value);
      assert.equal(await access.keyOf('one'), undefined, value);
    }
    await access.keep('one', makeKey('whole'));
    assert.equal((await access.keyOf('one'))?.id, 'whole');
  });
});

describe('The signing keys of the demo', () => {
  it('are over with the window, as the demo is', async () => {
    const { access, open, storage } = compose();
    await access.keep('demo', makeKey('key'));
    assert.equal((await access.keyOf('demo'))?.id, 'key');
    assert.equal(await open().keyOf('demo'), undefined);
    assert.equal(storage.values.size, 0);
    await access.forget('demo', 'key');
    assert.equal(await access.keyOf('demo'), undefined);
  });
});

describe('The token of a viewer', () => {
  it('has the claims of the interface and no others, for as long as asked, by the time of the service', async () => {
    const { access, clock } = compose();
    const key = makeKey('key');
    await access.keep('one', key);
    const now = clock.now() + HOUR_S * 1000;
    const token = (await access.makeToken('one', { playbackId: 'play1', seconds: HOUR_S, now })) ?? '';
    const iat = Math.floor(now / 1000);
    const verified = jwt.verify(token, atob(key.publicKey), { complete: true, clockTimestamp: iat });
    assert.deepEqual(verified.header, { alg: 'ES256', typ: 'JWT' });
    const { iss, ...claims } = verified.payload as jwt.JwtPayload;
    assert.equal(typeof iss, 'string');
    const pub = key.publicKey;
    assert.deepEqual(claims, { action: 'pull', pub, sub: 'play1', video: 'none', iat, exp: iat + HOUR_S });
    const later = iat + HOUR_S;
    assert.throws(() => jwt.verify(token, atob(key.publicKey), { clockTimestamp: later }), {
      name: 'TokenExpiredError',
    });
    assert.throws(() => jwt.verify(token, atob(makeKey('other').publicKey), { clockTimestamp: iat }));
  });

  it('is not made without a key', async () => {
    const request = { playbackId: 'play1', seconds: HOUR_S, now: 0 };
    assert.equal(await compose().access.makeToken('one', request), undefined);
  });

  it('is removed from texts by its form', async () => {
    const { access, known, clock } = compose();
    await access.keep('one', makeKey('key'));
    const token = await access.makeToken('one', { playbackId: 'play1', seconds: HOUR_S, now: clock.now() });
    assert.equal(known.strip(`no viewer ${token}, sorry`), 'no viewer …, sorry');
  });
});
