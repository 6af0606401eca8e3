import { randomInt, randomUUID } from 'node:crypto';
import type { AddressTemplates } from '../services.ts';
import { onDispose } from '../util/disposable.ts';
import { type Answer, failure } from './answer.ts';
import { type Api, answerApi, type Face } from './api.ts';
import type { DemoOptions, DemoRequest, EmbeddedDemo, FaultRule } from './demoContract.ts';
import { createLife, createQuietLife, type Life } from './life.ts';
import { answerMedia, type Media } from './media.ts';
import { openMediaFiles } from './mediaFiles.ts';
import { answerPage, notFoundPage } from './pages.ts';
import { createRandom } from './random.ts';
import { seedWorld } from './seed.ts';
import { type Handler, listen } from './server.ts';
import { createWorld, type World } from './world.ts';

export interface Watch {
  note(request: DemoRequest): (status: number) => void;
  readonly fault: FaultRule;
  isKeyRevoked(): boolean;
  browserKey(): string | undefined;
}

export interface SiteOptions extends Omit<DemoOptions, 'face'> {
  readonly api: Face;
  readonly watch?: Watch;
}

export async function openSite(
  options: SiteOptions,
): Promise<{ readonly demo: EmbeddedDemo; readonly world: World; readonly life: Life }> {
  const site: { current?: Site } = {};
  const { server, port } = await listen(
    async (request) => {
      if (!site.current) throw new Error('The demo is not ready');
      return respond(site.current, request);
    },
    () => options.clock.now(),
  );
  const current = createSite(options, port);
  site.current = current;
  const { world } = current.media;
  const stop = onDispose(() => {
    server.close();
    server.closeAllConnections();
  });
  const demo: EmbeddedDemo = {
    baseUrl: `${world.origin}/api`,
    apiKey: current.apiKey,
    addresses: addressesOn(world.origin, port),
    allowHost: (host) => void current.allowedHosts.add(host.toLowerCase()),
    dispose: () => stop.dispose(),
  };
  return { demo, world, life: current.life };
}

interface Site {
  readonly apiKey: string;
  readonly api: Api;
  readonly media: Media;
  readonly life: Life;
  readonly watch: Watch | undefined;
  readonly ownHosts: ReadonlySet<string>;
  readonly allowedHosts: Set<string>;
}

function createSite(options: SiteOptions, port: number): Site {
  const { clock, api: face, watch, isLively = true, streamCount = 60, liveCount } = options;
  const world = createWorld(clock, createRandom(options.seed ?? randomInt(2 ** 32)), `http://127.0.0.1:${port}`);
  seedWorld(world, { streamCount, liveCount, isLively });
  if (options.chance !== undefined) world.random = createRandom(options.chance);
  const apiKey = options.apiKey ?? randomUUID();
  return {
    apiKey,
    api: {
      world,
      face,
      apiKey: () => (watch?.isKeyRevoked() === true ? undefined : apiKey),
      browserKey: () => watch?.browserKey(),
    },
    media: { world, files: openMediaFiles(options.mediaRoot) },
    life: isLively ? createLife(world) : createQuietLife(world),
    watch,
    ownHosts: new Set([`127.0.0.1:${port}`, `localhost:${port}`]),
    allowedHosts: new Set(),
  };
}

async function respond(site: Site, request: DemoRequest): ReturnType<Handler> {
  const onSent = site.watch?.note(request) ?? (() => {});
  if (!isHostAllowed(site, request)) return { answer: failure(403, 'The Host header names another service'), onSent };
  const fault = await site.watch?.fault(request);
  if (fault !== undefined) return { answer: fault, onSent };
  site.life.advance();
  return { answer: await answer(site, request), onSent };
}

async function answer(site: Site, request: DemoRequest): Promise<Answer> {
  if (isApi(request)) return answerApi(site.api, request);
  if (!['GET', 'HEAD', 'OPTIONS'].includes(request.method))
    return failure(405, 'Only GET, HEAD and OPTIONS are answered here');
  const found = await answerMedia(site.media, request);
  const page = found ?? answerPage(site.media.world, request);
  return page ?? (site.api.face.hasPages ? notFoundPage() : failure(404, 'Not found'));
}

function isApi(request: DemoRequest): boolean {
  return request.path === '/api' || request.path.startsWith('/api/');
}

/** A foreign page whose name resolves to this machine (DNS rebinding) sends its own Host. */
function isHostAllowed(site: Site, request: DemoRequest): boolean {
  const host = (request.headers.host ?? '').toLowerCase();
  return site.ownHosts.has(host) || (!isApi(request) && site.allowedHosts.has(host));
}

function addressesOn(origin: string, port: number): AddressTemplates {
  return {
    rtmp: `rtmp://127.0.0.1:${port}/live/{streamKey}`,
    whip: `${origin}/webrtc/{streamKey}`,
    hls: `${origin}/hls/{playbackId}/index.m3u8`,
    player: `${origin}/player?v={playbackId}`,
    recordingPlayer: `${origin}/player?url={recordingUrl}`,
    dashboard: `${origin}/dashboard?stream={id}`,
    keys: `${origin}/dashboard/keys`,
  };
}
