import { t } from '@vscode/l10n';
import { describeError } from '../api/describeError.ts';
import { isAbortError } from '../api/errors.ts';
import type { Session } from '../api/types.ts';
import type { CommandContext } from '../commands/context.ts';
import { isRefusal } from '../commands/refusal.ts';
import type { SnapshotChange } from '../model/store/snapshot.ts';
import { findHlsUrl, loadSubject, lookAtSubject, type SubjectParts } from './detailsLoading.ts';
import { noteFailure } from './noteFailure.ts';
import type { PanelSubject } from './playerFinder.ts';
import type { SubjectContext } from './playerSubject.ts';

type Context = SubjectContext & Pick<CommandContext, 'loader'>;

export class DetailsSubject {
  readonly #context: Context;
  readonly #target: PanelSubject;
  /** Incremented by every load; results of older loads are ignored. */
  #loads = 0;
  #session: Session | undefined;
  #parentId: string | undefined;
  #hlsUrl: string | undefined;
  #trouble: string | undefined;
  /** False if the stream or session is gone: retrying does not help. */
  #canMend = false;

  constructor(context: Context, target: PanelSubject) {
    this.#context = context;
    this.#target = target;
    this.#session = target.session;
  }

  get session(): Session | undefined {
    return this.#session;
  }

  get trouble(): string | undefined {
    return this.#trouble;
  }

  get isBroken(): boolean {
    return this.#trouble !== undefined && this.#canMend;
  }

  isMendedBy({ previous, current }: SnapshotChange): boolean {
    return this.isBroken && previous.trouble !== undefined && current.trouble === undefined;
  }

  parts(name: string): SubjectParts {
    const parts = { target: this.#target, session: this.#session, parentId: this.#parentId };
    return { ...parts, name, hlsUrl: this.#hlsUrl };
  }

  /** Called when the connection was opened again: the session's addresses may have changed, or it may be gone. */
  forgetSession(): void {
    this.#parentId = this.#session?.parentId ?? this.#parentId;
    this.#session = undefined;
  }

  forgetTrouble(): void {
    this.#trouble = undefined;
  }

  stop(): void {
    this.#loads += 1;
  }

  /** Loads what is not known yet. Resolves with false if stopped or superseded by another load. Does not throw. */
  async load(name: string): Promise<boolean> {
    const load = ++this.#loads;
    try {
      const session = await loadSubject(this.#context, this.parts(name));
      const hlsUrl = await findHlsUrl(this.#context, this.parts(name));
      if (load !== this.#loads) return false;
      this.#session = session;
      this.#hlsUrl = hlsUrl;
      this.#trouble = undefined;
    } catch (error) {
      if (load !== this.#loads) return false;
      this.#trouble = this.#troubleOf(error);
      this.#canMend = !isRefusal(error);
    }
    return true;
  }

  async look(name: string, intervalMs: number): Promise<void> {
    try {
      this.#session = await lookAtSubject(this.#context, this.parts(name), intervalMs);
    } catch (error) {
      this.#context.log.debug(`Looking again at the details failed: ${String(error)}`);
    }
  }

  #troubleOf(error: unknown): string | undefined {
    const { current, log } = this.#context;
    if (isAbortError(error)) return undefined;
    if (isRefusal(error)) return error.sentence;
    noteFailure(log, 'The details could not be loaded', error);
    return describeError(error, { service: current.info?.name ?? t('The service') });
  }
}
