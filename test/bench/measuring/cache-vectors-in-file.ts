/** An embedder that keeps every vector in a file, so that a later run encodes new texts only. */
import { createHash } from 'node:crypto';
import { appendFile, readFile } from 'node:fs/promises';
import type { Embedder, EmbedOptions } from '../../../shared/ports/embedder.js';

/** Texts that are encoded before their vectors are written: an interrupted run loses at most one slice. */
const SLICE_TEXTS = 64;

type Purpose = EmbedOptions['purpose'];

/**
 * One line for each text: the SHA-256 of the model, the purpose and the text, a blank, and the 32-bit numbers of the
 * vector in base64.
 */
export async function cacheVectorsInFile(embedder: Embedder, file: string): Promise<Embedder> {
  const vectors = await readVectors(file, embedder.dimension);
  const keyOf = (text: string, purpose: Purpose): string =>
    createHash('sha256').update(`${embedder.model}\n${purpose}\n${text}`).digest('hex');
  const missingIn = (texts: readonly string[], purpose: Purpose): string[] =>
    [...new Set(texts)].filter((text) => !vectors.has(keyOf(text, purpose)));
  let encoded: Promise<void> = Promise.resolve();

  async function encode(texts: readonly string[], purpose: Purpose): Promise<void> {
    const missing = missingIn(texts, purpose);
    for (let start = 0; start < missing.length; start += SLICE_TEXTS) {
      const slice = missing.slice(start, start + SLICE_TEXTS);
      const found = await embedder.embed(slice, { purpose });
      const entries = slice.map((text, index) => [keyOf(text, purpose), found[index] ?? new Float32Array()] as const);
      await appendFile(file, entries.map(([key, vector]) => `${key} ${base64Of(vector)}\n`).join(''));
      for (const [key, vector] of entries) vectors.set(key, vector);
      if (missing.length > SLICE_TEXTS) process.stderr.write(`encoded ${start + slice.length} of ${missing.length}\n`);
    }
  }

  return {
    model: embedder.model,
    dimension: embedder.dimension,
    embed: async (texts, { purpose }) => {
      if (missingIn(texts, purpose).length > 0) {
        // One call after the other, because the queue of the encoder is bounded. A failed call does not fail the next
        // one.
        encoded = encoded.catch(() => undefined).then(() => encode(texts, purpose));
        await encoded;
      }
      return texts.map((text) => vectors.get(keyOf(text, purpose)) ?? new Float32Array());
    },
    close: () => embedder.close(),
  };
}

/** Ignores an incomplete line, which an interrupted run may leave at the end. */
async function readVectors(file: string, dimension: number): Promise<Map<string, Float32Array>> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  if (text !== '' && !text.endsWith('\n')) await appendFile(file, '\n');
  const vectors = new Map<string, Float32Array>();
  for (const line of text.split('\n')) {
    const [key = '', numbers = ''] = line.split(' ');
    const bytes = Uint8Array.from(Buffer.from(numbers, 'base64'));
    if (bytes.length === dimension * Float32Array.BYTES_PER_ELEMENT) vectors.set(key, new Float32Array(bytes.buffer));
  }
  return vectors;
}

function base64Of({ buffer, byteOffset, byteLength }: Float32Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}
