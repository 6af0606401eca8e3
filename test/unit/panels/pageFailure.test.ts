import assert from 'node:assert/strict';
import { ApiError } from '../../../src/api/errors.ts';
import { noteFailure, reportPageFailure } from '../../../src/panels/page.ts';
import { Refusal } from '../../../src/texts/refusal.ts';
import { fakeLog, fakeUi } from '../../support/model/fakes.ts';

describe('What a page asked for and failed', () => {
  const tell = async (error: unknown, presses: string[] = []) => {
    const ui = fakeUi({ presses });
    const log = fakeLog();
    await reportPageFailure({ ui, log }, 'player', error);
    return { ...ui.seen, lines: log.lines };
  };

  it('is said in its own words where it has any', async () => {
    const { said, lines } = await tell(new Refusal('"a.png" could not be written.', { severity: 'error' }));
    assert.deepEqual(said, [{ severity: 'error', message: '"a.png" could not be written.', actions: [] }]);
    assert.deepEqual(lines, []);
  });

  it('is reported with the way to the log where nobody foresaw it, and quotes nothing', async () => {
    const { said, lines, logShown } = await tell(new Error('settings of /home/jo are read-only'), ['Show Log']);
    assert.deepEqual(said, [
      { severity: 'error', message: 'Something went wrong. See the log for details.', actions: ['Show Log'] },
    ]);
    assert.equal(logShown.length, 1);
    assert.match(lines.join(), /read-only/);
    assert.equal((await tell(new Error('odd'))).logShown.length, 0, 'only if the user asks for it');
  });

  it('is logged if it cannot be said', async () => {
    const log = fakeLog();
    const ui = fakeUi({}, { notify: () => Promise.reject(new Error('No window')) });
    await reportPageFailure({ ui, log }, 'player', new Error('odd'));
    assert.deepEqual(log.lines, [
      "The player page couldn't handle a request: Error: odd",
      "A failure couldn't be shown: Error: No window",
    ]);
  });

  it('is not reported where the person ended the action', async () => {
    const { said } = await tell(new DOMException('over', 'AbortError'));
    assert.deepEqual(said, []);
  });
});

describe('A failure in the log', () => {
  it('is one line if the service or the network failed, and the whole error if nobody foresaw it', () => {
    const log = fakeLog();
    noteFailure(log, 'It failed', new ApiError('network', 'No route'));
    noteFailure(log, 'It failed', new Error('odd'));
    assert.deepEqual(log.lines, ['It failed (network): No route', 'It failed: Error: odd']);
  });
});
