/** Embedders for tests: a deterministic one that counts hashed words, and an encoder thread that fails on request. */
import { createHash } from 'node:crypto';
import type { Embedder } from '../../../shared/ports/embedder.js';

/** Each word adds 1 to the component that its hash selects, so texts that share words have similar vectors. */
export function createWordHashEmbedder(dimension = 16): Embedder & { readonly calls: string[][] } {
  const calls: string[][] = [];
  return {
    model: `word-hash/${dimension}`,
    dimension,
    calls,
    embed: async (texts) => {
      calls.push([...texts]);
      return texts.map((text) => wordHashVector(text, dimension));
    },
    close: async () => undefined,
  };
}

function wordHashVector(text: string, dimension: number): Float32Array {
  const vector = new Float32Array(dimension);
  for (const word of text.toLowerCase().split(/\s+/u)) {
    const place = createHash('sha256').update(word).digest().readUInt32BE(0) % dimension;
    vector[place] = (vector[place] ?? 0) + 1;
  }
  return vector;
}

/**
 * An encoder thread that exits on the text `end`, never answers the text `hang`, and answers other batches with one
 * component per text.
 */
export const CRASHING_ENCODER_THREAD = new URL(
  `data:text/javascript,${encodeURIComponent(`
  import { parentPort } from 'node:worker_threads';
  parentPort.on('message', (texts) => {
    if (texts.includes('end')) process.exit(1);
    if (texts.includes('hang')) return;
    parentPort.postMessage({ kind: 'encoded', vectors: texts.map((text) => Float32Array.of(text.length)) });
  });
  parentPort.postMessage({ kind: 'ready' });
`)}`,
);
