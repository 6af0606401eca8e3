import assert from 'node:assert/strict';
import {
  addressesFor,
  checkMediaUrl,
  checkOwnAddress,
  replaceOrigin,
  STUDIO_BASE_URL,
} from '../../../src/model/addresses.ts';
import { describeAddressFault } from '../../../src/model/addressFaults.ts';
import { fillTemplate, ingestServer } from '../../../src/model/filledAddresses.ts';
import { dashboardAddress, dashboardHome, openTargetOfRecording } from '../../../src/model/openTargets.ts';
import { Emitter } from '../../../src/util/events.ts';

const STUDIO = { baseUrl: STUDIO_BASE_URL };

describe('addresses of a service', () => {
  it('are built in for the public service, by its origin', () => {
    assert.equal(addressesFor('https://livepeer.studio/api/v2', {}).player, 'https://lvpr.tv/?v={playbackId}');
  });

  it('are unknown elsewhere: nothing falls back to another host', () => {
    for (const baseUrl of [
      'https://livepeer.studio.example.com/api',
      'http://livepeer.studio/api',
      'https://a.b',
      'nonsense',
    ]) {
      assert.deepEqual(addressesFor(baseUrl, {}), {});
    }
  });

  it('come from the settings of its origin, one by one, however the origin is written there', () => {
    const settings = { ' https://LIVEPEER.studio/ ': { player: 'https://p.example/{playbackId}', hls: '' } };
    const found = addressesFor(STUDIO_BASE_URL, settings);
    assert.equal(found.player, 'https://p.example/{playbackId}');
    assert.equal(found.hls, 'https://livepeercdn.studio/hls/{playbackId}/index.m3u8');
    assert.deepEqual(addressesFor('https://other.example', settings), {});
    const broken: Record<string, object> = { 'https://other.example': { player: 7 }, nonsense: { player: 'x' } };
    assert.deepEqual(addressesFor('https://other.example', broken), {});
  });

  it('are told by the demo while it runs', () => {
    const addresses = { player: 'http://127.0.0.1:4000/p' };
    const demo = { baseUrl: 'http://127.0.0.1:4000/api', addresses, onDidStop: new Emitter<void>().event };
    assert.deepEqual(addressesFor('http://127.0.0.1:4000/api', {}, demo), demo.addresses);
    assert.deepEqual(addressesFor('http://127.0.0.1:4001/api', {}, demo), {});
  });

  it('are filled with values that are percent-encoded', () => {
    assert.equal(
      fillTemplate('https://x/{id}/?u={recordingUrl}', { id: 'a/b', recordingUrl: 'https://y/z?s=1&t=é' }),
      'https://x/a%2Fb/?u=https%3A%2F%2Fy%2Fz%3Fs%3D1%26t%3D%C3%A9',
    );
    assert.equal(fillTemplate('https://x/{playbackId}', { playbackId: '$&' }), 'https://x/%24%26');
  });

  it('are not filled where a value is missing or the word is none', () => {
    assert.equal(fillTemplate('https://x/{playbackId}', {}), undefined);
    assert.equal(fillTemplate('https://x/{playbackId}', { playbackId: '' }), undefined);
    assert.equal(fillTemplate('https://x/{constructor}', { id: 'a' }), undefined);
  });

  it('give the ingest server without the key', () => {
    assert.equal(ingestServer('rtmp://rtmp.livepeer.com/live/{streamKey}'), 'rtmp://rtmp.livepeer.com/live');
    assert.equal(ingestServer('srt://x:1?streamid={streamKey}'), undefined);
  });

  it('give the page of the dashboard that needs no stream: the part of the address before one is named', () => {
    const { dashboard = '' } = addressesFor(STUDIO_BASE_URL, {});
    const homes: readonly [template: string, home: string | undefined][] = [
      [dashboard, 'https://livepeer.studio/dashboard/streams'],
      ['https://a.example/dash/streams/{id}', 'https://a.example/dash/streams'],
      ['https://a.example/dash/stream-{id}', 'https://a.example/dash'],
      ['https://a.example/dash?project={projectId}&stream={id}', 'https://a.example/dash'],
      ['https://a.example/#/streams/{id}', 'https://a.example/'],
      ['https://a.example/{id}', 'https://a.example'],
      ['https://a.example/streams', 'https://a.example/streams'],
      ['https://{id}.a.example/x', undefined],
      ['{id}', undefined],
    ];
    for (const [template, home] of homes) assert.equal(dashboardHome(template), home, template);
  });

  it('give the dashboard without a project its own page', () => {
    const { dashboard = '' } = addressesFor(STUDIO_BASE_URL, {});
    assert.equal(
      dashboardAddress(dashboard, { id: 'i', projectId: 'p' }),
      'https://livepeer.studio/dashboard/projects/p/streams/i',
    );
    assert.equal(dashboardAddress(dashboard, { id: 'i' }), 'https://livepeer.studio/dashboard/streams');
    assert.equal(dashboardAddress('https://x/{projectId}', { id: 'i' }), undefined);
  });
});

