import assert from 'node:assert/strict';
import { isApiError } from '../../../../src/api/errors.ts';
import type { Abilities } from '../../../../src/api/types.ts';
import type { DemoStream } from '../../../../src/demo/demoState.ts';
import type { Account } from '../../../../src/model/account/account.ts';
import { changesOf } from '../../../../src/model/account/accountChanges.ts';
import { namesOf } from '../../../../src/model/account/accountNames.ts';
import { signingKeysOf } from '../../../../src/model/account/accountSigningKeys.ts';
import { targetsOf } from '../../../../src/model/account/accountTargets.ts';
import type { Change } from '../../../../src/model/changes.ts';
import { type Fixture, withCommands } from '../../commands/fixture.ts';

/** What an operation is tried on: two idle streams, a target of the first, a signing key, and a webhook. */
interface Subject {
  readonly account: Account;
  readonly id: string;
  readonly other: string;
  readonly target: string;
  readonly key: string;
  readonly webhook: string;
}

interface Operation {
  readonly run: (subject: Subject) => Promise<unknown>;
  /** What is sent that isn't a read, or the reads of an operation that only reads: the line, and the body. */
  readonly sends: (subject: Subject) => readonly (readonly [line: string, body?: unknown])[];
  /** What the service has afterwards. */
  readonly shows?: (fixture: Fixture, subject: Subject) => unknown;
  readonly expected?: unknown | ((subject: Subject) => unknown);
  /** What is lost where the service has no such request. */
  readonly ability?: keyof Abilities;
  /** Where the service has no such request, and so nothing to run it on. */
  readonly isGoneThere?: boolean;
  /** What comes of a status; default: as of a change to a stream. */
  readonly answers?: Readonly<Record<number, string>>;
}

const PROFILE = { name: '360p0', width: 640, height: 360, bitrate: 800_000, fps: 0 };
const TAGS = { event: 'Summit', years: [2025, 2026] };
const URL = 'rtmps://live.example/app/planted-target-key';

const change = (planned: Change) => ({
  run: ({ account, id }: Subject) => changesOf(account).change(id, planned),
});
const patches = (body: unknown) => ({ sends: ({ id }: Subject) => [[`PATCH /stream/${id}`, body]] as const });
const stream = <K extends keyof DemoStream>(field: K) => ({
  shows: ({ service }: Fixture, { id }: Subject) => service.control.streams().find((each) => each.id === id)?.[field],
});
const policy = (type: string, webhookId?: string, allowedOrigins: readonly string[] = []): Change => ({
  operation: 'settingPolicy',
  policy: { type, webhookId, allowedOrigins },
});

const OF_A_CHANGE: Readonly<Record<number, string>> = {
  400: 'failed rejected',
  401: 'failed unauthorized',
  403: 'failed forbidden',
  404: 'failed changeNotFound',
  405: 'failed notOffered',
  422: 'failed rejected',
  429: 'failed rateLimited',
  500: 'uncertain unavailable',
  501: 'failed notOffered',
  503: 'uncertain unavailable',
};
/** Their methods throw what wasn't done; it isn't known whether it was after a 5xx. */
const THROWN = { 500: 'failed unavailable', 503: 'failed unavailable' };
const NO_SUCH_LIST = { ...THROWN, 404: 'failed notOffered' };
/** These are sent one by one then. */
const APART = { 400: 'apart', 404: 'apart', 405: 'apart', 422: 'apart', 501: 'apart' };

