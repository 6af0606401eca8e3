import { NAME_LENGTH_AT_MOST } from '../../model/changeRules.ts';
import { isRecord } from '../../util/isRecord.ts';
import type { MediaRequest } from '../../util/numberedUrl.ts';
import type { Action, ClipCut, FromPlayer, MetProblem, PagePart } from '../../webview/player/messages.ts';

const ACTIONS: Readonly<Record<Action, true>> = {
  retry: true,
  openInBrowser: true,
  alwaysInBrowser: true,
  copyAddress: true,
  copyWithToken: true,
  downloadMp4: true,
  createClip: true,
  copyClipUrl: true,
  playMp4: true,
  openRecording: true,
  watchLive: true,
  startTestBroadcast: true,
  resumeStream: true,
  showDetails: true,
  checkStream: true,
  setApiKey: true,
  openOwnConnection: true,
  switchConnection: true,
  setAddress: true,
  createSigningKey: true,
  useSigningKey: true,
  addConnection: true,
  startDemo: true,
  maximize: true,
};

const PARTS: Readonly<Record<PagePart, true>> = { mp4: true, sound: true };

type Detail = 'status' | 'host' | 'scheme' | 'sentence';

const PROBLEMS: Readonly<Record<MetProblem['kind'], readonly Detail[]>> = {
  status: ['status', 'host'],
  segmentStatus: ['status', 'host'],
  foreignScheme: ['scheme'],
  unreachable: ['sentence'],
  refusedAddress: ['sentence'],
  tooManyRedirects: [],
  emptyPlaylist: [],
  htmlPlaylist: [],
  malformedPlaylist: [],
  endlessPlaylist: [],
  htmlMedia: [],
  htmlSegment: [],
  truncatedSegment: [],
  brokenSegment: [],
  largeSegment: [],
  noHls: [],
  pictureFormat: [],
  soundFormat: [],
  brokenFile: [],
  timeout: [],
  stopped: [],
};

/** An 8K frame of noise is about 100 MB; real ones are a tenth of that. */
const MOST_PNG_BYTES = 64 * 1024 * 1024;
const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const LONGEST_TEXT = 300;

/** Decodes a message from a player; undefined if the page may not send it. */
export function readPlayerMessage(said: unknown): FromPlayer | undefined {
  if (!isRecord(said)) return undefined;
  const { kind, action, png, position, problem, serial, request, id, part, reason, isPlaying, hasPlayed, clip, date } =
    said;
  switch (kind) {
    case 'tookSound':
    case 'enterpictureinpicture':
    case 'leavepictureinpicture':
      return { kind };
    case 'ended':
      return isNumber(serial) && typeof hasPlayed === 'boolean' ? { kind, serial, hasPlayed } : undefined;
    case 'watched':
      return isNumber(date) ? { kind, date } : undefined;
    case 'playing':
      return typeof isPlaying === 'boolean' ? { kind, isPlaying } : undefined;
    case 'act':
    case 'actOnMade':
      return isKeyOf(ACTIONS, action) ? { kind, action } : undefined;
    case 'frame':
      return isPng(png) && isPosition(position) ? { kind, png, position } : undefined;
    case 'createClip': {
      const cut = readClipCut(clip);
      return cut && { kind, clip: cut };
    }
    case 'requestMedia': {
      const asked = readMediaRequest(request);
      return asked && isNumber(serial) ? { kind, serial, request: asked } : undefined;
    }
    case 'cancelMedia':
      return isNumber(id) ? { kind, id } : undefined;
    case 'requestPart':
      return isKeyOf(PARTS, part) ? { kind, part } : undefined;
    case 'soundFailed':
      return typeof reason === 'string' ? { kind, reason: reason.slice(0, LONGEST_TEXT) } : undefined;
    case 'failed': {
      const met = readProblem(problem);
      return met && isNumber(serial) ? { kind, problem: met, serial } : undefined;
    }
    default:
      return undefined;
  }
}

function readClipCut(value: unknown): ClipCut | undefined {
  if (!isRecord(value)) return undefined;
  const { order, startTime, endTime, name } = value;
  if (!isNumber(order) || !isNumber(startTime) || !isNumber(endTime) || startTime < 0 || endTime <= startTime)
    return undefined;
  return typeof name === 'string' && name.length <= NAME_LENGTH_AT_MOST
    ? { order, startTime, endTime, name }
    : undefined;
}

const DIRECTIVES = /^_HLS_(msn|part)=\d{1,15}(&_HLS_(msn|part)=\d{1,15})?$/;

function readMediaRequest(value: unknown): MediaRequest | undefined {
  if (!isRecord(value)) return undefined;
  const { id, resource, range, directives } = value;
  if (!isNumber(id) || !isNumber(resource) || resource < 0) return undefined;
  if (directives !== undefined && !(typeof directives === 'string' && DIRECTIVES.test(directives))) return undefined;
  if (range === undefined) return { id, resource, directives };
  if (!isRecord(range)) return undefined;
  const { start, end } = range;
  if (!isNumber(start) || !isNumber(end) || start < 0 || end <= start) return undefined;
  return { id, resource, directives, range: { start, end } };
}

function readProblem(value: unknown): MetProblem | undefined {
  if (!isRecord(value) || !isKeyOf(PROBLEMS, value.kind)) return undefined;
  const details = PROBLEMS[value.kind];
  if (!details.every((detail) => isDetail(detail, value[detail]))) return undefined;
  const said = details.map((detail) => [detail, value[detail]] as const);
  return { kind: value.kind, ...Object.fromEntries(said) } as MetProblem;
}

function isDetail(detail: Detail, value: unknown): boolean {
  if (detail === 'status') return typeof value === 'number' && Number.isInteger(value) && value >= 100 && value <= 999;
  return typeof value === 'string' && value.length <= LONGEST_TEXT;
}

function isPng(value: unknown): value is Uint8Array {
  const isBytes = value instanceof Uint8Array && value.length > PNG_SIGNATURE.length && value.length <= MOST_PNG_BYTES;
  return isBytes && PNG_SIGNATURE.every((byte, at) => value[at] === byte);
}

function isNumber(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function isPosition(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

export function isKeyOf<K extends string>(table: Readonly<Record<K, unknown>>, key: unknown): key is K {
  return typeof key === 'string' && Object.hasOwn(table, key);
}
