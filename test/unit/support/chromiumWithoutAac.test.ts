import assert from 'node:assert/strict';
import { withoutAacDecoder } from '../../support/vscode/chromiumWithoutAac.ts';

const ENTRY = Buffer.from('0100000002500100', 'hex');
const noise = Buffer.alloc(1000, 'noise');

describe('The executable of a Chromium without an AAC decoder', () => {
  it('has another codec id in the decoder’s entry, and no other change', () => {
    const changed = withoutAacDecoder(Buffer.concat([noise, ENTRY, noise]), '1.2.3');
    assert.deepEqual(changed, Buffer.concat([noise, Buffer.from('01000000f2ff0100', 'hex'), noise]));
  });

  it('is not made of a version that has the entry nowhere, or twice', () => {
    assert.throws(() => withoutAacDecoder(noise, '1.2.3'), /^Error: Chromium 1\.2\.3 has no entry/);
    const twice = Buffer.concat([ENTRY, noise, ENTRY]);
    assert.throws(() => withoutAacDecoder(twice, '1.2.3'), /^Error: Chromium 1\.2\.3 has more than one entry/);
  });
});