const OPERATIONS: Readonly<Record<string, Operation>> = {
  'sets the policy: jwt, with origins': {
    ...change(policy('jwt', undefined, ['https://a.example'])),
    ...patches({ playbackPolicy: { type: 'jwt', allowedOrigins: ['https://a.example'] } }),
    ...stream('playbackPolicy'),
    expected: { type: 'jwt', allowedOrigins: ['https://a.example'] },
    ability: 'playbackPolicy',
  },
  'sets the policy: webhook': {
    run: ({ account, id, webhook }) => changesOf(account).change(id, policy('webhook', webhook)),
    sends: ({ id, webhook }) => [[`PATCH /stream/${id}`, { playbackPolicy: { type: 'webhook', webhookId: webhook } }]],
    ...stream('playbackPolicy'),
    expected: ({ webhook }: Subject) => ({ type: 'webhook', webhookId: webhook }),
    ability: 'playbackPolicy',
  },
  'sets the policy: public': {
    ...change(policy('public')),
    ...patches({ playbackPolicy: { type: 'public' } }),
    ...stream('playbackPolicy'),
    expected: { type: 'public' },
    ability: 'playbackPolicy',
  },
  'sets tags': {
    ...change({ operation: 'settingTags', tags: TAGS }),
    ...patches({ userTags: TAGS }),
    ...stream('userTags'),
    expected: TAGS,
    ability: 'patch',
  },
  'sets renditions': {
    ...change({ operation: 'settingRenditions', profiles: [PROFILE] }),
    ...patches({ profiles: [PROFILE] }),
    ...stream('profiles'),
    expected: [PROFILE],
    ability: 'patch',
  },
  'deletes several streams': {
    run: ({ account, id, other }) => changesOf(account).deleteTogether([id, other]),
    sends: ({ id, other }) => [['DELETE /stream', { ids: [id, other] }]],
    shows: ({ service }, { id, other }) =>
      service.control.streams().filter((each) => each.id === id || each.id === other).length,
    expected: 0,
    answers: APART,
  },
  'lists signing keys': {
    run: ({ account }) => signingKeysOf(account).list(),
    sends: () => [['GET /access-control/signing-key?limit=1000']],
    ability: 'signingKeys',
    answers: NO_SUCH_LIST,
  },
  'creates a signing key': {
    run: ({ account }) => signingKeysOf(account).create('Website'),
    sends: () => [['POST /access-control/signing-key', { name: 'Website' }]],
    shows: ({ service }) => service.control.signingKeys().at(-1)?.name,
    expected: 'Website',
    ability: 'signingKeys',
    answers: NO_SUCH_LIST,
  },
  'deletes a signing key': {
    run: ({ account, key }) => signingKeysOf(account).delete(key),
    sends: ({ key }) => [[`DELETE /access-control/signing-key/${key}`]],
    shows: ({ service }, { key }) => service.control.signingKeys().some(({ id }) => id === key),
    expected: false,
    ability: 'signingKeys',
    answers: { ...THROWN, 404: 'failed notOffered' },
  },
  'lists targets': {
    run: ({ account }) => targetsOf(account).readAll(),
    sends: () => [['GET /user/me'], ['GET /multistream/target?userId=OWN&limit=1000']],
    ability: 'multistream',
    answers: NO_SUCH_LIST,
  },
  'adds a target': {
    run: ({ account, id, target }) => {
      const targets = [{ id: target, profile: 'source' }];
      return targetsOf(account).add({ id, targets }, { name: 'Elsewhere', url: URL, profile: 'source' });
    },
    sends: ({ id }) => [
      [`POST /stream/${id}/create-multistream-target`, { profile: 'source', spec: { name: 'Elsewhere', url: URL } }],
    ],
    shows: ({ service }) => service.control.targets().at(-1)?.url,
    expected: URL,
    ability: 'multistream',
    answers: THROWN,
  },
  'turns a target off': {
    run: ({ account, target }) =>
      targetsOf(account).setDisabled({ id: target, name: 'Known', isDisabled: false }, true),
    sends: ({ target }) => [[`PATCH /multistream/target/${target}`, { disabled: true }]],
    shows: ({ service }, { target }) => service.control.targets().find(({ id }) => id === target)?.disabled,
    expected: true,
    ability: 'multistream',
    isGoneThere: true,
    answers: THROWN,
  },
  'removes a target from a stream': {
    run: ({ account, id, target }) => targetsOf(account).remove(id, target),
    sends: ({ id, target }) => [[`DELETE /stream/${id}/multistream/${target}`]],
    ...stream('multistream'),
    expected: { targets: [] },
    ability: 'multistream',
    answers: THROWN,
  },
};

async function subjectOf({ service, context }: Fixture): Promise<Subject> {
  const { control } = service;
  const target = control.addTarget({ name: 'Known', url: URL }).id;
  const multistream = { targets: [{ id: target, profile: 'source' }] };
  const [id, other] = ['One', 'Two'].map((name) => control.addStream({ name, multistream, profiles: [] }).id);
  assert.ok(id !== undefined && other !== undefined);
  const { account } = context.connection;
  await account.readStream(id);
  const subject = {
    ...{ account, id, other, target },
    key: control.addSigningKey('Old').id,
    webhook: control.addWebhook({ url: 'https://hooks.example/', events: ['playback.accessControl'] }).id,
  };
  control.clearRequests();
  return subject;
}

