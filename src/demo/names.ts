import { pick, type Random } from './random.ts';

/** Decides at which hours and for how long a stream is on air. */
export type Habit = 'meeting' | 'show' | 'service' | 'camera' | 'test' | 'event' | 'lesson';

export type Trait = 'never seen' | 'suspended' | 'in project' | 'pulled' | 'unhealthy';

export interface Character {
  readonly name: string;
  readonly habit: Habit;
  readonly isRecorded?: boolean;
  readonly traits?: readonly Trait[];
}

const LONG_NAME =
  'Quarterly all-hands with questions from every office, interpreted into six languages, rehearsal room and green room ' +
  'included, please do not reuse this one for the investor call because its recordings are kept for seven years and the ' +
  'archive team files them by this very name';

/** The most interesting first. The first five are live at the start. */
export const CHARACTERS: readonly Character[] = [
  { name: 'Keynote', habit: 'event', isRecorded: true, traits: ['in project'] },
  { name: 'Bird nest cam', habit: 'camera', traits: ['pulled'] },
  { name: 'Back stage', habit: 'event', traits: ['in project', 'unhealthy'] },
  { name: 'Quiz Night with Ola', habit: 'show', traits: ['in project'] },
  { name: 'Conference room 4B', habit: 'meeting' },
  { name: 'Sunday service, St. Brigid', habit: 'service', isRecorded: true },
  { name: 'Slow Kitchen: bread week', habit: 'show', isRecorded: true, traits: ['in project'] },
  { name: 'Product launch: Heron 2', habit: 'event', isRecorded: true, traits: ['in project'] },
  { name: 'ci-smoke-main', habit: 'test' },
  { name: 'Town hall', habit: 'meeting', isRecorded: true, traits: ['in project'] },
  { name: 'Old partner feed', habit: 'event', traits: ['suspended'] },
  { name: 'New stream (not set up yet)', habit: 'show', traits: ['never seen'] },
  { name: '🎸 Garage sessions 🎶', habit: 'show', isRecorded: true },
  { name: 'أخبار المساء', habit: 'show', isRecorded: true },
  { name: '', habit: 'test' },
  { name: LONG_NAME, habit: 'meeting', isRecorded: true },
  { name: 'Harbour webcam north', habit: 'camera' },
  { name: 'Harbour webcam south', habit: 'camera' },
  { name: 'Algebra 2, Ms. Okafor', habit: 'lesson', isRecorded: true },
  { name: 'Physics lab 9c', habit: 'lesson' },
  { name: 'Chess club finals', habit: 'event', isRecorded: true, traits: ['in project'] },
  { name: 'Yoga at seven', habit: 'lesson', isRecorded: true },
  { name: 'ci-smoke-release', habit: 'test' },
  { name: 'ci-webrtc-ingest', habit: 'test', isRecorded: true },
  { name: 'loadtest 200 viewers', habit: 'test' },
  { name: 'Guess the Price!', habit: 'show', traits: ['in project'] },
  { name: 'Evensong', habit: 'service' },
  { name: 'Parish council', habit: 'meeting', isRecorded: true },
  { name: 'Board meeting (private)', habit: 'meeting', isRecorded: true, traits: ['in project'] },
  { name: 'Développeurs & café ☕', habit: 'meeting' },
  { name: 'Radio studio A', habit: 'show' },
  { name: 'Radio studio B', habit: 'show' },
  { name: 'Football U15 Saturday', habit: 'event', isRecorded: true },
  { name: 'Swim meet lane camera', habit: 'event' },
  { name: 'Observatory dome', habit: 'camera', isRecorded: true },
  { name: 'Aquarium: jellyfish', habit: 'camera' },
  { name: 'Beehive 3', habit: 'camera' },
  { name: 'Traffic, Bridge Street', habit: 'camera' },
  { name: 'Weather mast', habit: 'camera' },
  { name: 'Standup, platform team', habit: 'meeting' },
  { name: 'Design review', habit: 'meeting', isRecorded: true },
  { name: 'Onboarding, week 1', habit: 'lesson', isRecorded: true },
  { name: 'Customer webinar (EMEA)', habit: 'event', isRecorded: true, traits: ['in project'] },
  { name: 'Customer webinar (APAC)', habit: 'event', isRecorded: true, traits: ['in project'] },
  { name: 'Auction house, room 1', habit: 'event', isRecorded: true },
  { name: 'Film festival Q&A', habit: 'event', isRecorded: true },
  { name: 'Open mic | Thursday', habit: 'show', isRecorded: true },
  { name: 'Pottery with <Jo>', habit: 'lesson' },
  { name: 'Speedrun marathon', habit: 'show' },
  { name: 'Retro games hour', habit: 'show', isRecorded: true },
  { name: 'Language café: Deutsch', habit: 'lesson' },
  { name: '料理教室', habit: 'lesson', isRecorded: true },
  { name: 'Drone test flight', habit: 'test', isRecorded: true },
  { name: 'Encoder bench (do not delete)', habit: 'test' },
  { name: 'rtmp-probe-fra', habit: 'test' },
  { name: 'rtmp-probe-sin', habit: 'test' },
  { name: 'Wedding, Lind & Amari', habit: 'event', isRecorded: true },
  { name: 'Graduation ceremony', habit: 'event', isRecorded: true },
  { name: 'City council', habit: 'meeting', isRecorded: true },
  { name: 'Night sky', habit: 'camera' },
];

const PLACES = ['Hall', 'Studio', 'Lobby', 'Campus', 'Arena', 'Gallery', 'Workshop', 'Rooftop', 'Library', 'Stadium'];
const THINGS: readonly (readonly [string, Habit])[] = [
  ['camera', 'camera'],
  ['talk', 'meeting'],
  ['class', 'lesson'],
  ['show', 'show'],
  ['rehearsal', 'event'],
  ['feed', 'test'],
];

export function characterAt(index: number, random: Random): Character {
  const known = CHARACTERS[index];
  if (known) return known;
  const [thing, habit] = pick(random, THINGS) ?? ['camera', 'camera'];
  const name = `${pick(random, PLACES)} ${thing} ${index + 1}`;
  return { name, habit, isRecorded: random.fraction() < 0.3 };
}
