/** A deterministic embedder for tests that counts hashed words. */
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
