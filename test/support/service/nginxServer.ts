import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitUntil } from '../page/waitUntil.ts';
import { startProcess } from '../process/ownProcess.ts';
import { makeTemporaryFolder } from '../process/temporaryFolder.ts';
import { freePort } from './rtmpServer.ts';

export interface NginxServer {
  readonly rtmpPort: number;
  /** The application that asks `onPublish` about each key. The application `live` takes every key. */
  readonly lockedApp: string;
  hlsUrl(key: string): string;
  /** The path of what was published to `live`, as FLV. Complete once the broadcast has ended. */
  recording(key: string): string;
  /** What nginx wrote to its error log. */
  log(): string;
  close(): Promise<void>;
}

/** The path of nginx's RTMP module where nginx keeps its modules; undefined if there is no nginx. */
export function rtmpModule(): string | undefined {
  const { stderr } = spawnSync('nginx', ['-V'], { encoding: 'utf8' });
  const [, folder] = /--modules-path=(\S+)/.exec(stderr ?? '') ?? [];
  return folder && join(folder, 'ngx_rtmp_module.so');
}

/**
 * nginx with its RTMP module, on 127.0.0.1 and with a folder of its own: it shares nothing with an nginx of the system.
 * @param onPublish the URL that decides about keys of the locked application
 */
export async function startNginx(onPublish: string): Promise<NginxServer> {
  const folder = makeTemporaryFolder('nginx');
  for (const name of ['hls', 'recordings']) mkdirSync(join(folder, name));
  const file = join(folder, 'nginx.conf');
  // Another process may take a free port meanwhile: nginx ends then.
  for (;;) {
    const ports = { rtmp: await freePort(), http: await freePort() };
    writeFileSync(file, configuration({ folder, ports, onPublish }));
    const server = startProcess('nginx', ['-e', 'stderr', '-p', folder, '-c', file]);
    const isListening = () =>
      fetch(`http://127.0.0.1:${ports.http}/`).then(
        () => true,
        () => server.child.exitCode !== null,
      );
    await waitUntil(isListening);
    if (server.child.exitCode === null) {
      return {
        ...{ rtmpPort: ports.rtmp, lockedApp: 'locked' },
        hlsUrl: (key) => `http://127.0.0.1:${ports.http}/hls/${key}.m3u8`,
        recording: (key) => join(folder, 'recordings', `${key}.flv`),
        log: () => server.output(),
        async close() {
          await server.kill();
          rmSync(folder, { recursive: true, force: true });
        },
      };
    }
    if (!/Address already in use/.test(server.output())) throw new Error(server.output());
  }
}

interface Configuration {
  readonly folder: string;
  readonly ports: { readonly rtmp: number; readonly http: number };
  readonly onPublish: string;
}

function configuration({ folder, ports, onPublish }: Configuration): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  return `
load_module ${rtmpModule()};
daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log stderr notice;
events {}
rtmp {
  server {
    listen 127.0.0.1:${ports.rtmp};
    application live {
      live on;
      record all;
      record_path ${folder}/recordings;
      hls on;
      hls_path ${folder}/hls;
      hls_fragment 2s;
      hls_playlist_length 20s;
    }
    application locked {
      live on;
      on_publish ${onPublish};
    }
  }
}
http {
  access_log off;
  ${temporary.join('\n  ')}
  types {
    application/vnd.apple.mpegurl m3u8;
    video/mp2t ts;
  }
  server {
    listen 127.0.0.1:${ports.http};
    location /hls {
      root ${folder};
      add_header Access-Control-Allow-Origin *;
      add_header Cache-Control no-cache;
    }
  }
}
`;
}
