/** What the edge hands to a room and gets back. Handlers know no Koa; the edge knows no memory. */
import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import type { Actor } from '../contract/envelope.js';
import type { MemoryId } from '../contract/memory.js';
import type { Operation, OperationName, OPERATIONS } from '../contract/operations.js';
import type { QueryParameter, QueryValues } from '../contract/queries.js';

export type RequestContext = {
  /** UUID of this request: correlation id of its events, `X-Request-Id` of its answer. */
  readonly requestId: string;
  readonly actor: Actor;
  readonly traceparent: string | null;
  /** Hash (64 hex digits) of token, operation and `Idempotency-Key`; null without the header. */
  readonly commandKey: string | null;
  /** Hash (64 hex digits) of method, path, query and body: what tells two requests with one key apart. */
  readonly requestHash: string;
  /** Hash (64 hex digits) of token and request: equal for identical requests of one caller. */
  readonly fingerprint: string;
  /** From `If-Match`: the revision demanded, `*` for any that exists, null without the header. */
  readonly ifMatch: number | '*' | null;
  /** From `Last-Event-ID`: behind which event a stream goes on; null without the header. */
  readonly lastEventId: number | null;
  /** `performance.now()` when the request arrived. */
  readonly startedAt: number;
  /** Aborted when the client hangs up or the server is forced to stop, and at the latest once the answer has left. */
  readonly signal: AbortSignal;
};

type Operations = typeof OPERATIONS;
type BodyOf<O> = O extends { readonly body: { readonly schema: infer S } }
  ? S extends JSONSchema
    ? FromSchema<S>
    : never
  : undefined;
type QueryOf<O> = O extends { readonly query: infer Q }
  ? Q extends readonly QueryParameter[]
    ? QueryValues<Q>
    : never
  : Record<string, never>;
type ParamsOf<O extends Operation> = O['path'] extends `${string}:id${string}`
  ? { readonly id: MemoryId }
  : O['path'] extends `${string}:name${string}`
    ? { readonly name: string }
    : Record<string, never>;

/** A request that has passed authentication and its operation's schemas; path ids are valid UUIDs in lower case. */
export type RequestFor<N extends OperationName> = {
  readonly params: ParamsOf<Operations[N]>;
  readonly query: QueryOf<Operations[N]>;
  readonly body: BodyOf<Operations[N]>;
  readonly context: RequestContext;
};

export type Reply = {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Called once the answer has left, and not when the client was gone before. */
  readonly onSent?: () => void;
  /** In place of the body, which then counts for nothing: writes an answer without a known end. It ends when this resolves. */
  readonly stream?: (sink: ReplySink) => Promise<void>;
};

/** Where a streamed answer is written to, one piece at a time. */
export interface ReplySink {
  /**
   * Waits for room, so that nothing piles up here. `stalled`: the client has not made room for `patienceMs`. `gone`: nobody reads any
   * more. After either there is nothing to wait for.
   */
  write(text: string, patienceMs: number): Promise<'taken' | 'stalled' | 'gone'>;
  /** Aborted when the client has gone. */
  readonly gone: AbortSignal;
  /** Aborted when the server begins to stop: what has no end ends now. */
  readonly stopping: AbortSignal;
}

export type Handler<N extends OperationName> = (request: RequestFor<N>) => Promise<Reply>;
export type Handlers<N extends OperationName> = { readonly [K in N]: Handler<K> };

type NamesIn<R> = { [K in OperationName]: Operations[K]['room'] extends R ? K : never }[OperationName];
export type InternalOperation = {
  [K in OperationName]: Operations[K]['access'] extends 'internal' ? K : never;
}[OperationName];
export type CommandOperation = Exclude<NamesIn<'command'>, InternalOperation>;
export type QueryOperation = NamesIn<'query'>;

/** The ETag of a revision. */
export function etagOf(revision: number): string {
  return `"${revision}"`;
}
