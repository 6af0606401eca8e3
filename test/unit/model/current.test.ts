import assert from 'node:assert/strict';
import type { StreamApi } from '../../../src/api/streamApi.ts';
import { CurrentConnection } from '../../../src/model/connection/current.ts';
import { StreamStore } from '../../../src/model/store/store.ts';
import { composeModel } from '../../support/model/composedModel.ts';
import { heldClock } from '../../support/model/heldClock.ts';

describe('The connection that a window has open', () => {
  const one = { id: '1', name: 'One', baseUrl: 'https://one.example', apiKey: 'key', insecureAccepted: false };
  const compose = () => {
    const current = new CurrentConnection(new StreamStore({ clock: heldClock() }));
    const attached: (StreamApi | undefined)[] = [];
    const { api } = connected();
    const made: string[] = [];
    const makeApi = ({ baseUrl }: { readonly baseUrl: string }) => {
      made.push(baseUrl);
      return api;
    };
    const serve = () => current.serve({ makeApi, loader: { attach: (given) => void attached.push(given) } });
    return { current, attached, made, api, serve };
  };
  const connected = () => {
    const { connect, current } = composeModel();
    connect();
    return current;
  };

  it('is known before there is anybody to ask with it, and gets its client then', () => {
    const { current, attached, made, api, serve } = compose();
    current.open(one);
    assert.equal(current.info?.name, 'One');
    assert.throws(() => current.api, { tag: 'NoConnectionError' });
    serve();
    assert.deepEqual(made, ['https://one.example']);
    assert.equal(current.api, api);
    assert.deepEqual(attached, [api]);
  });

  it('is asked with no more once it is closed', () => {
    const { current, attached, made, api, serve } = compose();
    serve();
    current.open(one);
    current.close();
    assert.deepEqual(attached, [undefined, api, undefined]);
    assert.throws(() => current.api, { tag: 'NoConnectionError' });
    assert.equal(made.length, 1);
  });
});
