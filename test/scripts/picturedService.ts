import { type DemoService, type FaultRule, startDemo } from '../support/demo/demoService.ts';
import { createTestClock } from '../support/model/testClock.ts';
import { inProject } from '../support/projectFolder.ts';
import type { PictureClip } from './pictureClip.ts';

/** The stream that the pictures show. */
export const PICTURED = 'Keynote';

const PROFILES = [
  { name: '360p', fps: 30, bitrate: 800_000, width: 640, height: 360 },
  { name: '720p', fps: 30, bitrate: 3_000_000, width: 1280, height: 720 },
];

/** The demo, the same in each picture: it stands still, and shows the clip. */
export async function startPicturedService(clip: PictureClip): Promise<DemoService> {
  const { service, stream } = await startWithSessions(7);
  // The browser from npm has no font for other scripts and emoji, and would draw nothing.
  for (const { id, name } of service.control.streams()) {
    if (/[\p{Script=Han}\p{Script=Arabic}]/u.test(name)) service.control.setStream(id, { name: 'Cooking class' });
    else service.control.setStream(id, { name: name.replace(/\p{Emoji_Presentation}/gu, '').trim() });
  }
  service.control.setStream(stream.id, { profiles: PROFILES });
  service.control.fault(answerClip(clip));
  return service;
}

/** A demo whose pictured stream has at least so many sessions: what it has follows from the time of day too. */
async function startWithSessions(count: number) {
  for (let seed = 1; seed < 100; seed++) {
    const held = { clock: createTestClock(), mediaRoot: inProject('media/demo'), isLively: false };
    const service = await startDemo({ ...held, seed, account: { projects: ['Studio'] } });
    const stream = service.control.streams().find(({ name }) => name === PICTURED);
    if (stream !== undefined && service.control.sessions(stream.id).length >= count) return { service, stream };
    await service.dispose();
  }
  throw new Error(`No demo has a ${PICTURED} with ${count} sessions`);
}

/** Answers with the clip where the demo has its own. */
function answerClip({ segments, thumbnail }: PictureClip): FaultRule {
  return ({ path }) => {
    const number = /^\/segments\/[a-z]+\/[a-z]+(\d)\.ts$/.exec(path)?.[1];
    const body = path.endsWith('/thumbnails/latest.jpg') ? thumbnail : segments[Number(number)];
    if (body === undefined) return undefined;
    const type = body === thumbnail ? 'image/jpeg' : 'video/mp2t';
    const headers = { 'content-type': type, 'content-length': String(body.length), 'access-control-allow-origin': '*' };
    return { status: 200, headers, body };
  };
}
