import { AacDecoder } from './aacDecoder.ts';
import type { FromSoundWorker, ToSoundWorker } from './messages.ts';
import { SoundTrack } from './soundTrack.ts';

/** Runs in a worker of its own: the bundle dist/webview/sound.js. */
declare const self: {
  onmessage: ((event: { readonly data: ToSoundWorker }) => void) | null;
  postMessage(message: FromSoundWorker, transfer: readonly ArrayBuffer[]): void;
};

serve();

/** Responds to one message after the other. */
function serve(): void {
  const tracks = new Map<number, SoundTrack>();
  const { promise: decoder, resolve: setDecoder } = Promise.withResolvers<AacDecoder>();
  const handle = async (message: ToSoundWorker): Promise<void> => {
    switch (message.kind) {
      case 'start':
        setDecoder(await AacDecoder.load(message.wasm));
        break;
      case 'convert': {
        const track = tracks.get(message.track) ?? new SoundTrack(await decoder);
        tracks.set(message.track, track);
        const converted = await track.convert(message.bytes);
        self.postMessage({ kind: 'converted', ...converted }, [converted.bytes.buffer]);
        break;
      }
      case 'forget':
        tracks.delete(message.track);
        break;
      default:
        message satisfies never;
    }
  };
  let last: Promise<void> = Promise.resolve();
  self.onmessage = ({ data }) => {
    last = last.then(() => handle(data)).catch(reportFailure);
  };
}

function reportFailure(error: unknown): void {
  self.postMessage({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) }, []);
}
