/**
 * One encoder process and its states:
 *   starting   -> idle        the model is loaded
 *   idle       -> busy        a batch was sent; -> idle again with its answer
 *   any        -> restarting  the process ended or did not answer in time; its batch fails
 *   restarting -> starting    after a delay that doubles with each consecutive exit
 *   any        -> closed      permanently
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { DependencyError, PoisonError } from '../../../kernel/errors.js';
import type { Logger } from '../../../kernel/logger.js';
import type { EncoderMessage, EncoderRequest } from './encoder-process.js';

/**
 * A process that takes longer hangs: a batch takes at most 0.2 s on an idle core, loading the model 0.5 s. Where other
 * work leaves it no processor time it is only slow, so the limit doubles with each consecutive exit.
 */
const ANSWER_LIMIT_MS = 30_000;
/** So a text that hangs the process each time blocks the others for eight minutes at most. */
const MOST_DOUBLINGS = 4;
const FIRST_RESTART_DELAY_MS = 250;
const RESTART_DELAY_LIMIT_MS = 30_000;

export type EncoderState = 'starting' | 'idle' | 'busy' | 'restarting' | 'closed';

export type Encoder = {
  readonly state: () => EncoderState;
  /**
   * Call it only in state idle. Rejects with PoisonError when the model rejects the texts, DependencyError when the
   * process ends.
   */
  readonly encode: (request: EncoderRequest) => Promise<readonly Float32Array[]>;
  /** Why the process ended the last time; null when it never ended. */
  readonly problem: () => string | null;
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
  main,
  answerLimitMs = ANSWER_LIMIT_MS,
}: {
  readonly onChange: () => void;
  readonly logger: Logger;
  readonly isBackground: boolean;
  /** The module of the process. */
  readonly main: URL;
  /** The first limit. */
  readonly answerLimitMs?: number | undefined;
}): Encoder {
  let state: EncoderState = 'starting';
  let pending: Pending | null = null;
  let problem: string | null = null;
  let consecutiveExits = 0;
  let timer: NodeJS.Timeout | undefined;
  let child = start();

  function start(): ChildProcess {
    const started = fork(fileURLToPath(main), {
      serialization: 'advanced',
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    if (isBackground && started.pid !== undefined) setPriority(started.pid, constants.priority.PRIORITY_BELOW_NORMAL);
    let cause = 'it ended';
    started.on('message', (message: EncoderMessage) => {
      if (message.kind === 'failed') cause = message.reason;
      else receive(message);
    });
    started.on('error', (error) => {
      cause = error.message;
      if (started.pid === undefined) onExit(cause); // it was never there, so it does not exit
    });
    started.once('exit', (_, signal) => onExit(signal === null ? cause : `${cause} by ${signal}`));
    startTimeout(started);
    return started;
  }

  function startTimeout(waited: ChildProcess): void {
    const limitMs = answerLimitMs * 2 ** Math.min(consecutiveExits, MOST_DOUBLINGS);
    timer = setTimeout(() => waited.kill('SIGKILL'), limitMs);
  }

  function receive(message: Exclude<EncoderMessage, { kind: 'failed' }>): void {
    clearTimeout(timer);
    if (state === 'closed') return;
    const answered = pending;
    pending = null;
    state = 'idle';
    if (message.kind === 'ready') {
      logger.info({ runtime: message.runtime }, 'bundled encoder is ready');
    } else if (message.kind === 'encoded') {
      consecutiveExits = 0;
      answered?.resolve(message.vectors);
    } else {
      answered?.reject(new PoisonError(`The bundled encoder refused a text (${message.reason}): change the text`));
    }
    onChange();
  }

  function onExit(cause: string): void {
    clearTimeout(timer);
    const lost = pending;
    pending = null;
    if (state !== 'closed') {
      const delayMs = Math.min(RESTART_DELAY_LIMIT_MS, FIRST_RESTART_DELAY_MS * 2 ** consecutiveExits);
      consecutiveExits += 1;
      state = 'restarting';
      problem = cause;
      logger.warn({ cause, delayMs }, 'the bundled encoder ended');
      timer = setTimeout(() => {
        state = 'starting';
        child = start();
      }, delayMs);
    }
    lost?.reject(
      new DependencyError(
        'embedding',
        `The bundled encoder stopped while it worked on this text (${cause}): try again`,
      ),
    );
    onChange();
  }

  return {
    state: () => state,
    problem: () => problem,
    encode: (request) =>
      new Promise((resolve, reject) => {
        state = 'busy';
        pending = { resolve, reject };
        startTimeout(child);
        child.send(request);
      }),
    close: async () => {
      state = 'closed';
      clearTimeout(timer);
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}
