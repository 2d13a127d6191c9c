/**
 * An embedder for tests whose vectors change with its generation, so that a test sees which memories were embedded
 * again.
 */
import type { Embedder } from '../../../shared/ports/embedder.js';
import { createWordHashEmbedder } from './word-hash-embedder.js';

export type RenewedEmbedder = Embedder & {
  /** The texts of each call, in order. */
  readonly calls: string[][];
  generation: number;
  /** Called before each batch of documents; a rejection fails the batch. */
  beforeBatch: (texts: readonly string[]) => Promise<void>;
  /** The vector of a text in a generation. */
  readonly vectorOf: (text: string, generation: number) => Promise<Float32Array>;
};

const WEIGHT = 100;

export function createRenewedEmbedder(dimension = 16): RenewedEmbedder {
  const words = createWordHashEmbedder(dimension);
  async function vectorOf(text: string, generation: number): Promise<Float32Array> {
    const [vector = new Float32Array(dimension)] = await words.embed([text], { purpose: 'document' });
    return vector.map((value, place) => (place === generation % dimension ? value + WEIGHT : value));
  }
  const embedder: RenewedEmbedder = {
    model: `renewed/${dimension}`,
    dimension,
    calls: [],
    generation: 0,
    beforeBatch: async () => undefined,
    vectorOf,
    embed: async (texts, { purpose }) => {
      if (purpose === 'document') {
        await embedder.beforeBatch(texts);
        embedder.calls.push([...texts]);
      }
      return Promise.all(texts.map((text) => vectorOf(text, embedder.generation)));
    },
    close: async () => undefined,
  };
  return embedder;
}
