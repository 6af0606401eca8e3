import assert from 'node:assert/strict';
import { type EditorLink, makeLink, parseLink } from '../../../src/model/links.ts';
import { uriParts } from '../../support/model/uriParts.ts';

const ID = '5b8e1c3a-0000-4000-8000-000000000001';
const parse = (rest: string, authority = 'live-streams.live-streams') =>
  parseLink(uriParts(`vscode://${authority}${rest}`));

describe('An editor link', () => {
  it('is read as it was made, whatever the connection is called', () => {
    const names = ['Production', 'My Studio', 'R&D = 50% + #1?', 'a%20b', '%', 'Студия ✓', 'x&connection=y', 'a/b\\c'];
    for (const connection of [undefined, ...names]) {
      for (const kind of ['stream', 'session', 'clip'] as const) {
        const link: EditorLink = { kind, id: ID, ...(connection === undefined ? {} : { connection }) };
        assert.deepEqual(parseLink(uriParts(makeLink('vscode', link))), { ok: true, link });
      }
    }
  });

  it('is plain to read', () => {
    assert.equal(
      makeLink('vscode-insiders', { kind: 'stream', id: ID, connection: 'My Studio' }),
      `vscode-insiders://live-streams.live-streams/stream/${ID}?connection=My%20Studio`,
    );
    assert.equal(makeLink('vscode', { kind: 'session', id: ID }), `vscode://live-streams.live-streams/session/${ID}`);
  });

  it('can name no connection, and can have parameters of others', () => {
    const link = { kind: 'stream', id: ID };
    for (const query of ['', '?', '?connection=', '?connection=%20', '?windowId=_blank']) {
      assert.deepEqual(parse(`/stream/${ID}${query}`), { ok: true, link });
    }
    const named = parse(`/stream/${ID}?windowId=_blank&connection=Production&x=y`);
    assert.deepEqual(named, { ok: true, link: { ...link, connection: 'Production' } });
  });

  it('is refused with a sentence when it leads somewhere else', () => {
    for (const path of [
      '',
      '/',
      '/stream',
      `/streams/${ID}`,
      `/delete/${ID}`,
      `/stream/${ID}/delete`,
      `/stream/${ID}/`,
      `//stream/${ID}`,
      `/Stream/${ID}`,
    ]) {
      const parsed = parse(path);
      assert.equal(!parsed.ok && parsed.sentence, "This link doesn't point to a stream, session, or clip.", path);
    }
    assert.equal(parse(`/stream/${ID}`, 'another.extension').ok, false);
    assert.equal(parse(`/stream/${ID}`, 'Live-Streams.live-streams').ok, true);
  });

  it('is refused when its id is none, and the sentence does not repeat it', () => {
    for (const id of ['', '%20', 'a%2Fb', '..%2F..', 'a'.repeat(65), 'a.b', 'a%00', '%E2%9C%93', 'a;b']) {
      const parsed = parse(`/session/${id}`);
      assert.equal(parsed.ok, false, id);
      assert.match(
        parsed.ok ? '' : parsed.sentence,
        /^(The ID in this link|This link doesn't point to a stream, session, or clip\.)/,
      );
    }
  });
});
