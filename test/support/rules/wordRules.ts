/** Words that texts must not have, by what to write instead. */
const WORDS: Readonly<Record<string, RegExp>> = {
  'Select for Choose': /\b[Cc]hoos(e|es|ing)\b|\bchosen\b/,
  "a straight apostrophe ' for a curly one": /[‘’]/,
  'one period, or … for three': /\.\.|…\.|\.…/,
  'contractions, as in "can\'t"': /\b(cannot|can not|do not|does not|did not|is not|are not|was not|has not)\b/i,
  'American spelling': /\b(cancelled|cancelling|colour|behaviour|favourite|programme)\b/i,
  'a comma before "and" in a list': /\b\w+, \w+ (and|or) \w/,
  'VS Code for the editor': /\bthe editor\b/i,
  'your computer for this machine': /\bthis machine\b/i,
  'RTMP Server, RTMP URL (with Key)': /\bIngest (Server|URL)\b/,
  'HLS URL for Playback URL': /\bPlayback URL\b/,
  'Player URL for Player Link': /\bPlayer Link\b/,
  'VS Code Link for Editor Link': /\bEditor Link\b/i,
  'Watch Recording for Open Recording': /\bOpen Recording\b/,
  'Playback ID, playback ID': /\bplayback id\b|\bPlayback Id\b/,
  'Load More for Load more': /\bLoad more\b/,
};

/** Returns a sentence for each text that breaks a rule: its key, and what to write instead. */
export function findWordFaults(texts: Readonly<Record<string, string>>): string[] {
  return Object.entries(texts).flatMap(([key, text]) =>
    Object.entries(WORDS)
      .filter(([, pattern]) => pattern.test(text.replace(/(?<=\])\([^)]*\)|`[^`]*`/g, '')))
      .map(([instead]) => `${key}: ${instead}`),
  );
}

/** Returns a sentence for each title that isn't in title case. Words in brackets count, too. */
export function findTitleCaseFaults(titles: Readonly<Record<string, string>>): string[] {
  const isSmall = (word: string) => /^(a|an|and|as|at|by|for|from|in|of|on|or|the|to|with)$/.test(word);
  return Object.entries(titles).flatMap(([key, title]) => {
    const small = title.split(/[\s()…]+/).filter((word, at) => /^[a-z]/.test(word) && (at === 0 || !isSmall(word)));
    return small.map((word) => `${key}: "${word}" in "${title}"`);
  });
}
