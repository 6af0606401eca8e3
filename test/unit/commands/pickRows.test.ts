import assert from 'node:assert/strict';
import { PickRows } from '../../../src/commands/targets/pickRows.ts';
import type { PickItem } from '../../../src/services.ts';
import { fieldsOf } from '../../support/fieldsOf.ts';

const item = (label: string): PickItem<string> => ({ label, value: label });

/** A picker as the editor draws it: given rows, it highlights the first that matches, and then what it is asked to. */
class Picker {
  readonly rows = new PickRows<string>();
  highlighted: PickItem<string> | undefined;
  shown: readonly PickItem<string>[] = [];
  #text = '';

  constructor(...first: string[]) {
    this.show(...first);
  }

  show(...labels: string[]): void {
    this.send(...labels);
    this.rows.drawn();
  }

  /** As `show`, until the editor has said that it has drawn the rows. */
  send(...labels: string[]): void {
    const { items, highlighted } = this.rows.show(labels.map(item), this.highlighted);
    this.shown = items;
    this.#highlightFirst();
    if (highlighted !== undefined) this.moveTo(highlighted.label);
  }

  type(text: string): void {
    this.#text = text;
    this.#highlightFirst();
    this.rows.typed(text);
  }

  moveTo(label: string): void {
    this.highlighted = this.shown.find((each) => each.label === label);
    this.rows.highlightMoved(this.highlighted);
  }

  get labels(): string[] {
    return this.shown.map(({ label }) => label);
  }

  /** What begins with the text goes before what has it elsewhere. */
  #highlightFirst(): void {
    const at = ({ label }: PickItem<string>) => label.indexOf(this.#text);
    const matches = this.shown.filter((each) => at(each) >= 0).sort((a, b) => at(a) - at(b));
    this.highlighted = matches[0];
    this.rows.highlightMoved(this.highlighted);
  }
}

describe('Rows of a picker that fills while the person types', () => {
  it('are what was on screen when one was chosen, until VS Code has drawn the later ones', () => {
    const picker = new Picker();
    picker.send('one', 'two');
    const [one, two] = picker.shown;
    assert.ok(one && two);
    assert.equal(picker.rows.chosen(one), one, 'nothing else was on screen');
    picker.rows.drawn();
    picker.send('new', 'one', 'two');
    picker.send('newest', 'new', 'one', 'two');
    const [newest, second, third, fourth] = picker.shown;
    assert.ok(newest && second && third && fourth);
    assert.deepEqual(
      [newest, second, fourth].map((each) => picker.rows.chosen(each).label),
      ['one', 'two', 'two'],
    );
    picker.rows.drawn();
    assert.equal(picker.rows.chosen(newest).label, 'newest');
  });

  it('come as they are, with the highlight kept, while nothing was typed', () => {
    const picker = new Picker('one', 'two');
    picker.show('new', 'one', 'two');
    assert.deepEqual([picker.labels, picker.highlighted?.label], [['new', 'one', 'two'], 'one']);
  });

  it('leave it to the editor which one matches best, once something was typed', () => {
    const picker = new Picker('a keynote', 'other');
    picker.type('keynote');
    picker.show('keynote', 'a keynote', 'other');
    assert.equal(picker.highlighted?.label, 'keynote');
    picker.type('k');
    picker.show('k', 'keynote', 'a keynote', 'other');
    assert.equal(picker.highlighted?.label, 'keynote');
    assert.equal(picker.rows.show([], picker.highlighted).highlighted, undefined);
  });

  it('keep a highlight that the person moved, until they type on', () => {
    const picker = new Picker('one', 'out of two');
    picker.type('o');
    picker.moveTo('out of two');
    picker.show('one', 'out of two', 'of three');
    picker.show('one', 'out of two', 'of three', 'four');
    assert.equal(picker.highlighted?.label, 'out of two');
    picker.type('of');
    picker.show('of', 'one', 'out of two', 'of three', 'four');
    assert.equal(picker.highlighted?.label, 'of three');
  });

  it('keep it though rows should come while the editor has not told of all yet', () => {
    const picker = new Picker('one', 'two');
    picker.type('o');
    picker.moveTo('two');
    picker.rows.show(['one', 'two', 'three'].map(item), item('two'));
    picker.rows.highlightMoved(item('one'));
    assert.equal(picker.rows.show(['one', 'two', 'four'].map(item), item('one')).highlighted?.label, 'two');
  });

  it('leave it to the editor, too, if it still reports what was typed before it draws the rows', () => {
    const picker = new Picker('Custom Range', 'Last 30 Seconds');
    picker.type('0:01 - 0:0');
    const { items } = picker.rows.show([item('0:01 - 0:0'), item('Custom Range')], undefined);
    picker.type('0:01 - 0:03');
    picker.rows.highlightMoved(items.find(({ label }) => label === 'Custom Range'));
    picker.rows.drawn();
    assert.equal(picker.rows.show([item('0:01 - 0:03'), item('Custom Range')], undefined).highlighted, undefined);
  });

  it('keep their places from the first letter on: an Enter on its way means a place', () => {
    const picker = new Picker('one', 'two');
    picker.type('o');
    picker.show('new', 'two', 'one');
    assert.deepEqual(picker.labels, ['one', 'two', 'new']);
  });

  it('stay below their separators, which new ones get again', () => {
    const rows = new PickRows<string>();
    const separator = (label: string): PickItem<string> => ({ label, isSeparator: true });
    const show = (...items: readonly PickItem<string>[]) => rows.show(items, undefined).items.map(({ label }) => label);
    show(separator('Live'), item('a'), separator('Idle'), item('b'));
    rows.typed('x');
    const next = [separator('Live'), item('new'), item('a'), separator('Idle'), item('later'), item('b')];
    const shown = ['Live', 'a', 'Idle', 'b', 'Live', 'new', 'Idle', 'later'];
    assert.deepEqual(show(...next), shown);
    assert.deepEqual(show(...next), shown);
    assert.deepEqual(show(...next, item('last')), [...shown, 'last']);
  });

  it('are known again by what is read of them, where their values are other objects', () => {
    const rows = new PickRows<object>();
    const make = (label: string) => ({ label, description: 'today', value: {} });
    rows.show([make('one'), make('two')], undefined);
    rows.drawn();
    rows.highlightMoved(make('one'));
    rows.highlightMoved(make('two'));
    const shown = rows.show([make('new'), make('one'), make('two')], make('two'));
    assert.deepEqual(fieldsOf(shown.items, 'label'), ['one', 'two', 'new']);
    assert.equal(shown.highlighted, shown.items[1]);
  });
});