async function outcomeOf(run: Promise<unknown>): Promise<string> {
  try {
    const value = await run.then((each) => (each instanceof Map ? [...each.values()][0] : each));
    if (value === undefined) return 'done';
    const { kind = 'done', error } = value as { readonly kind?: string; readonly error?: unknown };
    return isApiError(error) ? `${kind} ${error.why ?? error.reason}` : kind;
  } catch (error) {
    if (!isApiError(error)) throw error;
    return `failed ${error.why ?? error.reason}`;
  }
}

/** `deleteTogether` returns nothing where it did nothing. */
async function tryOut({ run }: Operation, subject: Subject): Promise<string> {
  let isApart = false;
  const outcome = await outcomeOf(
    run(subject).then((value) => {
      isApart = value === undefined && run === OPERATIONS['deletes several streams']?.run;
      return value;
    }),
  );
  return isApart ? 'apart' : outcome;
}

function sent({ service }: Fixture, isRead: boolean): readonly (readonly [line: string, body?: unknown])[] {
  return service.control.requests
    .filter(({ method }) => (method === 'GET') === isRead)
    .map(({ method, path, query, body }) => {
      const asked = query === undefined || query === '' ? '' : `?${query.replace(/^\?/, '')}`;
      const line = `${method} ${path.replace('/api', '')}${asked.replace(/userId=[^&]+/, 'userId=OWN')}`;
      return body === undefined || body === '' ? [line] : [line, JSON.parse(body)];
    });
}

const isRead = (operation: Operation, subject: Subject) =>
  operation.sends(subject).every(([line]) => line.startsWith('GET'));
const lineOf = (operation: Operation, subject: Subject) => operation.sends(subject).at(-1)?.[0].split('?')[0] ?? '';

describe('Every operation on access, targets, tags, renditions, and several streams', () => {
  for (const [name, operation] of Object.entries(OPERATIONS)) {
    for (const face of ['full', 'indifferent'] as const) {
      it(
        `${name} is sent once, as the interface says (${face})`,
        withCommands({ isHurried: true, demo: { face } }, async (fixture) => {
          const subject = await subjectOf(fixture);
          assert.equal(await tryOut(operation, subject), 'done');
          assert.deepEqual(sent(fixture, isRead(operation, subject)), operation.sends(subject));
          const { expected } = operation;
          const wanted: unknown = typeof expected === 'function' ? expected(subject) : expected;
          assert.deepEqual(operation.shows?.(fixture, subject), wanted);
          assert.equal(fixture.context.store.snapshot.connection.kind, 'open');
        }),
      );
    }

    it(
      `${name}: not on a service that has only what is stated, which is remembered (strict)`,
      withCommands({ isHurried: true, demo: { face: 'strict' } }, async (fixture) => {
        const subject = await subjectOf(fixture);
        const { ability } = operation;
        // A single 404 to a change may be that of a lagging replica.
        const outcomes = [await tryOut(operation, subject), await tryOut(operation, subject)];
        if (ability === undefined) {
          assert.deepEqual([outcomes, changesOf(subject.account).canDeleteTogether], [['apart', 'apart'], false]);
          return;
        }
        if (operation.isGoneThere) return assert.deepEqual(outcomes, ['failed notFound', 'failed notFound']);
        assert.equal(outcomes.at(-1), 'failed notOffered', name);
        assert.equal(fixture.context.store.snapshot.abilities[ability], false);
        subject.account.resetAbilities();
        assert.equal(fixture.context.store.snapshot.abilities[ability], true);
      }),
    );

    for (const [status, ofChange] of Object.entries(OF_A_CHANGE)) {
      it(
        `${name} is refused with ${status}, and sent no more than once`,
        withCommands({ isHurried: true }, async (fixture) => {
          const subject = await subjectOf(fixture);
          const line = lineOf(operation, subject);
          const isOperation = (method: string, path: string) => `${method} ${path.replace('/api', '')}` === line;
          fixture.service.control.fault(({ method, path }) =>
            isOperation(method, path) ? { status: Number(status), body: '{"errors":["no"]}' } : undefined,
          );
          const before = operation.shows?.(fixture, subject);
          assert.equal(await tryOut(operation, subject), operation.answers?.[Number(status)] ?? ofChange);
          assert.deepEqual(operation.shows?.(fixture, subject), before, 'nothing was changed');
          if (!line.startsWith('GET')) {
            const again = fixture.service.control.requests.filter(({ method, path }) => isOperation(method, path));
            assert.equal(again.length, 1);
          }
          const { kind } = fixture.context.store.snapshot.connection;
          assert.equal(kind, status === '401' ? 'refused' : 'open', 'only a 401 is about the key');
          assert.ok(!fixture.log.lines.join('\n').includes('planted-target-key'));
        }),
      );
    }
  }
});

