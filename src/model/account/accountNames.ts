import { createCaller } from '../../api/calls.ts';
import { listProjects, type Project, readEmail } from '../../api/connectRequests.ts';
import { isBlank, oneLine } from '../../util/text.ts';
import type { Snapshot } from '../store/snapshot.ts';
import { createdPerAccount, type LateRequests } from './accountParts.ts';
import { orUndefined } from './serviceChecks.ts';

const LONGEST_NAME = 100;

/** Reads the names of an open connection's account and project. */
class NamesReader {
  readonly #options: LateRequests;
  #reading: Promise<void> | undefined;

  constructor(options: LateRequests) {
    this.#options = options;
    options.onDidReset(() => {
      this.#reading = undefined;
    });
  }

  /** Reads the names once until the user refreshes, and writes them to the store. Doesn't throw ApiError. */
  read(): Promise<void> {
    this.#reading ??= this.#read();
    return this.#reading;
  }

  async #read(): Promise<void> {
    const { apiOptions, parts, run, signal } = this.#options;
    const { writer } = parts;
    const call = createCaller(apiOptions, apiOptions.secrets);
    try {
      const [projects = [], email] = await Promise.all([
        orUndefined(run((either) => listProjects(call, { signal: either }))),
        orUndefined(run((either) => readEmail(call, { signal: either }))),
      ]);
      const clean = (name = '') => {
        const text = oneLine(apiOptions.secrets.strip(name), LONGEST_NAME);
        return isBlank(text) ? undefined : text;
      };
      writer.accountNamed({ project: clean(projectOf(projects, writer.snapshot)), email: clean(email) });
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}

/** Returns the name of the only project, or of the streams' project: a key lists streams of its own project only. */
function projectOf(projects: readonly Project[], { streams }: Snapshot): string | undefined {
  const [only, ...others] = projects;
  if (others.length === 0) return only?.name;
  const used = [...streams.values()].find(({ stream }) => stream.projectId !== undefined)?.stream.projectId;
  return used === undefined ? undefined : projects.find(({ id }) => id === used)?.name;
}

export const namesOf = createdPerAccount(
  ({ lateRequests }: { readonly lateRequests: LateRequests }) => new NamesReader(lateRequests),
);
