/** Embeds the queries of side-by-side searches in one call: a remote provider answers ten texts as fast as one. */
import type { Embedder } from '../../../shared/embedding/embedder.js';
import { DependencyError, PoisonError } from '../../../shared/kernel/errors.js';

/** More than one recall asks for; what comes beyond it in the same turn travels in the next call. */
const TEXTS_LIMIT = 32;

type Waiting = {
  readonly text: string;
  readonly resolve: (vector: Float32Array) => void;
  readonly reject: (error: unknown) => void;
};

/** Whatever is asked for in the same turn of the event loop goes together. A text that the provider refuses spoils no other. */
export function embedTogether(embedder: Embedder): (text: string) => Promise<Float32Array> {
  let waiting: Waiting[] = [];

  return (text) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) queueMicrotask(() => void sendAll());
      waiting.push({ text, resolve, reject });
    });

  async function sendAll(): Promise<void> {
    const all = waiting;
    waiting = [];
    for (let start = 0; start < all.length; start += TEXTS_LIMIT) await send(all.slice(start, start + TEXTS_LIMIT));
  }

  async function send(some: readonly Waiting[]): Promise<void> {
    try {
      const vectors = await embedder.embed(
        some.map(({ text }) => text),
        { purpose: 'query' },
      );
      some.forEach(({ resolve, reject }, index) => {
        const vector = vectors[index];
        if (vector) resolve(vector);
        else reject(new DependencyError('embedding', 'The encoder gave no vector for the query: try again'));
      });
    } catch (error) {
      if (error instanceof PoisonError && some.length > 1) await Promise.all(some.map((one) => send([one])));
      else for (const { reject } of some) reject(error);
    }
  }
}
