/**
 * Finds candidates by meaning: the memories whose vectors are nearest to the vector of the query, or to the caller's
 * embedding.
 */
import { withTimeoutSignal } from '../../../../shared/kernel/concurrency/abort-signals.js';
import { DependencyError, PoisonError } from '../../../../shared/kernel/errors.js';
import type { Embedder } from '../../../../shared/ports/embedder.js';
import type { VectorIndexReader } from '../../../../shared/ports/vectors.js';
import type { RecallPlan } from '../../plan/recall-plan.js';
import type { Stage } from '../../stage-times.js';
import { hitsOfPasses, type Source } from './source.js';

type Dependencies = { readonly vectors: VectorIndexReader; readonly embedder: Embedder; readonly timeoutMs: number };

export function createVectorSource({ vectors, embedder, timeoutMs }: Dependencies): Source {
  const embed = batchEmbeddings(embedder, { timeoutMs });

  async function queryVector(
    { embedding, text }: RecallPlan,
    stage: Stage,
  ): Promise<{ readonly vector: Float32Array; readonly model?: string }> {
    return embedding === null ? stage('encode', () => embed(text ?? '')) : { vector: embedding };
  }

  return {
    name: 'vector',
    readsIndex: true,
    applies: (plan) => plan.embedding !== null || plan.text !== null,
    async search(plan, { stage, awaitIndex }) {
      const [query] = await Promise.all([queryVector(plan, stage), awaitIndex()]);
      return hitsOfPasses(
        plan,
        ({ filter, limits }) => vectors.search({ ...query, filter, limit: limits.vector }),
        ({ id, similarity }) => ({ id, evidence: { source: 'vector', similarity } }),
      );
    },
  };
}

/** More texts than one recall has. Further texts of the same turn of the event loop go into the next call. */
const TEXTS_LIMIT = 32;
/** A text with more characters costs the encoder many times what a usual question costs. */
const SHORT_TEXT_LIMIT = 256;

/** A vector, with the model that made it. */
type QueryVector = { readonly vector: Float32Array; readonly model: string };

type PendingText = {
  readonly text: string;
  readonly resolve: (vector: QueryVector) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Embeds the queries of concurrent searches in one call: a remote provider embeds ten texts as fast as one. Texts of
 * the same turn of the event loop share a call, but short texts never one with long texts of others, whose end they
 * would wait for. When the provider rejects a batch because of one text, each text is
 * sent again on its own, so the other texts succeed. After `timeoutMs` no recall waits for the vectors: texts that
 * still wait for an encoder leave its queue.
 */
export function batchEmbeddings(
  embedder: Embedder,
  { timeoutMs }: { readonly timeoutMs: number },
): (text: string) => Promise<QueryVector> {
  let pending: PendingText[] = [];

  return (text) =>
    new Promise((resolve, reject) => {
      if (pending.length === 0) queueMicrotask(() => void sendAll());
      pending.push({ text, resolve, reject });
    });

  async function sendAll(): Promise<void> {
    const all = pending;
    pending = [];
    const isShort = ({ text }: PendingText): boolean => text.length <= SHORT_TEXT_LIMIT;
    await Promise.all([sendInCalls(all.filter(isShort)), sendInCalls(all.filter((each) => !isShort(each)))]);
  }

  async function sendInCalls(texts: readonly PendingText[]): Promise<void> {
    for (let start = 0; start < texts.length; start += TEXTS_LIMIT) await send(texts.slice(start, start + TEXTS_LIMIT));
  }

  async function send(batch: readonly PendingText[]): Promise<void> {
    try {
      const { model } = embedder;
      const texts = batch.map(({ text }) => text);
      const vectors = await withTimeoutSignal(timeoutMs, [], (signal) =>
        embedder.embed(texts, { purpose: 'query', signal, model }),
      );
      batch.forEach(({ resolve, reject }, index) => {
        const vector = vectors[index];
        if (vector) resolve({ vector, model });
        else reject(new DependencyError('embedding', 'The encoder gave no vector for the query: try again'));
      });
    } catch (error) {
      if (error instanceof PoisonError && batch.length > 1) await Promise.all(batch.map((one) => send([one])));
      else for (const { reject } of batch) reject(error);
    }
  }
}
