// node readme.mjs: writes dist/README.md, the README as the Marketplace and Open VSX show it.
// They show a picture only from a public address, and there is no public repository yet: so it has none, and ends before
// what is for contributors. With an address for them: npm run package -- --readme-path README.md --baseImagesUrl ADDRESS
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';

const [page] = readFileSync('README.md', 'utf8').split(/^## Contributing$/m);
mkdirSync('dist', { recursive: true });
writeFileSync('dist/README.md', `${page.replace(/^!\[[^\]]*\]\([^)]*\)\n\n/gm, '').trimEnd()}\n`);
