import assert from 'node:assert/strict';
import { Emitter, either } from '../../../src/util/events.ts';

describe('An event', () => {
  it('reaches every listener, in the order they came, and each that listens twice twice', () => {
    const emitter = new Emitter<number>();
    const heard: string[] = [];
    const listen = (value: number) => void heard.push(`a${value}`);
    emitter.event(listen);
    emitter.event((value) => void heard.push(`b${value}`));
    emitter.event(listen);
    emitter.fire(1);
    assert.deepEqual(heard, ['a1', 'b1', 'a1']);
  });

  it('does not reach a listener that is disposed, also when that happens while it is fired', () => {
    const emitter = new Emitter<void>();
    const heard: string[] = [];
    emitter.event(() => {
      heard.push('first');
      second.dispose();
    });
    const second = emitter.event(() => void heard.push('second'));
    emitter.event(() => void heard.push('third'));
    emitter.fire();
    emitter.fire();
    assert.deepEqual(heard, ['first', 'third', 'first', 'third']);
  });

  it('stands for two events, until the listener is disposed', () => {
    const [a, b] = [new Emitter<number>(), new Emitter<string>()];
    let count = 0;
    const listening = either(a.event, b.event)(() => count++);
    a.fire(1);
    b.fire('x');
    assert.equal(count, 2);
    listening.dispose();
    a.fire(1);
    b.fire('x');
    assert.equal(count, 2);
  });

  it('goes on to the next listener where one throws, whose error is reported', () => {
    const errors: unknown[] = [];
    const emitter = new Emitter<void>((error) => void errors.push(error));
    const thrown = new Error('torn');
    let count = 0;
    emitter.event(() => {
      throw thrown;
    });
    emitter.event(() => count++);
    emitter.fire();
    assert.deepEqual([count, errors], [1, [thrown]]);
  });

  it('reaches nobody once its emitter is disposed', () => {
    const emitter = new Emitter<void>();
    emitter.event(() => assert.fail('heard'));
    emitter.dispose();
    emitter.fire();
  });
});
