import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { DeliveryRequest } from '../../../../src/api/webhooks.ts';
import { curlCommand } from '../../../../src/model/webhooks/curlCommand.ts';

const run = promisify(execFile);

const aRequest = (more: Partial<DeliveryRequest> = {}): DeliveryRequest => ({
  url: 'https://example.com/hook?a=1',
  method: 'POST',
  headers: { 'Content-Type': 'application/json', 'Livepeer-Signature': 't=1,v1=ab' },
  body: '{"event":"stream.started"}',
  ...more,
});

/** Stands for curl: prints what it is given as JSON. */
const CURL = `curl() { "$NODE" -e '
  const [...args] = process.argv.slice(1);
  const input = args.includes("@-") ? require("node:fs").readFileSync(0).toString("base64") : undefined;
  process.stdout.write(JSON.stringify({ args, input }));
' -- "$@"; }`;

interface Called {
  readonly args: readonly string[];
  readonly body: string;
}

async function callInShell(request: DeliveryRequest): Promise<Called> {
  const command = curlCommand(request) ?? assert.fail('There is no command');
  const running = run('/bin/sh', [], { env: { NODE: process.execPath, PATH: '/nowhere' }, maxBuffer: 50_000_000 });
  running.child.stdin?.end(`${CURL}\n${command}\n`);
  const { args, input }: { args: string[]; input?: string } = JSON.parse((await running).stdout);
  const data = args[args.indexOf('--data-binary') + 1] ?? assert.fail('There are no data');
  return { args, body: data === '@-' ? Buffer.from(input ?? '', 'base64').toString() : data };
}

const headersOf = ({ args }: Called) => args.filter((_, index) => args[index - 1] === '--header');

describe('A delivery copied for curl', () => {
  it('is a command that people can read', () => {
    assert.equal(
      curlCommand(aRequest()),
      [
        'curl --include --globoff \\',
        "  --request 'POST' \\",
        "  --url 'https://example.com/hook?a=1' \\",
        "  --header 'Content-Type: application/json' \\",
        "  --header 'Livepeer-Signature: t=1,v1=ab' \\",
        '  --data-binary \'{"event":"stream.started"}\'',
      ].join('\n'),
    );
  });

  const bodies: Readonly<Record<string, string>> = {
    'quotes of every kind': `it's "quoted" \`id\` $(id) $HOME \\' \\n !! %s %d`,
    'lines, also at its end': '{\n  "a": 1\r\n}\n\n',
    'a beginning that curl takes for a file': '@/etc/hostname',
    nothing: '',
    'letters of any script': 'Ünï \u202e ✓ 🎬 עברית',
    'bytes that are no text': 'a\0b\\0\\n%c\u0001\u001b[31m',
    'more than an argument holds': `{"a":"${"it's ".repeat(60_000)}"}`,
  };
  for (const [what, body] of Object.entries(bodies)) {
    it(`keeps each byte of a body that has ${what}`, async () => {
      assert.equal((await callInShell(aRequest({ body }))).body, body);
    });
  }

  it('runs nothing that is in a URL or a header, and reads no file for it', async () => {
    const url = "https://example.com/'$(id)'/{a,b}[1-3]?q=`id`&x='";
    const headers = { '@/etc/passwd': 'x', 'X-A': "'; id '\r\nX-B: 1", 'X-Empty': '', 'bad name': '1' };
    const called = await callInShell(aRequest({ url, headers, method: '--output' }));
    assert.ok(called.args.includes(url) && called.args.includes('--globoff'));
    assert.equal(called.args[called.args.indexOf('--request') + 1], 'POST');
    assert.deepEqual(headersOf(called), ["X-A: '; id ' X-B: 1", 'X-Empty;', 'Content-Type:']);
  });

  it('leaves out the headers that curl writes itself', async () => {
    const headers = { Host: 'example.com', 'content-length': '3', Connection: 'close', 'Content-Type': 'text/plain' };
    assert.deepEqual(headersOf(await callInShell(aRequest({ headers }))), ['Content-Type: text/plain']);
  });

  it('is none for a URL that is not of HTTP', () => {
    for (const url of ['file:///etc/passwd', 'telnet://example.com', 'no URL', '']) {
      assert.equal(curlCommand(aRequest({ url })), undefined);
    }
  });
});
