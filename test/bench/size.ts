import { statSync } from 'node:fs';
import { listZipEntries } from '../support/rules/zipEntries.ts';
import { packageForTests, vsixFile } from '../support/vscode/vsix.ts';
import { type Bench, formatNumber } from './measure.ts';

const MOST_BYTES = 1_000_000;
const MOST_FILES = 45;

/** What people download to install the extension. */
export const size: Bench = {
  name: 'size',
  async run() {
    await packageForTests();
    const bytes = statSync(vsixFile).size;
    // Two entries are the package's own: its manifest and its content types.
    const files = listZipEntries(vsixFile).filter((name) => name.startsWith('extension/') && !name.endsWith('/'));
    return [
      {
        figure: '.vsix, with the media of the demo',
        measured: `${formatNumber(bytes / 1000)} kB, ${files.length} files`,
        reference:
          'published figures: Cloudinary 238 kB and 23 files, hexeditor 488 kB and 22, GitHub Actions 2.5 MB and 89',
        aim: `${MOST_BYTES / 1e6} MB, ${MOST_FILES} files`,
        isMet: bytes <= MOST_BYTES && files.length <= MOST_FILES,
      },
    ];
  },
};
