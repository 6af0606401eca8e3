import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import manifest from '../../package.nls.json' with { type: 'json' };
import { inProject } from '../support/projectFolder.ts';
import { readEnglish } from '../support/rules/texts.ts';
import { findTitleCaseFaults, findWordFaults } from '../support/rules/wordRules.ts';

const texts: Readonly<Record<string, string>> = manifest;

describe('The rules of words', () => {
  const FAULTY = [
    ...['Choose a stream.', 'Part of a stream’s name', 'Load all..', 'Load…. ', 'It cannot be read.', 'Cancelled'],
    ...['Keys, names or IDs.', 'The editor is busy.', 'Only on this machine', 'Copy Ingest URL', 'Copy Playback URL'],
    ...['Copy Player Link', 'Copy Editor Link', 'Open Recording', 'By playback id', 'Load more'],
    ...['Could not save the frame', 'Enter the api key', 'Copy the streaming key', 'Enter an address'],
    ...["The host isn't known.", 'Copied the stream key.', 'Done!', 'Click Load More', 'Keys, e.g. yours'],
    ...['Please wait', 'Copied the key(s)', 'Try  again', 'The user went live', 'Recording is so already'],
  ];
  for (const text of FAULTY) {
    it(`fail on "${text}"`, () => assert.equal(findWordFaults({ text }).length, 1));
  }

  it('allow what reads well, and what is in code, links, and names of settings', () => {
    const fine = [
      "Can't find names, IDs, or keys.",
      'Rename…',
      '`a..b` [Go](command:x..y)',
      'Pick a key, and then go on.',
      'Copied the RTMP URL. It contains the stream key.',
      'Set API Key…',
      'Change the liveStreams.addresses setting.',
    ];
    for (const text of fine) assert.deepEqual(findWordFaults({ text }), []);
  });

  it('fail on titles that are not in title case', () => {
    assert.deepEqual(findTitleCaseFaults({ a: 'Open Stream in Dashboard', b: 'Sort By…' }), []);
    assert.deepEqual(findTitleCaseFaults({ a: 'Load more' }), ['a: "more" in "Load more"']);
  });
});

describe('The texts of the code', () => {
  it('keep the rules of words', () => {
    const { code } = readEnglish();
    assert.ok(Object.keys(code).length > 500);
    assert.deepEqual(findWordFaults(code), []);
  });
});

describe('The texts of package.json', () => {
  const entries = Object.entries(texts);

  it('keep the rules of words', () => {
    assert.deepEqual(findWordFaults(texts), []);
  });

  it('have their titles and buttons in title case', () => {
    const titles = entries.filter(([key]) => /^(command|submenu|view|container)\./.test(key));
    const buttons = entries.flatMap(([key, text]) =>
      [...text.matchAll(/^\[([^\]]+)\]\([^)]*\)$/gm)].map(([, label = ''], at) => [`${key}#${at}`, label] as const),
    );
    assert.ok(titles.length > 50 && buttons.length > 14);
    assert.deepEqual(findTitleCaseFaults(Object.fromEntries([...titles, ...buttons])), []);
  });

  it('end with a period where they are sentences, and without one where they are titles', () => {
    const sentences = entries.filter(([key]) => /^(setting|color|welcome)\.|\.description$/.test(key));
    const open = sentences.filter(([, text]) => !/[.)}`]$/.test(text.trimEnd()));
    const closed = entries.filter(([key, text]) => /^(command|submenu)\.|\.title$/.test(key) && /\.$/.test(text));
    assert.deepEqual([open, closed], [[], []]);
  });
});

describe('The documents', () => {
  it('name commands by their titles', () => {
    const titles = Object.entries(texts).flatMap(([key, text]) =>
      key.startsWith('command.') ? [text.replace(/…$/, '')] : [],
    );
    const files = [
      'README.md',
      ...globSync(['.github/*.md', '.github/docs/*.md', 'media/skills/*/SKILL.md'], { cwd: inProject() }),
    ];
    const named = files.flatMap((file) =>
      [...readFileSync(inProject(file), 'utf8').matchAll(/\*\*Live Streams: ([^*]+)\*\*/g)].map(
        ([, title = '']) => title,
      ),
    );
    assert.ok(named.length > 10);
    assert.deepEqual(
      named.filter((title) => !titles.includes(title)),
      [],
    );
  });
});
