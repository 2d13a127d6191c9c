/** What the edge passes to a handler and gets back. Handlers do not know Koa; the edge does not know memories. */
import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import type { Actor } from '../contract/envelope.js';
import type { MemoryId } from '../contract/memory.js';
import type { Operation } from '../contract/operation.js';
import type { OperationName, OPERATIONS, ReplyOf, StatusOf } from '../contract/operations.js';
import type { QueryParameter, QueryValues } from '../contract/queries.js';
import type { Scope } from '../contract/scopes.js';

export type RequestContext = {
  /** UUID of this request: the correlation id of its events and the `X-Request-Id` of its response. */
  readonly requestId: string;
  readonly actor: Actor;
  /** Of the key of the caller; null: all that its tier may do. */
  readonly scopes: readonly Scope[] | null;
  /** The canonical tag to which the key of the caller is restricted; null: it sees and changes all memories. */
  readonly tag: string | null;
  readonly traceparent: string | null;
  /** Hash (64 hex digits) of token, operation and `Idempotency-Key`; null without the header. */
  readonly commandKey: string | null;
  /** Hash (64 hex digits) of method, path, query and body: two requests with the same key differ in it. */
  readonly requestHash: string;
  /** Hash (64 hex digits) of token and request: equal for identical requests of one caller. */
  readonly fingerprint: string;
  /** From `If-Match`: the allowed revisions, `*` for any revision that exists, null without the header. */
  readonly ifMatch: readonly number[] | '*' | null;
  /** From `Last-Event-ID`: the stream continues after this event; null without the header. */
  readonly lastEventId: number | null;
  /** The form of a position in a reply; the caller gives it back as `after`, `Last-Event-ID` or `consistent_with`. */
  readonly cursorOf: (position: number) => string;
  /** The query as it was received, without the question mark. */
  readonly querystring: string;
  /** `performance.now()` when the request arrived. */
  readonly startedAt: number;
  /** Aborted at a disconnect or a forced stop, and at the latest when the response was sent. */
  readonly signal: AbortSignal;
  /** Says that the request only waits from here, so that other requests can work. */
  readonly endWork: () => void;
};

type Operations = typeof OPERATIONS;
type BodyOf<O> = O extends { readonly body: { readonly schema: infer S } }
  ? S extends JSONSchema
    ? FromSchema<S>
    : never
  : undefined;
type QueryOf<O, Position> = O extends { readonly query: infer Q }
  ? Q extends readonly QueryParameter[]
    ? QueryValues<Q, Position>
    : never
  : Record<string, never>;
type NameIn<P> = P extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${string}`
    ? Name
    : Rest
  : P extends `${string}*${infer Name}`
    ? Name
    : never;
type ParamsOf<O extends Operation> = { readonly [N in NameIn<O['path']>]: N extends 'id' ? MemoryId : string };

/**
 * A request after authentication and the schemas of its operation. Ids in the path are valid UUIDs in lower case.
 * `Position`: a position of the journal is a number for a handler, and also a text of a reply for a client.
 */
export type RequestFor<N extends OperationName, Position = number> = {
  readonly params: ParamsOf<Operations[N]>;
  readonly query: QueryOf<Operations[N], Position>;
  readonly body: BodyOf<Operations[N]>;
  readonly context: RequestContext;
};

type ReplyHead<S extends number> = {
  readonly status: S;
  readonly headers?: Readonly<Record<string, string>>;
  /** The position of the last event of a write, sent as `Memory-Position`. */
  readonly receipt?: number;
  /** Called after the response was sent; not called when the client disconnected before. */
  readonly onSent?: () => void;
};
/** Sent as JSON. */
export type BodyReply<B = unknown, S extends number = number> = ReplyHead<S> & { readonly body: B };
/** By the name in `Accept-Encoding`, the smallest first. */
export const CODINGS = ['br', 'gzip'] as const;
/** Sent as it is, with the `content-type` of the headers. */
export type TextReply = ReplyHead<number> & {
  readonly text: string | Buffer;
  /** The compressed text, for clients that accept it. Only for a text without secrets: its length is no secret then. */
  readonly encoded?: Readonly<Record<(typeof CODINGS)[number], Buffer>>;
};
export type StreamReply = ReplyHead<number> & {
  /** Writes a response without a known end. The response ends when the promise resolves. */
  readonly stream: (sink: ReplySink) => Promise<void>;
  /** A rejected promise cuts the connection, so that the client does not take a part for the whole. */
  readonly cutOnFailure?: true;
};
export type Reply = BodyReply | TextReply | StreamReply;

type Streamed = { readonly stream: true } | { readonly download: true } | { readonly piecewise: true };
/** The successful answers of an operation: each status with the body of its schema. */
export type ReplyFor<N extends OperationName> = N extends OperationName
  ? Operations[N] extends Streamed
    ? StreamReply
    : Operations[N] extends { readonly page: true } | { readonly document: true }
      ? TextReply
      : { [S in StatusOf<N>]: BodyReply<ReplyOf<N, S>, S> }[StatusOf<N>]
  : never;

/** The destination of a streamed response, written one piece at a time. */
export interface ReplySink {
  /** Waits until the client has taken enough. After `stalled` (for `timeoutMs`) and `gone` the caller stops. */
  write(piece: string | Uint8Array, timeoutMs: number): Promise<'taken' | 'stalled' | 'gone'>;
  /** Aborted when the client has disconnected. */
  readonly gone: AbortSignal;
  /** Aborted when the server begins to stop: streams end now. */
  readonly stopping: AbortSignal;
}

export type Handler<N extends OperationName> = (request: RequestFor<N>) => Promise<ReplyFor<N>>;
export type Handlers<N extends OperationName> = { readonly [K in N]: Handler<K> };

type NamesIn<R> = { [K in OperationName]: Operations[K]['servedBy'] extends R ? K : never }[OperationName];
export type InternalOperation = {
  [K in OperationName]: Operations[K]['access'] extends 'internal' ? K : never;
}[OperationName];
export type CommandOperation = Exclude<NamesIn<'command'>, InternalOperation>;
export type QueryOperation = NamesIn<'query'>;

/** The ETag of a revision. */
export function etagOf(revision: number): string {
  return `"${revision}"`;
}
