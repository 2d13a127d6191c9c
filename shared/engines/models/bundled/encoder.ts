/**
 * One encoder thread and its states:
 *   starting   -> idle        the model is loaded
 *   idle       -> busy        a batch was sent; -> idle again with its answer
 *   any        -> restarting  the thread ended or did not answer in time; its batch fails
 *   restarting -> starting    after a delay that doubles with each consecutive exit
 *   any        -> closed      permanently
 */
import { Worker } from 'node:worker_threads';
import { DependencyError, PoisonError } from '../../../kernel/errors.js';
import type { Logger } from '../../../kernel/logger.js';
import type { EncoderData, EncoderMessage } from './encoder-thread.js';

/** A thread that takes longer hangs: one batch takes about 0.1 s, loading the model 0.3 s. */
const ANSWER_LIMIT_MS = 30_000;
/** Small, because texts and vectors are short-lived; the default of V8 is 48 MB. */
const YOUNG_GENERATION_MB = 8;
const FIRST_RESTART_DELAY_MS = 250;
const RESTART_DELAY_LIMIT_MS = 30_000;

export type EncoderState = 'starting' | 'idle' | 'busy' | 'restarting' | 'closed';

export type Encoder = {
  readonly state: () => EncoderState;
  /**
   * Call it only in state idle. Rejects with PoisonError when the model rejects the texts, DependencyError when the
   * thread ends.
   */
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
  let consecutiveExits = 0;
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
    started.once('exit', () => onExit(cause));
    startTimeout();
    return started;
  }

  function startTimeout(): void {
    timer = setTimeout(() => void worker.terminate(), ANSWER_LIMIT_MS);
  }

  function receive(message: EncoderMessage): void {
    clearTimeout(timer);
    if (state === 'closed') return;
    const answered = pending;
    pending = null;
    state = 'idle';
    if (message.kind === 'encoded') {
      consecutiveExits = 0;
      answered?.resolve(message.vectors);
    } else if (message.kind === 'refused') {
      answered?.reject(new PoisonError(`The bundled encoder refused a text (${message.reason}): change the text`));
    }
    onChange();
  }

  function onExit(cause: unknown): void {
    clearTimeout(timer);
    const lost = pending;
    pending = null;
    if (state !== 'closed') {
      const delayMs = Math.min(RESTART_DELAY_LIMIT_MS, FIRST_RESTART_DELAY_MS * 2 ** consecutiveExits);
      consecutiveExits += 1;
      state = 'restarting';
      logger.warn({ err: cause, delayMs }, 'encoder thread ended');
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
        startTimeout();
        worker.postMessage(texts);
      }),
    close: async () => {
      state = 'closed';
      clearTimeout(timer);
      await worker.terminate();
    },
  };
}
