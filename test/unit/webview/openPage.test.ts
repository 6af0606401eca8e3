import assert from 'node:assert/strict';

interface Page {
  position(): number;
  listen(receive: (message: unknown) => void, hasAll: () => boolean): void;
}

/** By its address: it is written for a browser, whose types are not these tests'. */
const SOURCE = new URL('../../../src/webview/openPage.ts', import.meta.url).href;

type Listener = (event: { readonly data: unknown; readonly origin: string }) => void;

describe('A page', () => {
  const replaced = ['document', 'window', 'acquireVsCodeApi'];
  const before = replaced.map((name) => Object.getOwnPropertyDescriptor(globalThis, name));
  afterEach(() => {
    for (const [index, name] of replaced.entries()) {
      const descriptor = before[index];
      if (descriptor === undefined) Reflect.deleteProperty(globalThis, name);
      else Object.defineProperty(globalThis, name, descriptor);
    }
  });

  it('keeps the position of its own subject, and not of what its tab showed before', async () => {
    const { openPage } = (await import(SOURCE)) as { readonly openPage: () => Page };
    const subject = { connection: 'c1', kind: 'session', id: 's1' };
    for (const [id, position] of [
      ['s1', 7],
      ['s2', 0],
    ] as const) {
      const values = [
        { body: { dataset: { page: JSON.stringify({ name: 'player', page: 1, subject, texts: null }) } } },
        {},
        () => ({ postMessage() {}, getState: () => ({ ...subject, id, position: 7 }), setState() {} }),
      ];
      for (const [index, name] of replaced.entries()) {
        Object.defineProperty(globalThis, name, { value: values[index], configurable: true });
      }
      assert.equal(openPage().position(), position);
    }
  });

  it('hears its own tab alone, and no other frame that has found it; it answers its pings', async () => {
    const { openPage } = (await import(SOURCE)) as { readonly openPage: () => Page };
    const listeners: Listener[] = [];
    const said: unknown[] = [];
    const own = 'vscode-webview://own';
    const values = [
      { body: { dataset: { page: JSON.stringify({ name: 'player', page: 'p', subject: {}, texts: null }) } } },
      { origin: own, addEventListener: (_: string, listener: Listener) => void listeners.push(listener) },
      () => ({ postMessage: (message: unknown) => said.push(message), getState: () => undefined, setState() {} }),
    ];
    for (const [index, name] of replaced.entries()) {
      Object.defineProperty(globalThis, name, { value: values[index], configurable: true });
    }
    const heard: unknown[] = [];
    openPage().listen(
      (message) => heard.push(message),
      () => true,
    );
    const [listener] = listeners;
    assert.ok(listener);
    for (const origin of ['vscode-webview://other', 'null', '']) listener({ data: 'FORGED', origin });
    assert.deepEqual(heard, []);
    listener({ data: 'shown', origin: own });
    assert.deepEqual(heard, ['shown']);
    for (const origin of ['null', own]) listener({ data: { kind: 'ping' }, origin });
    assert.deepEqual(said, [{ page: 'p', said: { kind: 'pong' } }]);
    assert.deepEqual(heard, ['shown']);
  });
});
