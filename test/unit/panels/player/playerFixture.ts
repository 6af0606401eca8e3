import { Readable } from 'node:stream';
import { ApiError } from '../../../../src/api/errors.ts';
import type { PlayerContext } from '../../../../src/panels/player/playerFinder.ts';
import {
  type ActionTarget,
  type ClipPage,
  createPlayerSound,
  PlayerPart,
  type PlayerSound,
} from '../../../../src/panels/player/playerPart.ts';
import type { DownloadRequest, DownloadResponse, HttpResponse } from '../../../../src/services.ts';
import type { ClipCut, ShownPlayer, ToPlayer } from '../../../../src/webview/player/messages.ts';
import { type HeldClock, heldClock } from '../../../support/model/heldClock.ts';
import { waitUntil } from '../../../support/page/waitUntil.ts';
import { type Fixture, withCommands } from '../../commands/fixture.ts';

export interface PlayerFixture extends Fixture {
  /** The player's own: its looks and tries. */
  readonly clock: HeldClock;
  /** What the servers of media answer from now on: those whose addresses fit, or all. Status 0: they cannot be reached. */
  media(status: number, text?: string, which?: RegExp): void;
  /** How often media were asked for. */
  readonly asked: readonly string[];
  /** Opens a player, which begins by itself. */
  open(kind: 'stream' | 'session' | 'clip', id: string): Promise<PlayerPart>;
  /** Closes the player, also while it is being opened. */
  close(): void;
  /** What the page was told last. */
  page(): ShownPlayer & { readonly serial: number };
  /** Waits until the page is told of such a problem, or of none. */
  untilProblem(
    kind: NonNullable<ShownPlayer['problem']>['kind'] | undefined,
  ): Promise<ShownPlayer & { readonly serial: number }>;
  /** The serial number of what the page shows. */
  serial(): number;
  /** What else the page was sent: replies to its requests, headings, and the like. */
  readonly told: readonly ToPlayer[];
  /** What was done for the page, and with which session: 'openRecording x1'. */
  readonly acted: readonly string[];
  /** What is called when a clip that was asked for is made, also later. Returns whether the page says so. */
  readonly later: readonly (() => boolean)[];
  /** What says why a clip that was asked for wasn't made. Returns whether the page says so. */
  readonly failing: readonly ClipPage['onFailed'][];
  /** What the player named its tab, each time that it found something. */
  readonly tabs: readonly string[];
  /** The page is hidden, or seen again. */
  see(isSeen: boolean): void;
}

export const PLAYLIST = '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1000\n720p.m3u8\n';

interface PlayerFixtureOptions {
  /** Default: it can. */
  readonly canDownload?: () => Promise<boolean>;
  readonly sound?: PlayerSound;
  /** Whether clips that the page orders get made. Default: they do. */
  readonly createsClips?: boolean;
  /** What happens to the connection while a clip is being created. Default: nothing. */
  readonly leave?: (context: PlayerFixture['context']) => void;
}

/** Runs a test with a player over a real service; its page, its clock and the servers of media are fakes. */
export function withPlayer(
  test: (fixture: PlayerFixture) => Promise<void>,
  {
    canDownload = async () => true,
    sound = createPlayerSound(),
    createsClips = true,
    leave,
  }: PlayerFixtureOptions = {},
): () => Promise<void> {
  return withCommands({}, async (fixture) => {
    const { context } = fixture;
    const clock = heldClock();
    const acted: string[] = [];
    const later: (() => boolean)[] = [];
    const failing: ClipPage['onFailed'][] = [];
    const tabs: string[] = [];
    const asked: string[] = [];
    const told: ToPlayer[] = [];
    const heard: (Extract<ToPlayer, { readonly kind: 'show' }> | undefined)[] = [];
    let answers: readonly (readonly [RegExp, HttpResponse])[] = [[/^/, answerOf(200, PLAYLIST)]];
    let part: PlayerPart | undefined;
    let isSeen = true;
    const last = () => {
      const said = heard.at(-1);
      if (said === undefined) throw new Error('The page was told nothing');
      return said;
    };
    const view = {
      get isSeen() {
        return isSeen;
      },
      send(message: ToPlayer) {
        if (message.kind === 'show') heard.push(message);
        else told.push(message);
      },
    };
    const acts = {
      act: async (action: string, { subject, session }: ActionTarget) =>
        void acted.push(`${action} ${(subject.kind === 'clip' ? subject : session)?.id ?? ''}`.trim()),
      async createClip({ name }: ClipCut, { session }: ActionTarget, page: ClipPage & { readonly goOn?: unknown }) {
        const { onProgress, onMade, onFailed, onLeft, goOn } = page;
        acted.push(`${goOn ?? 'createClip'} ${name} ${session?.id ?? ''}`.trim());
        onProgress(0.5);
        const make = () => onMade({ id: `clip-${name}`, name });
        later.push(make);
        failing.push(onFailed);
        if (leave !== undefined && goOn === undefined) {
          leave(context);
          onLeft('goOn');
        } else if (createsClips) make();
      },
      canDownload,
    };
    const send = async ({ url }: { readonly url: string }): Promise<HttpResponse> => {
      asked.push(url);
      const [, answer] = answers.find(([which]) => which.test(url)) ?? [];
      if (answer === undefined) throw new Error(`Nothing is answered to ${url}`);
      if (answer.status === 0) throw new ApiError('network', 'Unreachable', { host: new URL(url).host });
      return answer;
    };
    const download = async (request: DownloadRequest): Promise<DownloadResponse> => {
      const { status, headers, body } = await send(request);
      return { status, headers, body: Readable.from([body]), dispose() {} };
    };
    try {
      await test({
        ...{ ...fixture, clock, acted, later, failing, asked, tabs, told, page: last },
        media(status, text = '', which = /^/) {
          answers = [[which, answerOf(status, text)], ...answers];
        },
        async open(kind, id) {
          const target = { connection: context.connection.info?.id ?? '', kind, id };
          const transport = { send, download };
          const readPart: PlayerContext['readPart'] = async (name) => ({ part: name, script: `code of ${name}` });
          const options = { ...context, clock, transport, readPart, target, title: '', view, acts };
          const onFound = ({ tab }: { readonly tab: string }) => void tabs.push(tab);
          part = new PlayerPart({ ...options, pollsItself: true, onFound, sound });
          await part.load({ startsItself: true });
          return part;
        },
        close: () => part?.dispose(),
        async untilProblem(kind) {
          await waitUntil(async () => last().problem?.kind === kind);
          return last();
        },
        serial: () => last().serial,
        see(isSeenNow) {
          isSeen = isSeenNow;
          part?.seenOrHidden();
        },
      });
    } finally {
      part?.dispose();
    }
  });
}

function answerOf(status: number, text: string): HttpResponse {
  return { status, headers: {}, body: new TextEncoder().encode(text) };
}
