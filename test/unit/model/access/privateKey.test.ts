import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { findSigningKey, type PrivateKeyFault } from '../../../../src/model/access/privateKey.ts';

const pem = (key: KeyObject, type: 'pkcs8' | 'sec1' | 'spki' | 'pkcs1' = 'pkcs8') =>
  key.export({ type: type as 'pkcs8', format: 'pem' }).toString();
const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const other = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 });
const listedAs = (id: string, { publicKey }: { readonly publicKey: KeyObject }) => ({
  ...{ id, name: `Key ${id}`, createdAt: undefined },
  publicKey: btoa(pem(publicKey, 'spki')),
});
const LISTED = [listedAs('a', generateKeyPairSync('ec', { namedCurve: 'P-256' })), listedAs('b', own)];
const PRIVATE = pem(own.privateKey);
const encrypted = (type: 'pkcs8' | 'sec1') =>
  own.privateKey.export({ type, format: 'pem', cipher: 'aes-256-cbc', passphrase: 'hunter22' }).toString();

describe('A private key that somebody gives', () => {
  const FORMS: Readonly<Record<string, string>> = {
    'as a PEM': PRIVATE,
    'as base64 of a PEM, as the service sends it': btoa(PRIVATE),
    'in one line, as a box makes it': PRIVATE.replaceAll('\n', ' '),
    'in one line without spaces': PRIVATE.replaceAll('\n', ''),
    'with escaped line breaks and quotes, as in a .env file': `"${PRIVATE.replaceAll('\n', '\\n')}"`,
    'with line breaks of Windows': PRIVATE.replaceAll('\n', '\r\n'),
    'in the form of OpenSSL': pem(own.privateKey, 'sec1'),
    'in the form of OpenSSL, behind its parameters': `-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n${pem(own.privateKey, 'sec1')}`,
  };
  for (const [form, privateKey] of Object.entries(FORMS)) {
    it(`is found among the keys of the account ${form}`, () => {
      const found = findSigningKey({ privateKey }, LISTED);
      const { publicKey } = LISTED[1] ?? {};
      assert.deepEqual(found, { ok: true, key: { id: 'b', name: 'Key b', publicKey, privateKey: PRIVATE } });
    });
  }

  const FAULTS: readonly (readonly [what: string, fault: PrivateKeyFault, privateKey: string])[] = [
    ['nothing', 'empty', ' \n'],
    ['no key', 'unreadable', 'abcd-efgh-ijkl-mnop'],
    ['a key that is cut off', 'unreadable', PRIVATE.slice(0, 80)],
    ['a damaged key', 'unreadable', PRIVATE.replace(/\n.{20}/, '\n')],
    ['a key for SSH', 'unreadable', '-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\n-----END OPENSSH PRIVATE KEY-----'],
    ['a text of 1 MB', 'unreadable', '-----BEGIN PRIVATE KEY-----'.repeat(40_000)],
    ['the public half', 'publicKey', pem(own.publicKey, 'spki')],
    ['the public half as it is listed', 'publicKey', LISTED[1]?.publicKey ?? ''],
    ['a certificate', 'certificate', '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----'],
    ['an encrypted key', 'encrypted', encrypted('pkcs8')],
    ['an encrypted key in the form of OpenSSL', 'encrypted', encrypted('sec1')],
    ['a key for RSA', 'rsa', pem(rsa.privateKey)],
    ['a key for RSA in the form of OpenSSL', 'rsa', pem(rsa.privateKey, 'pkcs1')],
    ['a key on another curve', 'otherKind', pem(generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey)],
    ['a key of another kind', 'otherKind', pem(generateKeyPairSync('ed25519').privateKey)],
    ['a key of another account, or one that was deleted', 'notOfAccount', pem(other.privateKey)],
  ];
  for (const [what, fault, privateKey] of FAULTS) {
    it(`is refused if it is ${what}`, () => {
      assert.deepEqual(findSigningKey({ privateKey }, LISTED), { ok: false, fault });
    });
  }

  it('is refused if it is not the private half of the given public key', () => {
    const find = (publicKey: string) => findSigningKey({ privateKey: PRIVATE, publicKey }, LISTED);
    assert.deepEqual(find(btoa(pem(other.publicKey, 'spki'))), { ok: false, fault: 'otherHalf' });
    assert.deepEqual(find('nothing'), { ok: false, fault: 'otherHalf' });
    assert.equal(find(pem(own.publicKey, 'spki')).ok, true);
  });

  it('is found although the service lists a key that cannot be read', () => {
    const broken = { id: 'c', name: '', publicKey: 'x', createdAt: undefined };
    assert.equal(findSigningKey({ privateKey: PRIVATE }, [broken, ...LISTED]).ok, true);
  });
});
