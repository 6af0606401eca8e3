import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import type { Page } from 'playwright-core';

/** What a window and its server have sent each other. */
export interface SoundPartTraffic {
  /** Requests for the part of a player that decodes AAC. */
  readonly requests: number;
  /** Messages of the server that hold bytes of it. */
  readonly messages: number;
}

/** A page's message, in JSON within JSON. */
const REQUEST = /requestPart\W+part\W+sound\W/;
const FILES = ['sound.js', 'sound.wasm.br'];
const SAMPLES = 20;
const SAMPLE_BYTES = 40;
/** What JSON does not escape. */
const PLAIN = /[\w.,:;=+(){}[\]]{40}/g;

/**
 * Counts from now on what a window and its server send each other of the part of a player that decodes AAC, which it
 * recognizes by samples of its files.
 * @param folder with the files of pages
 */
export async function watchSoundPart(page: Page, folder: string): Promise<() => SoundPartTraffic> {
  const samples = await readSamples(folder);
  const session = await page.context().newCDPSession(page);
  const counts = { requests: 0, messages: 0 };
  session.on('Network.webSocketFrameSent', ({ response }) => {
    if (REQUEST.test(readPayload(response))) counts.requests += 1;
  });
  session.on('Network.webSocketFrameReceived', ({ response }) => {
    const payload = readPayload(response);
    if (samples.some((sample) => payload.includes(sample))) counts.messages += 1;
  });
  await session.send('Network.enable');
  return () => ({ ...counts });
}

/** Returns samples, as Latin-1, that no other file has. */
async function readSamples(folder: string): Promise<readonly string[]> {
  const read = async (name: string): Promise<string> => {
    const bytes = await readFile(join(folder, name));
    // As it is sent.
    return (name.endsWith('.br') ? brotliDecompressSync(bytes) : bytes).toString('latin1');
  };
  const others = (await readdir(folder)).filter((name) => !FILES.includes(name));
  const texts = await Promise.all(others.map(read));
  const found = (await Promise.all(FILES.map(read))).flatMap((text, at) => {
    const all = at === 0 ? [...text.matchAll(PLAIN)].map(([sample]) => sample) : cut(text);
    const own = all.filter((sample) => texts.every((other) => !other.includes(sample)));
    return own.filter((_, index) => index % Math.ceil(own.length / SAMPLES) === 0);
  });
  if (found.length < SAMPLES) throw new Error(`${folder} has too little to be recognized by`);
  return found;
}

/** Samples with many different bytes: zeros are everywhere. */
function cut(text: string): readonly string[] {
  const count = Math.floor(text.length / SAMPLE_BYTES);
  const all = Array.from({ length: count }, (_, at) => text.slice(at * SAMPLE_BYTES, (at + 1) * SAMPLE_BYTES));
  return all.filter((sample) => new Set(sample).size > SAMPLE_BYTES / 2);
}

/** As Latin-1: a character for each byte. */
function readPayload({ opcode, payloadData }: { readonly opcode: number; readonly payloadData: string }): string {
  return opcode === 1 ? payloadData : Buffer.from(payloadData, 'base64').toString('latin1');
}
