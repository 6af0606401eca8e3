import { ALL_ABILITIES } from '../../api/types.ts';
import type { ListState, Recordings, Snapshot, SubList } from './snapshot.ts';

export const EMPTY_LIST: ListState = {
  ids: [],
  isLoaded: false,
  isLoading: false,
  isLoadingMore: false,
  revealed: 0,
  hasNextPage: false,
  total: undefined,
  dropped: 0,
  isFiltered: true,
  missing: 0,
  trouble: undefined,
  turn: 0,
  loadedAt: undefined,
  isStale: false,
};

export const EMPTY_SUB_LIST: SubList<never> = {
  items: [],
  isLoaded: false,
  isLoading: false,
  revealed: 0,
  hasNextPage: false,
  trouble: undefined,
  loadedAt: undefined,
  serverDate: 0,
};

export const EMPTY_RECORDINGS: Recordings = {
  ...EMPTY_SUB_LIST,
  isLoadingMore: false,
  turn: 0,
  lookedBackTo: undefined,
  parents: new Map(),
  lastNames: new Map(),
  isShown: false,
};

export const EMPTY_SNAPSHOT: Snapshot = {
  generation: 0,
  connection: { kind: 'starting' },
  connectionCount: 0,
  abilities: ALL_ABILITIES,
  trouble: undefined,
  streams: new Map(),
  lists: { active: EMPTY_LIST, idle: EMPTY_LIST, recording: EMPTY_LIST },
  left: new Set(),
  pinned: new Set(),
  settled: new Map(),
  sessions: new Map(),
  children: new Map(),
  orphans: EMPTY_SUB_LIST,
  recordings: EMPTY_RECORDINGS,
  showsHistoricChildStreams: false,
  filter: '',
  sort: 'lastSeen',
  locale: 'en',
  recordedOnly: false,
  recordingsRecordedOnly: true,
  operations: new Map(),
};
