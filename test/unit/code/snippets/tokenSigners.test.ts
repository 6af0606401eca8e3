import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findMainPlace } from '../../../../src/code/snippets/insertion.ts';
import { tokenSigners } from '../../../../src/code/snippets/tokenSigners.ts';
import { openText } from '../../../support/code/openText.ts';
import { compileStrictly, insertSigner, SERVER_GRAMMARS } from '../../../support/code/serverCode.ts';
import { assertPlays, makeKeyVariables } from '../../../support/code/signedTokens.ts';
import { fileParser } from '../../../support/code/syntaxTree.ts';
import { makeTemporaryFolder } from '../../../support/process/temporaryFolder.ts';

function signersAt(languageId: string, marked: string, manifests: readonly string[] = []) {
  const file = openText(languageId, marked);
  return tokenSigners(findMainPlace(file), file.text, manifests);
}

const idsAt = (...given: Parameters<typeof signersAt>) => signersAt(...given).map(({ id }) => id);

describe('A token signer', () => {
  let folder = '';
  const variables = makeKeyVariables();
  const before_ = { ...process.env };

  before(() => {
    folder = makeTemporaryFolder('signers');
  });
  beforeEach(() => void Object.assign(process.env, variables));
  after(() => {
    for (const name of Object.keys(variables)) delete process.env[name];
    Object.assign(process.env, before_);
    rmSync(folder, { recursive: true, force: true });
  });

  for (const [languageId, grammar] of Object.entries(SERVER_GRAMMARS)) {
    it(`is code of its language, with both keys from variables: ${languageId}`, async () => {
      const parse = await fileParser(grammar);
      const signers = signersAt(languageId, '|');
      assert.ok(signers.length >= 1);
      const unit = languageId === 'go' ? '\t' : languageId === 'python' ? '    ' : '  ';
      for (const { id, text } of signers) {
        assert.deepEqual(parse(text), [], text);
        assert.equal(insertSigner(languageId, '|', id, unit), text);
        for (const name of Object.keys(variables)) assert.ok(text.includes(name), name);
      }
    });
  }

  for (const library of ['jose', 'jsonwebtoken'] as const) {
    for (const [extension, language, marked] of [
      ['mjs', 'javascript', '|'],
      ['ts', 'typescript', '|'],
      ['cjs', 'javascript', "const fs = require('fs');\n|\nmodule.exports = { signPlaybackToken, fs };\n"],
    ] as const) {
      it(`signs tokens that play for an hour: ${library} in .${extension}`, async () => {
        const sign = await load(`${library}.${extension}`, insertSigner(language, marked, library));
        assertPlays(await sign('f5eese9wwl88k4g8'), 'f5eese9wwl88k4g8', variables);
      });
    }

    it(`says which variables are not set: ${library}`, async () => {
      const sign = await load(`${library}-unset.mjs`, insertSigner('javascript', '|', library));
      process.env.LIVEPEER_PRIVATE_KEY = '';
      await assert.rejects(async () => sign('f5eese9wwl88k4g8'), /LIVEPEER_PRIVATE_KEY .* is not set/);
    });
  }

  it('is what strict TypeScript takes', async () => {
    const files = (['jose', 'jsonwebtoken'] as const).map((library) => {
      const file = join(folder, `strict-${library}.ts`);
      writeFileSync(file, insertSigner('typescript', '|', library));
      return file;
    });
    assert.equal(await compileStrictly(files), '');
  });

  it('is there for languages of servers only, and first with the library that is in use', () => {
    assert.deepEqual(idsAt('go', '|'), ['golangJwt']);
    assert.deepEqual(idsAt('python', '|'), ['pyjwt']);
    for (const languageId of ['swift', 'plaintext', '__proto__']) assert.deepEqual(idsAt(languageId, '|'), []);
    assert.deepEqual(idsAt('html', '<script>\n|\n</script>'), []);
    assert.deepEqual(idsAt('typescript', '|'), ['jose', 'jsonwebtoken']);
    assert.deepEqual(idsAt('typescript', '|', ['{"dependencies":{"jsonwebtoken":"9"}}']), ['jsonwebtoken', 'jose']);
    assert.deepEqual(idsAt('javascript', "const { jwtVerify } = require('jose');\n|", ['"jsonwebtoken"']), [
      'jose',
      'jsonwebtoken',
    ]);
  });

  async function load(name: string, text: string): Promise<(playbackId: string) => Promise<string> | string> {
    const file = join(folder, name);
    writeFileSync(file, text);
    const { signPlaybackToken } = await import(pathToFileURL(file).href);
    assert.ok(typeof signPlaybackToken === 'function');
    return signPlaybackToken;
  }
});
