/**
 * The encoder threads behind two lines of waiting requests: queries first, documents in what time is left. A thread is given little
 * at a time, so a query waits for one document at most.
 */
import { DeadlineError, DependencyError } from '../../kernel/errors.js';
import type { Logger } from '../../kernel/logger.js';
import { startEncoder } from './start-encoder.js';

export type Purpose = 'query' | 'document';

/** Texts that may wait in each line; more are refused. */
export const WAITING_LIMIT: Readonly<Record<Purpose, number>> = { query: 256, document: 2_048 };
/**
 * A call costs 0.15 ms a character and hardly less when texts share it (40-word texts: 24/s alone, 28/s in sixteens), so a batch is
 * as small as one usual memory (about 40 ms) and only short texts travel together.
 */
export const BATCH_CHARACTERS = 256;

type Request = {
  readonly texts: readonly string[];
  readonly vectors: Float32Array[];
  readonly resolve: (vectors: readonly Float32Array[]) => void;
  readonly reject: (error: Error) => void;
  sent: number;
  received: number;
};

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
  thread,
}: {
  readonly workers: number;
  readonly logger: Logger;
  readonly isBackground: boolean;
  readonly thread: URL;
}): EncoderPool {
  const lines: Readonly<Record<Purpose, Set<Request>>> = { query: new Set(), document: new Set() };
  const encoders = Array.from({ length: workers }, () => startEncoder({ onChange, logger, isBackground, thread }));

  function isRunning(): boolean {
    return encoders.some((encoder) => encoder.state() !== 'resting' && encoder.state() !== 'closed');
  }

  function onChange(): void {
    if (!isRunning()) failAll();
    for (const encoder of encoders) {
      if (encoder.state() !== 'idle') continue;
      const batch = nextBatch(lines);
      if (batch === null) return;
      const { request, from, texts } = batch;
      encoder.encode(texts).then(
        (vectors) => receive(request, from, vectors),
        (error: Error) => fail(request, error),
      );
    }
  }

  function receive(request: Request, from: number, vectors: readonly Float32Array[]): void {
    vectors.forEach((vector, index) => (request.vectors[from + index] = vector));
    request.received += vectors.length;
    if (request.received === request.texts.length) request.resolve(request.vectors);
  }

  function fail(request: Request, error: Error): void {
    lines.query.delete(request);
    lines.document.delete(request);
    request.reject(error);
  }

  function failAll(): void {
    for (const request of [...lines.query, ...lines.document]) fail(request, notRunning());
  }

  function admit(purpose: Purpose, texts: readonly string[]): void {
    if (!isRunning()) throw notRunning();
    const waiting = [...lines[purpose]].reduce((sum, request) => sum + request.texts.length - request.sent, 0);
    if (waiting + texts.length > WAITING_LIMIT[purpose]) {
      throw new DeadlineError(`${waiting} texts already wait for the bundled encoder: try again in a moment`);
    }
  }

  return {
    encode: async (texts, { purpose, signal }) => {
      if (signal?.aborted) throw givenUp();
      if (texts.length === 0) return [];
      admit(purpose, texts);
      let giveUp = (): void => undefined;
      const encoded = new Promise<readonly Float32Array[]>((resolve, reject) => {
        const request: Request = { texts, vectors: [], resolve, reject, sent: 0, received: 0 };
        giveUp = () => fail(request, givenUp());
        lines[purpose].add(request);
      });
      signal?.addEventListener('abort', giveUp);
      onChange();
      return encoded.finally(() => signal?.removeEventListener('abort', giveUp));
    },
    close: async () => {
      await Promise.all(encoders.map((encoder) => encoder.close()));
      failAll();
    },
  };
}

function nextBatch(lines: Readonly<Record<Purpose, Set<Request>>>) {
  const line = lines.query.size > 0 ? lines.query : lines.document;
  const [request] = line;
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
  if (request.sent === request.texts.length) line.delete(request);
  return { request, from, texts: request.texts.slice(from, request.sent) };
}

function notRunning(): DependencyError {
  return new DependencyError(
    'embedding',
    'The bundled encoder is not running: it starts again by itself, try again in a moment',
  );
}

function givenUp(): DeadlineError {
  return new DeadlineError('The text was not embedded within the time that its caller gave it: try again');
}
