/**
 * The pool of encoder processes, with a queue of requests for each purpose: queries first, then documents that were
 * stored alone, then all other documents. A process gets a small batch at a time, so a query waits for one document at
 * most. After each long text comes a short one: a short query does not wait for all the texts of a long one, and a
 * short document that was stored alone does not wait for all long queries.
 */
import { DeadlineError, DependencyError } from '../../../kernel/errors.js';
import type { Logger } from '../../../kernel/logger.js';
import { type Metrics, NO_METRICS } from '../../../kernel/metrics/metrics.js';
import { startEncoder } from './encoder.js';

const PURPOSES = ['query', 'single', 'document'] as const;
export type Purpose = (typeof PURPOSES)[number];

/** Texts that can wait in each queue; further texts are rejected. */
export const QUEUE_LIMIT: Readonly<Record<Purpose, number>> = { query: 256, single: 256, document: 2_048 };
/**
 * Characters of one batch. The model reads one text at a time, so batching saves only the message to the process. A
 * batch is as small as one usual memory, and only short texts share one.
 */
export const BATCH_CHARACTERS = 256;

type Request = {
  readonly purpose: Purpose;
  readonly texts: readonly string[];
  readonly vectors: Float32Array[];
  readonly resolve: (vectors: readonly Float32Array[]) => void;
  readonly reject: (error: Error) => void;
  sent: number;
  received: number;
  /** On the clock of performance.now(). The request with the first one is next. */
  readonly dueAt: number;
};

/** How long shorter requests may pass a request, for each of its characters: several times what it costs. */
const PASSED_MS_PER_CHARACTER = 1;

export type EncoderPool = {
  /** One vector for each text; no text is empty. */
  readonly encode: (
    texts: readonly string[],
    options: { readonly purpose: Purpose; readonly signal?: AbortSignal },
  ) => Promise<readonly Float32Array[]>;
  readonly close: () => Promise<void>;
};

export function createEncoderPool({
  workers,
  logger,
  isBackground,
  main,
  answerLimitMs,
  metrics = NO_METRICS,
}: {
  readonly workers: number;
  readonly logger: Logger;
  readonly metrics?: Pick<Metrics, 'report'> | undefined;
  readonly isBackground: boolean;
  readonly main: URL;
  readonly answerLimitMs?: number | undefined;
}): EncoderPool {
  const queues: Readonly<Record<Purpose, Set<Request>>> = {
    query: new Set(),
    single: new Set(),
    document: new Set(),
  };
  /** The batch before was a long text: a short one is next, if one waits. */
  let isShortNext = false;
  const encoders = Array.from({ length: workers }, () =>
    startEncoder({ onChange, logger, isBackground, main, answerLimitMs }),
  );

  const endReport = metrics.report(async () =>
    PURPOSES.map((purpose) => ({
      name: 'palimpsest_encoder_waiting_texts',
      labels: [purpose],
      value: waitingTexts(purpose),
    })),
  );

  function waitingTexts(purpose: Purpose): number {
    return [...queues[purpose]].reduce((sum, request) => sum + request.texts.length - request.sent, 0);
  }

  function isRunning(): boolean {
    return encoders.some((encoder) => encoder.state() !== 'restarting' && encoder.state() !== 'closed');
  }

  function onChange(): void {
    if (!isRunning()) rejectAll();
    for (const encoder of encoders) {
      if (encoder.state() !== 'idle') continue;
      const batch = nextBatch(queues, isShortNext);
      if (batch === null) return;
      isShortNext = batch.isLong;
      const { request, from, texts, isQuery } = batch;
      encoder.encode({ texts, isQuery }).then(
        (vectors) => receive(request, from, vectors),
        (error: Error) => rejectRequest(request, error),
      );
    }
  }

  function receive(request: Request, from: number, vectors: readonly Float32Array[]): void {
    vectors.forEach((vector, index) => (request.vectors[from + index] = vector));
    request.received += vectors.length;
    if (request.received === request.texts.length) request.resolve(request.vectors);
  }

  function rejectRequest(request: Request, error: Error): void {
    queues[request.purpose].delete(request);
    request.reject(error);
  }

  function rejectAll(): void {
    for (const request of PURPOSES.flatMap((purpose) => [...queues[purpose]])) rejectRequest(request, notRunning());
  }

  function notRunning(): DependencyError {
    const cause = encoders.map((encoder) => encoder.problem()).find((problem) => problem !== null);
    return new DependencyError(
      'embedding',
      `The bundled encoder is not running${cause ? ` (${cause})` : ''} and restarts automatically: try again in a moment`,
    );
  }

  function checkCapacity(purpose: Purpose, texts: readonly string[]): void {
    if (!isRunning()) throw notRunning();
    const waiting = waitingTexts(purpose);
    if (waiting + texts.length > QUEUE_LIMIT[purpose]) {
      throw new DeadlineError(`${waiting} texts already wait for the bundled encoder: try again in a moment`);
    }
  }

  return {
    encode: async (texts, { purpose, signal }) => {
      if (signal?.aborted) throw abandoned();
      if (texts.length === 0) return [];
      checkCapacity(purpose, texts);
      let onAbort = (): void => undefined;
      const encoded = new Promise<readonly Float32Array[]>((resolve, reject) => {
        const dueAt = dueAtOf(texts);
        const request: Request = { purpose, texts, vectors: [], resolve, reject, sent: 0, received: 0, dueAt };
        onAbort = () => rejectRequest(request, abandoned());
        queues[purpose].add(request);
      });
      signal?.addEventListener('abort', onAbort);
      onChange();
      return encoded.finally(() => signal?.removeEventListener('abort', onAbort));
    },
    close: async () => {
      endReport();
      await Promise.all(encoders.map((encoder) => encoder.close()));
      rejectAll();
    },
  };
}

function nextBatch(queues: Readonly<Record<Purpose, Set<Request>>>, isShortNext: boolean) {
  const request =
    (isShortNext ? (firstShort(queues.query) ?? firstShort(queues.single)) : undefined) ??
    firstDue(queues.query) ??
    firstDue(queues.single) ??
    firstDue(queues.document);
  if (request === undefined) return null;
  const from = request.sent;
  let characters = 0;
  do {
    characters += request.texts[request.sent]?.length ?? 0;
    request.sent += 1;
  } while (
    request.sent < request.texts.length &&
    characters + (request.texts[request.sent]?.length ?? 0) <= BATCH_CHARACTERS
  );
  if (request.sent === request.texts.length) queues[request.purpose].delete(request);
  const texts = request.texts.slice(from, request.sent);
  return { request, from, texts, isLong: characters > BATCH_CHARACTERS, isQuery: request.purpose === 'query' };
}

/** Whether its next text is longer than a batch. */
function isLong({ texts, sent }: Request): boolean {
  return (texts[sent]?.length ?? 0) > BATCH_CHARACTERS;
}

function dueAtOf(texts: readonly string[]): number {
  return performance.now() + texts.reduce((sum, { length }) => sum + length, 0) * PASSED_MS_PER_CHARACTER;
}

function firstShort(queue: Iterable<Request>): Request | undefined {
  return firstDue([...queue].filter((request) => !isLong(request)));
}

function firstDue(queue: Iterable<Request>): Request | undefined {
  let first: Request | undefined;
  for (const request of queue) if (first === undefined || request.dueAt < first.dueAt) first = request;
  return first;
}

function abandoned(): DeadlineError {
  return new DeadlineError('The text was not embedded before the deadline of the caller: try again');
}
