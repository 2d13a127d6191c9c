/** Reads the body of a request up to a limit. Rejects a longer body so that the client can still read the response. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { BODY_LIMIT_BYTES, CHUNKS_LIMIT, SMALL_CHUNK_BYTES } from '../../contract/limits.js';
import { DeadlineError } from '../../kernel/errors.js';
import { EdgeError } from '../edge-state.js';

/** Of a rejected body: a client that is cut while it sends may never read the response. */
const DRAIN_BYTES = 2 * BODY_LIMIT_BYTES;
/** At full speed one client that repeats a rejected body takes the processor from the others. */
const DRAIN_BYTES_PER_SECOND = BODY_LIMIT_BYTES;

export type ReadOptions = {
  readonly limitBytes: number;
  readonly response: ServerResponse;
  /** Counts the bytes while they arrive; the caller releases them. */
  readonly share?: BodyShare;
};

/** Answers `Expect: 100-continue` after the check of Content-Length (`sendsContinue` of `listen`). */
export async function readBytes(
  request: IncomingMessage,
  { limitBytes, response, share }: ReadOptions,
): Promise<Buffer> {
  const isWaiting = request.headers.expect?.toLowerCase() === '100-continue';
  const isTooLarge = Number(request.headers['content-length'] ?? 0) > limitBytes;
  if (isTooLarge && isWaiting) throw tooLarge(limitBytes); // the client has sent nothing yet
  if (isWaiting) response.writeContinue();
  const chunks: Buffer[] = [];
  let taken = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      taken += chunk.length;
      if (isTooLarge || taken > limitBytes) break;
      share?.take(chunk.length);
      chunks.push(chunk);
      if (hasTooManyChunks({ chunks: chunks.length, bytes: taken })) throw tooManyChunks();
    }
  } catch (error) {
    if (error instanceof EdgeError) throw error;
    if (!(error instanceof DeadlineError))
      throw new EdgeError(408, 'The connection ended before the whole body had arrived: send it again');
    await drain(request);
    throw error;
  }
  if (!isTooLarge && taken <= limitBytes) return Buffer.concat(chunks, taken);
  await drain(request);
  throw tooLarge(limitBytes);
}

/** Bytes of a body on which the main thread works between two checks of the clock. */
const PIECE_BYTES = 256 * 1024;

export function piecesOf(bytes: Uint8Array): readonly Uint8Array[] {
  const pieces = Math.ceil(bytes.length / PIECE_BYTES);
  return Array.from({ length: pieces }, (_, index) => bytes.subarray(index * PIECE_BYTES, (index + 1) * PIECE_BYTES));
}

/** A body of so many chunks has larger ones: each costs a turn of the parser, 50,000 of one byte 0.2 s. */
export function hasTooManyChunks({ chunks, bytes }: { readonly chunks: number; readonly bytes: number }): boolean {
  return chunks > CHUNKS_LIMIT && bytes < SMALL_CHUNK_BYTES * chunks;
}

function tooManyChunks(): EdgeError {
  const text = `The body has more than ${CHUNKS_LIMIT} chunks of less than ${SMALL_CHUNK_BYTES} bytes: send it in larger ones`;
  return new EdgeError(413, text, { connection: 'close' });
}

function tooLarge(limitBytes: number): EdgeError {
  const text = `The body is larger than ${limitBytes} bytes: send it in smaller parts`;
  return new EdgeError(413, text, { connection: 'close' });
}

async function drain(request: IncomingMessage): Promise<void> {
  const begun = performance.now();
  let taken = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    taken += (chunk as Buffer).length;
    if (taken > DRAIN_BYTES) return;
    const dueAt = begun + (taken / DRAIN_BYTES_PER_SECOND) * 1_000;
    if (dueAt > performance.now()) await pause(dueAt - performance.now());
  }
}

/** Eight of the largest bodies, or a thousand of 256 KB. Parsed they take several times as much memory. */
export const BODIES_IN_FLIGHT_LIMIT_BYTES = 256 * 1024 * 1024;
const RETRY_AFTER_SECONDS = 1;
/** A body takes only its first bytes from the last quarter of the capacity, so a few large bodies stop no small one. */
const SMALL_BODY_BYTES = 1024 * 1024;
const LARGE_BODIES_SHARE = 0.75;
/** The large bodies of one caller leave half of the capacity to the others. One body always fits. */
const CALLER_SHARE = 0.5;

/** Of one request. Received bytes count, not announced ones: a client that sends nothing takes no capacity. */
export type BodyShare = {
  /** Throws DeadlineError when all bodies together exceed the limit. */
  readonly take: (bytes: number) => void;
  readonly release: () => void;
};

/** `caller`: as admission knows it. */
export type BodyBudget = { readonly open: (caller: string) => BodyShare };

export function createBodyBudget(limitBytes: number): BodyBudget {
  const callerLimitBytes = Math.max(CALLER_SHARE * limitBytes, BODY_LIMIT_BYTES);
  let heldBytes = 0;
  const ofCallers = new Map<string, number>();

  function add(caller: string, bytes: number): void {
    heldBytes += bytes;
    const held = (ofCallers.get(caller) ?? 0) + bytes;
    if (held === 0) ofCallers.delete(caller);
    else ofCallers.set(caller, held);
  }

  return {
    open: (caller) => {
      let own = 0;
      return {
        take: (bytes) => {
          const isSmall = own + bytes <= SMALL_BODY_BYTES;
          if (heldBytes + bytes > (isSmall ? limitBytes : LARGE_BODIES_SHARE * limitBytes))
            throw new DeadlineError('This process reads too many bodies now: send it again later', RETRY_AFTER_SECONDS);
          if (!isSmall && (ofCallers.get(caller) ?? 0) + bytes > callerLimitBytes)
            throw new DeadlineError(
              'This process reads too many of your large bodies: send them one after the other',
              RETRY_AFTER_SECONDS,
            );
          add(caller, bytes);
          own += bytes;
        },
        release: () => {
          add(caller, -own);
          own = 0;
        },
      };
    },
  };
}
