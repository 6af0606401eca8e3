// node readme.mjs: writes dist/README.md, the README as the Marketplace and Open VSX show it.
// It ends before what is for contributors. They show a picture only from a public address: where README_PICTURES is one,
// the pictures in media are shown from there, else none.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';

const address = process.env.README_PICTURES?.replace(/\/+$/, '');
const [page] = readFileSync('README.md', 'utf8').split(/^## Contributing$/m);
const picture = /^<picture>.*?<img alt="([^"]*)" src="([^"]*)">\s*<\/picture>\n\n/gms;
const shown = page.replace(picture, (_, words, file) => (address ? `![${words}](${address}/${file})\n\n` : ''));
mkdirSync('dist', { recursive: true });
writeFileSync('dist/README.md', `${shown.trimEnd()}\n`);
