import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { KeyIndex } from '../../../src/code/keyIndex.ts';
import { PublicKeys } from '../../../src/code/publicKeys.ts';
import { pointOfBase64 } from '../../../src/code/signedText.ts';
import { signingKeysOf } from '../../../src/model/account/accountSigningKeys.ts';
import { fakeLog } from '../../support/model/fakes.ts';
import { heldClock } from '../../support/model/heldClock.ts';
import { waitUntil } from '../../support/page/waitUntil.ts';
import { type Fixture, withCommands } from '../commands/fixture.ts';

const MINUTE_MS = 60_000;

describe('The public keys of an account', () => {
  it(
    'are read when a text has what may be made with one, once about a key, and at most once a minute',
    withCommands({}, async (fixture) => {
      const { keys, index, listed, clock, untilRead } = createKeys(fixture);
      const point = pointOf(fixture.service.control.addSigningKey('Site').publicKey);
      keys.resolve(point);
      keys.resolve(pointOf(makePublicKey()));
      await untilRead(1);
      assert.equal(index.findSigningKey(point)?.name, 'Site');
      const foreign = pointOf(makePublicKey());
      for (let time = 0; time < 3; time += 1) keys.resolve(foreign);
      const later = pointOf(fixture.service.control.addSigningKey('Later').publicKey);
      keys.resolve(later);
      await clock.advance(MINUTE_MS - 1);
      assert.equal(listed(), 1);
      await clock.advance(1);
      await untilRead(2);
      assert.equal(index.findSigningKey(later)?.name, 'Later');
      for (const known of [foreign, later, point]) keys.resolve(known);
      assert.equal(clock.timerCount, 0);
      assert.equal(listed(), 2);
    }),
  );

  it(
    'are asked for again after a failure, in a minute, when a text is looked at again',
    withCommands({}, async (fixture) => {
      const { keys, index, clock, untilRead } = createKeys(fixture);
      const point = pointOf(fixture.service.control.addSigningKey('Site').publicKey);
      fixture.service.control.fault(() => ({ status: 403 }));
      keys.resolve(point);
      await untilRead(1);
      assert.equal(index.findSigningKey(point), undefined);
      fixture.service.control.fault(undefined);
      keys.resolve(point);
      await clock.advance(MINUTE_MS);
      await untilRead(2);
      assert.equal(index.findSigningKey(point)?.name, 'Site');
    }),
  );

  it(
    'are asked for once where the service has none',
    withCommands({ demo: { face: 'strict' } }, async (fixture) => {
      const { keys, listed, clock, untilRead } = createKeys(fixture);
      for (let time = 1; time <= 3; time += 1) {
        keys.resolve(pointOf(makePublicKey()));
        await untilRead(time);
        await clock.advance(MINUTE_MS);
      }
      assert.equal(listed(), 1);
      await keys.readAll(new AbortController().signal);
    }),
  );

  it(
    'are not asked for without a connection',
    withCommands({ isConnected: false }, async (fixture) => {
      const { keys, listed, untilRead } = createKeys(fixture);
      keys.resolve(pointOf(makePublicKey()));
      await untilRead(1);
      assert.equal(listed(), 0);
    }),
  );
});

function createKeys({ context: { store, connection }, requests }: Fixture) {
  const [index, clock, log] = [new KeyIndex(), heldClock(), fakeLog()];
  const listSigningKeys = async (signal: AbortSignal) =>
    connection.isOpen ? signingKeysOf(connection.account).listIfOffered(signal) : undefined;
  const keys = new PublicKeys({ index, store, clock, log, listSigningKeys });
  let changes = 0;
  keys.onDidChange(() => {
    changes += 1;
  });
  const listed = () => requests().filter((line) => line.includes('/signing-key')).length;
  /** So many reads have ended, well or not. */
  const untilRead = (count: number) => waitUntil(() => changes + log.lines.length >= count);
  return { keys, index, clock, listed, untilRead };
}

function makePublicKey(): string {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return btoa(publicKey.export({ type: 'spki', format: 'pem' }).toString());
}

function pointOf(publicKey: string): string {
  return pointOfBase64(publicKey) ?? assert.fail('It is no key');
}
