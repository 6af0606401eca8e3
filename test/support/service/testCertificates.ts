import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TestCertificates {
  /** Of a CA that nobody knows, for a file in SSL_CERT_FILE. */
  readonly caFile: string;
  readonly ca: string;
  /** For service.test, proxy.test and 127.0.0.1, signed by that CA. */
  readonly cert: string;
  readonly key: string;
  remove(): void;
}

/** Makes a CA and a certificate with openssl. */
export function makeTestCertificates(): TestCertificates {
  const folder = mkdtempSync(join(tmpdir(), 'live-streams-ca-'));
  const file = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  writeFileSync(file('san'), 'subjectAltName=DNS:service.test,DNS:localhost,IP:127.0.0.1\n');
  openssl('req', '-x509', ...newKey, '-days', '2', '-subj', '/CN=Test CA', '-keyout', 'ca.key', '-out', 'ca.pem');
  openssl('req', ...newKey, '-subj', '/CN=service.test', '-keyout', 'key.pem', '-out', 'request.pem');
  const signing = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', 'san'];
  openssl('x509', '-req', '-in', 'request.pem', ...signing, '-out', 'cert.pem');
  const read = (name: string) => readFileSync(file(name), 'utf8');
  return {
    caFile: file('ca.pem'),
    ca: read('ca.pem'),
    cert: read('cert.pem'),
    key: read('key.pem'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
