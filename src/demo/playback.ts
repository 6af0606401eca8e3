import type { DemoSession, World } from './world.ts';

interface Source {
  readonly hrn: string;
  readonly type: string;
  readonly url: string;
}

/** Returns the body of GET /playback/{playbackId}; undefined if no stream or session has this playback id. */
export function describePlayback(world: World, playbackId: string): unknown {
  for (const stream of world.streams.values()) {
    if (stream.playbackId === playbackId) {
      const recording = (world.sessionsOf.get(stream.id) ?? []).find((session) => session.mp4Url !== undefined);
      const live = {
        hrn: 'HLS (TS)',
        type: 'html5/application/vnd.apple.mpegurl',
        url: `${liveFolder(world, playbackId)}/index.m3u8`,
      };
      const thumbnail = {
        hrn: 'Thumbnail (JPEG)',
        type: 'image/jpeg',
        url: `${liveFolder(world, playbackId)}/thumbnails/latest.jpg`,
      };
      return describe('live', stream.isActive, [live, ...mp4Of(recording), ...(stream.isActive ? [thumbnail] : [])]);
    }
  }
  const session = [...world.sessions.values()].find((it) => it.playbackId === playbackId);
  if (session?.recordingUrl === undefined) return undefined;
  const hls = { hrn: 'HLS (TS)', type: 'html5/application/vnd.apple.mpegurl', url: session.recordingUrl };
  return describe('recording', false, [hls, ...mp4Of(session)]);
}

function describe(type: string, isLive: boolean, source: readonly Source[]): unknown {
  return { type, meta: { live: isLive ? 1 : 0, source } };
}

function mp4Of(session: DemoSession | undefined): readonly Source[] {
  return session?.mp4Url === undefined ? [] : [{ hrn: 'MP4', type: 'html5/video/mp4', url: session.mp4Url }];
}

function liveFolder(world: World, playbackId: string): string {
  return `${world.origin}/hls/${encodeURIComponent(playbackId)}`;
}
