/** Words that texts must not have, by what to write instead. */
const WORDS: Readonly<Record<string, RegExp>> = {
  'Select for Choose': /\b[Cc]hoos(e|es|ing)\b|\bchosen\b/,
  "a straight apostrophe ' for a curly one": /[‘’]/,
  'straight quotation marks " for curly ones': /[“”]/,
  'one period, or … for three': /\.\.|…\.|\.…/,
  'contractions, as in "can\'t"':
    /\b(cannot|(can|could|do|does|did|is|are|was|were|has|have|had|will|would|should) not)\b/i,
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
  'Retry for Try Again': /\bTry Again\b/,
  'API key, API keys': /\bapi[ -]key|\bAPI-key|\bAPI Keys\b/,
  'stream key': /\b(stream-key|streamkey|streaming key|ingest key)/i,
  'URL for address': /\baddress(es)?\b/i,
  'unknown for not known': /(\bnot|n't) known\b/,
  'no period after one line about what was done':
    /^(Added|Connected|Copied|Created|Deleted|Disconnected|Downloaded|Ended|Removed|Renamed|Resumed|Saved|Suspended|Updated)\b[^.?!]*\.$/,
  'no exclamation marks': /!$/,
  'Select for Click': /\bclicks?\b/i,
  'for example, that is, and so on': /\b(e\.g|i\.e|etc)\b/,
  'no "please"': /\bplease\b/i,
  'a plural in words, not in (s)': /\(s\)/,
  'one space': / {2}/,
  'you for the user': /\bthe (user|person)\b/i,
  'everyday words': /\b(meanwhile|any more|so far|so already|at hand|is told|looked at)\b/i,
};

/** Returns a sentence for each text that breaks a rule: its key, and what to write instead. */
export function findWordFaults(texts: Readonly<Record<string, string>>): string[] {
  return Object.entries(texts).flatMap(([key, text]) =>
    Object.entries(WORDS)
      .filter(([, pattern]) => pattern.test(text.replace(/(?<=\])\([^)]*\)|`[^`]*`|\bliveStreams(\.\w+)+/g, '_')))
      .map(([instead]) => `${key}: ${instead}`),
  );
}

/** Returns a sentence for each title that isn't in title case. Words in brackets count, too. */
export function findTitleCaseFaults(titles: Readonly<Record<string, string>>): string[] {
  const isSmall = (word: string) => /^(a|an|and|as|at|by|for|from|in|of|on|or|the|to|with)$/.test(word);
  return Object.entries(titles).flatMap(([key, title]) => {
    const small = title
      .split(/[\s()…]+/)
      .filter((word, at) => /^[a-z]/.test(word) && word !== 'cURL' && (at === 0 || !isSmall(word)));
    return small.map((word) => `${key}: "${word}" in "${title}"`);
  });
}
