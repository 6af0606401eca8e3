import { LIST_NAMES, type ListName } from '../model/store/snapshot.ts';

// The flags that `when` clauses of menus test, in order: the words for true and false ('' adds none).
const PLACES = {
  stream: [
    ['active', 'idle'],
    ['recordOn', 'recordOff'],
    ['suspended', ''],
    ['hasKey', ''],
    ['hasPlayback', ''],
    ['tested', ''],
    ['stale', ''],
    ['needsToken', ''],
  ],
  session: [
    ['hasRecording', ''],
    ['hasMp4', ''],
    ['recorded', ''],
    ['ready', ''],
    ['live', ''],
    ['ofDeleted', ''],
  ],
  clip: [
    ['playable', ''],
    ['hasFile', ''],
  ],
  child: [
    ['hasKey', ''],
    ['hasPlayback', ''],
  ],
  connection: [
    ['active', ''],
    ['demo', ''],
    ['failing', ''],
    ['rejected', ''],
  ],
  thisComputer: [['listening', '']],
  webhook: [['failing', '']],
  delivery: [['failed', '']],
  localDelivery: [['failed', '']],
} as const;

// Rows without flags.
const PLAIN = [
  'orphans',
  'day',
  'more',
  'retry',
  'empty',
  'gone',
  'notice',
  'filter',
  'deliveryFilter',
  'removedConnection',
] as const;

type Placed = keyof typeof PLACES;
type Answers<P extends readonly unknown[]> = { readonly [I in keyof P]: boolean };

/** For example, `placedValue('session', [true, false])` returns "session.hasRecording". */
export function placedValue<K extends Placed>(kind: K, answers: Answers<(typeof PLACES)[K]>): string {
  return joinAnswers(kind, [...answers]);
}

export function groupValue(list: ListName): string {
  return `group.${list}`;
}

export type PlainValue = (typeof PLAIN)[number];

export const CONTEXT_VALUES: readonly string[] = [
  ...(Object.keys(PLACES) as Placed[]).flatMap((kind) =>
    allAnswers(PLACES[kind].length).map((answers) => joinAnswers(kind, answers)),
  ),
  ...LIST_NAMES.map(groupValue),
  ...PLAIN,
];

function joinAnswers(kind: Placed, answers: readonly boolean[]): string {
  const words = PLACES[kind].map(([yes, no], place) => (answers[place] === true ? yes : no));
  return [kind, ...words.filter(Boolean)].join('.');
}

function allAnswers(places: number): boolean[][] {
  if (places === 0) return [[]];
  return allAnswers(places - 1).flatMap((rest) => [
    [...rest, true],
    [...rest, false],
  ]);
}
