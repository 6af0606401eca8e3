import assert from 'node:assert/strict';
import { Refusal } from '../../../src/commands/refusal.ts';
import { reportPageFailure } from '../../../src/panels/page.ts';
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

  it('is said with the way to the log where nobody foresaw it, and quotes nothing', async () => {
    const { said, lines, logShown } = await tell(new Error('settings of /home/jo are read-only'), ['Show Log']);
    assert.deepEqual(said, [
      { severity: 'error', message: 'Something went wrong. See the log for details.', actions: ['Show Log'] },
    ]);
    assert.equal(logShown.length, 1);
    assert.match(lines.join(), /read-only/);
  });

  it('is not said where the person ended it', async () => {
    const { said } = await tell(new DOMException('over', 'AbortError'));
    assert.deepEqual(said, []);
  });
});
