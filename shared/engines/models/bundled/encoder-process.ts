/**
 * The process that runs the bundled encoder: texts in, vectors out, one batch at a time. Only `encoder.ts` starts it,
 * and other modules import nothing but its types: the module loads the model and takes over signals.
 * A process and not a thread, because the runtime is native code: the end of a thread in the middle of a call ends the
 * whole process, and so would a fault of the runtime.
 */
import { messageOf } from '../../../kernel/errors.js';
import { openModel } from './model.js';

/** One batch. `isQuery`: the texts are questions, which the model encodes in another way than what answers them. */
export type EncoderRequest = { readonly texts: readonly string[]; readonly isQuery: boolean };

/** The messages of the process: `ready` or `failed` once, after `ready` one answer to each batch. */
export type EncoderMessage =
  | { readonly kind: 'ready'; /** The library that runs the model. */ readonly runtime: string }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'encoded'; readonly vectors: readonly Float32Array[] }
  | { readonly kind: 'refused'; readonly reason: string };

// A terminal sends its signals to this process too: it ends with its parent, which may still need it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit());

try {
  const { runtime, encode } = await openModel();
  process.on('message', ({ texts, isQuery }: EncoderRequest) => {
    const answer = async (): Promise<EncoderMessage> => {
      const vectors: Float32Array[] = [];
      for (const text of texts) vectors.push(await encode(text, { isQuery }));
      return { kind: 'encoded', vectors };
    };
    answer().then(send, (error: unknown) => send({ kind: 'refused', reason: messageOf(error) }));
  });
  send({ kind: 'ready', runtime });
} catch (error) {
  send({ kind: 'failed', reason: messageOf(error) });
  process.disconnect();
}

function send(message: EncoderMessage): void {
  process.send?.(message);
}
