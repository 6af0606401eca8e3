import assert from 'node:assert/strict';
import { withCommands } from '../../commands/fixture.ts';

describe('A session of which the id alone is known', () => {
  for (const status of [404, 405, 501]) {
    it(
      `is looked for page by page where the service answers ${status} to its id`,
      withCommands({}, async ({ context, service, requests }) => {
        service.control.fault(({ path, query }) => {
          if (path.endsWith('/session/s')) return { status, body: '{}' };
          const isSecond = query.includes('cursor=');
          const headers = isSecond ? {} : { link: '<http://x/?cursor=second>; rel="next"' };
          return { status: 200, headers, body: JSON.stringify([{ id: isSecond ? 's' : 'other' }]) };
        });
        assert.equal((await context.current.account.findSession('s'))?.id, 's');
        assert.match(requests().at(-1) ?? '', /^GET \/api\/session\?.*cursor=second/);
      }),
    );
  }

  it(
    'is nowhere when no page has the session',
    withCommands({}, async ({ context }) => {
      assert.equal(await context.current.account.findSession('nobody'), undefined);
    }),
  );

  it(
    'is not looked for where the service could not be asked, or will not say',
    withCommands({ isHurried: true }, async ({ context, service, requests }) => {
      for (const [status, reason] of [
        [403, 'forbidden'],
        [401, 'unauthorized'],
        [500, 'unavailable'],
      ] as const) {
        service.control.clearRequests();
        service.control.fault(() => ({ status, body: '{}' }));
        await assert.rejects(context.current.account.findSession('s'), { reason });
        assert.ok(!requests().some((request) => request.includes('/session?')), requests().join());
      }
    }),
  );
});
