import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rtmpModule } from '../service/nginxServer.ts';

/** What Android has in itself. */
export const ORG_JSON = '/usr/share/java/json-android.jar';

/** What tests need that npm doesn't install, and whether this machine has it. */
const PROGRAMS = {
  ffmpeg: () => isInstalled('ffmpeg', '-version') && isInstalled('ffprobe', '-version'),
  'nginx with its RTMP module': () => existsSync(rtmpModule() ?? ''),
  python3: () => isInstalled('python3', '--version'),
  'python3 with requests': () => hasPythonModule('requests'),
  'python3 with flask': () => hasPythonModule('flask'),
  'python3 with fastapi': () => hasPythonModule('fastapi'),
  'python3 with jwt': () => hasPythonModule('jwt'),
  go: () => isInstalled('go', 'version'),
  'go with golang-jwt': () =>
    isInstalled('go', 'version') && existsSync('/usr/share/gocode/src/github.com/golang-jwt/jwt'),
  curl: () => isInstalled('curl', '--version'),
  'javac and java': () => isInstalled('javac', '-version') && isInstalled('java', '-version'),
  'kotlinc and java with org.json': () =>
    // To ask for its version takes seconds.
    existsSync('/usr/bin/kotlinc') && existsSync(ORG_JSON) && isInstalled('java', '-version'),
  rustc: () => isInstalled('rustc', '--version'),
  gcc: () => isInstalled('gcc', '--version'),
  'OBS and Xvfb': () => isInstalled('obs', '--version') && isInstalled('Xvfb', '-help'),
} as const;

function isInstalled(program: string, argument: string): boolean {
  return spawnSync(program, [argument]).error === undefined;
}

function hasPythonModule(name: string): boolean {
  return spawnSync('python3', ['-c', `import ${name}`]).status === 0;
}

/** Declares a test that needs these programs. Without them it is pending, and its title says what is missing. */
export function itWith(...programs: readonly (keyof typeof PROGRAMS)[]) {
  const missing = programs.filter((program) => !PROGRAMS[program]());
  return (title: string, run: Mocha.AsyncFunc): Mocha.Test =>
    missing.length === 0 ? it(title, run) : it(`${title} (not installed: ${missing.join(', ')})`);
}
