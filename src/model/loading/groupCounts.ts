import { coalesce } from '../../util/async.ts';
import { type LoadContext, runInBackground } from './pagedLoader.ts';

// Longer than most responses take, and short enough for the first paint.
const AWAITED_FOR_MS = 1000;

/** Counts the streams in groups that aren't loaded, with a request for one row each, if the service counts. */
export class GroupCounts {
  readonly #context: LoadContext;
  #first: Promise<void> | undefined;

  constructor(context: LoadContext) {
    this.#context = context;
  }

  /** Counts once. Resolves when the counts are known, or earlier if they take long. Doesn't reject. */
  async ensure(): Promise<void> {
    this.#first ??= this.count();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const timer = this.#context.clock.setTimeout(() => resolve(undefined), AWAITED_FOR_MS);
    await Promise.race([this.#first, promise]);
    timer.dispose();
  }

  /** Counts again if it has counted before. */
  async recount(): Promise<void> {
    if (this.#first !== undefined) await this.count();
  }

  readonly count = coalesce(() => this.#runInBackground(() => [this.#countAll(), this.#countRecording()]));

  /** Counts the streams that match a filter that was just set. */
  readonly countMatching = coalesce(() => {
    const isKnown = this.#context.account.writer.snapshot.streamCount !== undefined;
    return this.#runInBackground(() => [isKnown ? undefined : this.#countAll(), this.#countRecording()]);
  });

  #runInBackground(start: () => readonly (Promise<void> | undefined)[]): Promise<void> {
    const run = async () => void (await Promise.all(start()));
    // A group's rows show what is wrong once it's expanded.
    return runInBackground(this.#context, run, () => {});
  }

  /** Counts all streams, unless the list of idle streams is loaded without a filter and so provides the count. */
  async #countAll(): Promise<void> {
    const { writer } = this.#context.account;
    const { filter, lists } = writer.snapshot;
    if (filter === '' && lists.idle.isLoaded) return;
    // Doesn't count the idle ones: the known active ones may be older, so those that ended would count twice.
    const count = await this.#context.account.countStreams('all', '');
    if (count !== undefined) writer.streamsCounted(count);
  }

  async #countRecording(): Promise<void> {
    const { writer } = this.#context.account;
    const { filter, lists, streamCount } = writer.snapshot;
    if (lists.recording.isLoaded || streamCount === 0) return;
    const count = await this.#context.account.countStreams('recording', filter);
    if (count !== undefined && writer.snapshot.filter === filter) writer.recordingCounted(count);
  }
}