describe('addresses that the service sends', () => {
  it('are opened as they are when they are https', () => {
    const signed = 'https://cdn.example/r/index.m3u8?Signature=a%2Fb%3D&e=1+2';
    assert.deepEqual(checkMediaUrl(signed, STUDIO), { ok: true, url: signed });
  });

  it('are opened as they were understood, so that nobody reads them in another way', () => {
    const written: Readonly<Record<string, string>> = {
      'HTTPS://CDN.example\\@evil.example/a': 'https://cdn.example/@evil.example/a',
      'https://cdn.example/../a/./b"c<d>`e{f}': 'https://cdn.example/a/b%22c%3Cd%3E%60e%7Bf%7D',
      "https://cdn.example/a?b='c'": 'https://cdn.example/a?b=%27c%27',
      'https://cdn。example/a': 'https://cdn.example/a',
    };
    for (const [url, href] of Object.entries(written))
      assert.deepEqual(checkMediaUrl(url, STUDIO), { ok: true, url: href });
  });

  it('are opened over http on this machine, or where the connection is http', () => {
    assert.ok(checkMediaUrl('http://127.0.0.1:9/x', { baseUrl: 'http://localhost:3004/api' }).ok);
    assert.ok(checkMediaUrl('http://cdn.lan/x', { baseUrl: 'http://studio.lan/api' }).ok);
    const refused = checkMediaUrl('http://cdn.example/x?sig=s3cret', STUDIO);
    assert.ok(!refused.ok);
    assert.match(describeAddressFault(refused.fault, 'service'), /HTTP instead of HTTPS/);
    assert.doesNotMatch(describeAddressFault(refused.fault, 'service'), /s3cret/);
  });

  const OF_THIS_MACHINE = [
    'http://127.0.0.1:2375/containers/json?x=0&index.m3u8',
    'https://127.9.9.9/x',
    'http://localhost:9/x',
    'https://a.localhost/x',
    'http://[::1]:9/x',
    'http://[::ffff:127.0.0.1]/x',
    'http://0.0.0.0:9/x',
    'http://0.1.2.3/x',
    'http://[::]:9/x',
    'http://2130706433/x',
    'http://169.254.169.254/latest/meta-data/',
    'http://[::ffff:169.254.169.254]/latest/meta-data/',
    'http://[fe80::1]/x',
  ];

  for (const url of OF_THIS_MACHINE) {
    it(`are not asked for where a service elsewhere names ${url}`, () => {
      for (const baseUrl of ['https://studio.example/api', 'http://studio.lan/api', 'http://0.0.0.0:3004/api']) {
        const checked = checkMediaUrl(url, { baseUrl });
        assert.ok(!checked.ok, baseUrl);
        assert.equal(
          describeAddressFault(checked.fault, 'service'),
          "The URL wasn't opened because it points to this computer.",
        );
      }
      assert.ok(checkMediaUrl(url, { baseUrl: 'https://[::1]:3004/api' }).ok || url.startsWith('http:'));
      assert.equal(openTargetOfRecording({ recordingUrl: url, mp4Url: url }, STUDIO, {}).kind, 'refused');
    });
  }

  it('may be on this machine where the service is, where it is the service itself, and where the settings say so', () => {
    assert.ok(checkMediaUrl('http://127.0.0.1:9/x', { baseUrl: 'http://127.0.0.1:3004/api' }).ok);
    assert.ok(checkMediaUrl('http://0.0.0.0:3004/x', { baseUrl: 'http://0.0.0.0:3004/api' }).ok);
    assert.ok(checkOwnAddress('http://127.0.0.1:8888/x', STUDIO).ok);
  });

  it('are refused where they name somebody', () => {
    for (const url of ['https://user:pass@cdn.example/1.mp4', 'https://user@cdn.example/1.mp4']) {
      const checked = checkMediaUrl(url, STUDIO);
      assert.ok(!checked.ok);
      assert.match(describeAddressFault(checked.fault, 'service'), /user name or password/);
      assert.doesNotMatch(describeAddressFault(checked.fault, 'service'), /user@|pass@|cdn/);
    }
  });

  it('are refused with a reason when empty, relative, or of another scheme', () => {
    const reasons: readonly [string | undefined, RegExp][] = [
      [undefined, /didn't return a URL/],
      ['', /didn't return a URL/],
      ['  ', /didn't return a URL/],
      ['/recordings/x/index.m3u8', /incomplete/],
      ['//cdn.example/x', /incomplete/],
      ['javascript:alert(1)', /"javascript:"/],
      ['file:///etc/passwd', /"file:"/],
      ['command:workbench.action.quit', /"command:"/],
      ['vscode://x/y', /"vscode:"/],
      ['JavaScript:1', /"javascript:"/],
      ['https:cdn.example', /isn't valid/],
      ['https://', /isn't valid/],
      ['https://a.example/x\njavascript:1', /isn't valid/],
    ];
    for (const [url, reason] of reasons) {
      const checked = checkMediaUrl(url, STUDIO);
      assert.ok(!checked.ok, url);
      assert.match(describeAddressFault(checked.fault, 'service'), reason);
    }
  });
});

describe('addresses from the settings', () => {
  it('are refused with a reason that blames neither the service nor repeats them', () => {
    const reasons: readonly [string | undefined, RegExp][] = [
      [undefined, /The URL in liveStreams.addresses contains a placeholder that can't be filled in\.$/],
      ['/watch', /The URL in liveStreams.addresses is incomplete or doesn't start with https:\/\/\.$/],
      ['javascript:alert(1)', /The URL in liveStreams.addresses is incomplete or doesn't start with https:\/\/\.$/],
      ['https://', /^The URL in liveStreams.addresses isn't valid\.$/],
      [
        'https://user:pass@watch.example',
        /The URL in liveStreams.addresses wasn't opened because it contains a user name or password\.$/,
      ],
      [
        'http://watch.example',
        /The URL in liveStreams.addresses wasn't opened because it uses HTTP instead of HTTPS\.$/,
      ],
    ];
    for (const [url, reason] of reasons) {
      const checked = checkOwnAddress(url, STUDIO);
      assert.ok(!checked.ok, url);
      assert.match(describeAddressFault(checked.fault, 'settings'), /^The URL in liveStreams.addresses /);
      assert.match(describeAddressFault(checked.fault, 'settings'), reason);
    }
  });
});

describe('what is opened of a recording', () => {
  const recordingUrl = 'https://cdn.example/recordings/1/index.m3u8?s=1';
  const templates = { recordingPlayer: 'https://p.example/?url={recordingUrl}' };

  it('is the MP4 when there is one', () => {
    const session = { recordingUrl, mp4Url: 'https://cdn.example/1.mp4' };
    assert.deepEqual(openTargetOfRecording(session, STUDIO, templates), { kind: 'mp4', url: session.mp4Url });
  });

  it('else is the player page with the address wholly encoded', () => {
    assert.deepEqual(openTargetOfRecording({ recordingUrl, mp4Url: undefined }, STUDIO, templates), {
      kind: 'playerPage',
      url: 'https://p.example/?url=https%3A%2F%2Fcdn.example%2Frecordings%2F1%2Findex.m3u8%3Fs%3D1',
    });
  });

  it('else is the playlist', () => {
    const target = openTargetOfRecording({ recordingUrl, mp4Url: 'javascript:1' }, STUDIO, {});
    assert.deepEqual(target, { kind: 'playlist', url: recordingUrl });
  });

  it('is nothing when the addresses may not be opened, or there are none', () => {
    assert.equal(
      openTargetOfRecording({ recordingUrl: 'file:///x', mp4Url: undefined }, STUDIO, templates).kind,
      'refused',
    );
    assert.equal(
      openTargetOfRecording({ recordingUrl: undefined, mp4Url: 'file:///x' }, STUDIO, templates).kind,
      'refused',
    );
    assert.equal(openTargetOfRecording({ recordingUrl: undefined, mp4Url: undefined }, STUDIO, templates).kind, 'none');
  });
});

describe('An address behind another origin', () => {
  it('keeps its path and query to the letter', () => {
    const signed = 'http://127.0.0.1:8080/a%2Fb/index.m3u8?sig=x%2F%2B%3D&t=1+2#%2F';
    assert.equal(
      replaceOrigin(signed, 'https://host.example/proxy/8080/'),
      'https://host.example/proxy/8080/a%2Fb/index.m3u8?sig=x%2F%2B%3D&t=1+2#%2F',
    );
  });

  it('is the same where the origin is', () => {
    const address = 'http://[::1]:9/x?y=%2F';
    assert.equal(replaceOrigin(address, 'http://[::1]:9/'), address);
  });

  it('may have no path', () => {
    assert.equal(replaceOrigin('http://localhost:1', 'https://a.example/'), 'https://a.example/');
    assert.equal(replaceOrigin('http://localhost:1?q=%2F', 'https://a.example/'), 'https://a.example/?q=%2F');
  });
});