describe('What the service itself refuses', () => {
  const settingPolicy = (webhookId: string) => policy('webhook', webhookId);
  const isGone =
    (planned: Change): Operation['run'] =>
    ({ account }) =>
      changesOf(account).change('gone', planned);
  const add =
    (fields: { url?: string; profile?: string }): Operation['run'] =>
    ({ account, id }) =>
      targetsOf(account).add({ id, targets: [] }, { name: 'x', url: URL, profile: 'source', ...fields });
  const cases: Readonly<Record<string, readonly [run: Operation['run'], outcome: string]>> = {
    'a policy of a webhook that isn’t there': [
      ({ account, id }) => changesOf(account).change(id, settingPolicy('none')),
      'failed rejected',
    ],
    'the policy of a stream that is gone': [isGone(policy('jwt')), 'gone'],
    'tags of more than 2,048 characters': [
      change({ operation: 'settingTags', tags: { a: 'x'.repeat(2048) } }).run,
      'failed rejected',
    ],
    'tags in tags': [change({ operation: 'settingTags', tags: { a: { b: 'c' } } }).run, 'failed rejected'],
    'tags of a stream that is gone': [isGone({ operation: 'settingTags', tags: TAGS }), 'gone'],
    'renditions without a bitrate': [
      change({ operation: 'settingRenditions', profiles: [{ name: '240p' }] }).run,
      'failed rejected',
    ],
    'renditions of a stream that is gone': [isGone({ operation: 'settingRenditions', profiles: [] }), 'gone'],
    'several streams of which one is gone': [
      ({ account, id }) => changesOf(account).deleteTogether([id, 'gone']),
      'done',
    ],
    'a target at a web address': [add({ url: 'https://live.example/app/key' }), 'failed rejected'],
    'a target for a rendition that isn’t there': [add({ profile: 'none' }), 'failed rejected'],
    'a target of a stream that is gone': [
      ({ account }) => targetsOf(account).add({ id: 'gone', targets: [] }, { name: 'x', url: URL, profile: 'source' }),
      'failed notFound',
    ],
    'a target that is gone': [
      ({ account }) => targetsOf(account).setDisabled({ id: 'gone', name: '', isDisabled: false }, true),
      'failed notFound',
    ],
    'a signing key that is gone, which is as good as deleted': [
      ({ account }) => signingKeysOf(account).delete('gone'),
      'done',
    ],
  };
  for (const [name, [run, outcome]] of Object.entries(cases)) {
    it(
      `${name}: ${outcome}`,
      withCommands({ isHurried: true }, async (fixture) => {
        const subject = await subjectOf(fixture);
        const before = fixture.service.control.streams();
        assert.equal(await outcomeOf(run(subject)), outcome);
        assert.deepEqual(fixture.service.control.streams(), before);
        assert.ok(!fixture.log.lines.join('\n').includes('planted-target-key'));
      }),
    );
  }

  it(
    'renditions while the stream is live',
    withCommands({ isHurried: true }, async (fixture) => {
      const { account, id } = await subjectOf(fixture);
      fixture.service.control.startBroadcast(id);
      const outcome = await changesOf(account).change(id, { operation: 'settingRenditions', profiles: [PROFILE] });
      assert.deepEqual(outcome, { kind: 'refusedAsLive' });
    }),
  );

  it(
    'asks for the names of an account in the two stated-as-seen requests alone',
    withCommands({}, async (fixture) => {
      await namesOf(fixture.context.connection.account).read();
      assert.deepEqual([...sent(fixture, true)].map(([line]) => line).sort(), ['GET /project', 'GET /user/me']);
    }),
  );
});
