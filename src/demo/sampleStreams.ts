import { pick, type Random } from './random.ts';

export type ScheduleName = 'meeting' | 'show' | 'service' | 'camera' | 'test' | 'event' | 'lesson';

export type Trait = 'never seen' | 'suspended' | 'in project' | 'pulled' | 'unhealthy';

export interface SampleStream {
  readonly name: string;
  readonly schedule: ScheduleName;
  readonly isRecorded?: boolean;
  readonly traits?: readonly Trait[];
}

const LONG_NAME =
  'Quarterly all-hands with questions from every office, interpreted into six languages, rehearsal room and green room ' +
  'included, please do not reuse this one for the investor call because its recordings are kept for seven years and the ' +
  'archive team files them by this very name';

/** The most interesting first. The first five are live at the start. */
const SAMPLE_STREAMS: readonly SampleStream[] = [
  { name: 'Keynote', schedule: 'event', isRecorded: true, traits: ['in project'] },
  { name: 'Bird nest cam', schedule: 'camera', traits: ['pulled'] },
  { name: 'Back stage', schedule: 'event', traits: ['in project', 'unhealthy'] },
  { name: 'Quiz Night with Ola', schedule: 'show', traits: ['in project'] },
  { name: 'Conference room 4B', schedule: 'meeting' },
  { name: 'Sunday service, St. Brigid', schedule: 'service', isRecorded: true },
  { name: 'Slow Kitchen: bread week', schedule: 'show', isRecorded: true, traits: ['in project'] },
  { name: 'Product launch: Heron 2', schedule: 'event', isRecorded: true, traits: ['in project'] },
  { name: 'ci-smoke-main', schedule: 'test' },
  { name: 'Town hall', schedule: 'meeting', isRecorded: true, traits: ['in project'] },
  { name: 'Old partner feed', schedule: 'event', traits: ['suspended'] },
  { name: 'New stream (not set up yet)', schedule: 'show', traits: ['never seen'] },
  { name: '🎸 Garage sessions 🎶', schedule: 'show', isRecorded: true },
  { name: 'أخبار المساء', schedule: 'show', isRecorded: true },
  { name: '', schedule: 'test' },
  { name: LONG_NAME, schedule: 'meeting', isRecorded: true },
  { name: 'Harbour webcam north', schedule: 'camera' },
  { name: 'Harbour webcam south', schedule: 'camera' },
  { name: 'Algebra 2, Ms. Okafor', schedule: 'lesson', isRecorded: true },
  { name: 'Physics lab 9c', schedule: 'lesson' },
  { name: 'Chess club finals', schedule: 'event', isRecorded: true, traits: ['in project'] },
  { name: 'Yoga at seven', schedule: 'lesson', isRecorded: true },
  { name: 'ci-smoke-release', schedule: 'test' },
  { name: 'ci-webrtc-ingest', schedule: 'test', isRecorded: true },
  { name: 'loadtest 200 viewers', schedule: 'test' },
  { name: 'Guess the Price!', schedule: 'show', traits: ['in project'] },
  { name: 'Evensong', schedule: 'service' },
  { name: 'Parish council', schedule: 'meeting', isRecorded: true },
  { name: 'Board meeting (private)', schedule: 'meeting', isRecorded: true, traits: ['in project'] },
  { name: 'Développeurs & café ☕', schedule: 'meeting' },
  { name: 'Radio studio A', schedule: 'show' },
  { name: 'Radio studio B', schedule: 'show' },
  { name: 'Football U15 Saturday', schedule: 'event', isRecorded: true },
  { name: 'Swim meet lane camera', schedule: 'event' },
  { name: 'Observatory dome', schedule: 'camera', isRecorded: true },
  { name: 'Aquarium: jellyfish', schedule: 'camera' },
  { name: 'Beehive 3', schedule: 'camera' },
  { name: 'Traffic, Bridge Street', schedule: 'camera' },
  { name: 'Weather mast', schedule: 'camera' },
  { name: 'Standup, platform team', schedule: 'meeting' },
  { name: 'Design review', schedule: 'meeting', isRecorded: true },
  { name: 'Onboarding, week 1', schedule: 'lesson', isRecorded: true },
  { name: 'Customer webinar (EMEA)', schedule: 'event', isRecorded: true, traits: ['in project'] },
  { name: 'Customer webinar (APAC)', schedule: 'event', isRecorded: true, traits: ['in project'] },
  { name: 'Auction house, room 1', schedule: 'event', isRecorded: true },
  { name: 'Film festival Q&A', schedule: 'event', isRecorded: true },
  { name: 'Open mic | Thursday', schedule: 'show', isRecorded: true },
  { name: 'Pottery with <Jo>', schedule: 'lesson' },
  { name: 'Speedrun marathon', schedule: 'show' },
  { name: 'Retro games hour', schedule: 'show', isRecorded: true },
  { name: 'Language café: Deutsch', schedule: 'lesson' },
  { name: '料理教室', schedule: 'lesson', isRecorded: true },
  { name: 'Drone test flight', schedule: 'test', isRecorded: true },
  { name: 'Encoder bench (do not delete)', schedule: 'test' },
  { name: 'rtmp-probe-fra', schedule: 'test' },
  { name: 'rtmp-probe-sin', schedule: 'test' },
  { name: 'Wedding, Lind & Amari', schedule: 'event', isRecorded: true },
  { name: 'Graduation ceremony', schedule: 'event', isRecorded: true },
  { name: 'City council', schedule: 'meeting', isRecorded: true },
  { name: 'Night sky', schedule: 'camera' },
];

const PLACES = ['Hall', 'Studio', 'Lobby', 'Campus', 'Arena', 'Gallery', 'Workshop', 'Rooftop', 'Library', 'Stadium'];
const THINGS: readonly (readonly [string, ScheduleName])[] = [
  ['camera', 'camera'],
  ['talk', 'meeting'],
  ['class', 'lesson'],
  ['show', 'show'],
  ['rehearsal', 'event'],
  ['feed', 'test'],
];

export function sampleStreamAt(index: number, random: Random): SampleStream {
  const known = SAMPLE_STREAMS[index];
  if (known) return known;
  const [thing, schedule] = pick(random, THINGS) ?? ['camera', 'camera'];
  const name = `${pick(random, PLACES)} ${thing} ${index + 1}`;
  return { name, schedule, isRecorded: random.fraction() < 0.3 };
}
