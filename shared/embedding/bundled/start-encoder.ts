/**
 * One encoder thread and its states:
 *   starting -> idle      the model is loaded
 *   idle     -> busy      a batch was sent; -> idle again with its answer
 *   any      -> resting   the thread ended or did not answer in time; its batch fails
 *   resting  -> starting  after a delay that doubles with every end in a row
 *   any      -> closed    for good
 */
import { Worker } from 'node:worker_threads';
import { DependencyError, PoisonError } from '../../kernel/errors.js';
import type { Logger } from '../../kernel/logger.js';
import type { EncoderData, EncoderMessage } from './encoder-thread.js';

/** One batch takes about 0.1 s; the model loads in 0.3 s. Beyond this the thread hangs. */
const ANSWER_LIMIT_MS = 30_000;
/** Texts and vectors live for a moment; V8 would take 48 MB for them. */
const YOUNG_GENERATION_MB = 8;
const FIRST_REST_MS = 250;
const REST_LIMIT_MS = 30_000;

export type EncoderState = 'starting' | 'idle' | 'busy' | 'resting' | 'closed';

export type Encoder = {
  readonly state: () => EncoderState;
  /** Only when idle. Rejects with PoisonError when the model refuses the texts, DependencyError when the thread ends. */
  readonly encode: (texts: readonly string[]) => Promise<readonly Float32Array[]>;
  readonly close: () => Promise<void>;
};

type Pending = {
  readonly resolve: (vectors: readonly Float32Array[]) => void;
  readonly reject: (error: Error) => void;
};

export function startEncoder({
  onChange,
  logger,
  isBackground,
  thread,
}: {
  readonly onChange: () => void;
  readonly logger: Logger;
  readonly isBackground: boolean;
  readonly thread: URL;
}): Encoder {
  let state: EncoderState = 'starting';
  let pending: Pending | null = null;
  let endsInARow = 0;
  let timer: NodeJS.Timeout | undefined;
  let worker = start();

  function start(): Worker {
    const started = new Worker(thread, {
      name: 'encoder',
      workerData: { isBackground } satisfies EncoderData,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    let cause: unknown;
    started.on('message', (message: EncoderMessage) => receive(message));
    started.on('error', (error) => (cause = error));
    started.once('exit', () => rest(cause));
    watch();
    return started;
  }

  function watch(): void {
    timer = setTimeout(() => void worker.terminate(), ANSWER_LIMIT_MS);
  }

  function receive(message: EncoderMessage): void {
    clearTimeout(timer);
    if (state === 'closed') return;
    const answered = pending;
    pending = null;
    state = 'idle';
    if (message.kind === 'encoded') {
      endsInARow = 0;
      answered?.resolve(message.vectors);
    } else if (message.kind === 'refused') {
      answered?.reject(new PoisonError(`The bundled encoder refused a text (${message.reason}): change the text`));
    }
    onChange();
  }

  function rest(cause: unknown): void {
    clearTimeout(timer);
    const lost = pending;
    pending = null;
    if (state !== 'closed') {
      const delayMs = Math.min(REST_LIMIT_MS, FIRST_REST_MS * 2 ** endsInARow);
      endsInARow += 1;
      state = 'resting';
      logger.warn({ error: cause, delayMs }, 'The encoder thread ended; it starts again after a delay');
      timer = setTimeout(() => {
        state = 'starting';
        worker = start();
      }, delayMs);
    }
    lost?.reject(
      new DependencyError('embedding', 'The bundled encoder stopped while it worked on this text: try again', {
        cause,
      }),
    );
    onChange();
  }

  return {
    state: () => state,
    encode: (texts) =>
      new Promise((resolve, reject) => {
        state = 'busy';
        pending = { resolve, reject };
        watch();
        worker.postMessage(texts);
      }),
    close: async () => {
      state = 'closed';
      clearTimeout(timer);
      await worker.terminate();
    },
  };
}
