/** One HTTP operation as data: route, access, request and replies. */
import type { BodyKind } from './limits.js';
import type { QueryParameter } from './queries.js';

export type Operation = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /**
   * `:id` is a memory id, `:key` a memory id or any other text, `:name` the name of a projector, `:slug` the slug of an
   * entity, `:job` the id of a job, `*path` the rest of the path.
   */
  readonly path: string;
  /** The API that handles it. `edge`: every process handles it. */
  readonly servedBy: 'command' | 'query' | 'edge';
  /**
   * `admin_alone`: the admin token, without an API token. `internal`: between our own processes, with a token of its
   * own. OpenAPI omits it and the gateway blocks it.
   */
  readonly access: 'public' | 'api' | 'admin' | 'admin_alone' | 'internal';
  readonly summary: string;
  readonly query?: readonly QueryParameter[];
  /**
   * Parameters and fields that the contract ignores and existing clients send: the answer has no warning about them.
   */
  readonly ignores?: readonly string[];
  /**
   * `missing`: the error text when the body is not a JSON object. `isOptional`: a missing body counts as an empty
   * object. `validatedBy: 'handler'`: the edge only checks that the body is an object; the handler validates the rest.
   */
  readonly body?: {
    readonly schema: object;
    /** For OpenAPI in place of `schema`: the forms of which a body has one. */
    readonly forms?: object;
    readonly missing: string;
    readonly isOptional?: true;
    readonly validatedBy?: 'handler';
    /** Its limits are in BODY_LIMITS. */
    readonly kind: BodyKind;
  };
  /** Accepts `Idempotency-Key`; the answer has `Memory-Position` when the operation changed something. */
  readonly repeatable?: true;
  /** Answers have `ETag`; commands accept `If-Match`. */
  readonly conditional?: true;
  /** Answers have `Server-Timing`. */
  readonly timed?: true;
  /** Answers with server-sent events until one side closes the connection; accepts `Last-Event-ID`. */
  readonly stream?: true;
  /**
   * Answers with a file that is sent as it is made, and whose size is not known before. A failure cuts the connection.
   */
  readonly download?: true;
  /** Answers with JSON that is sent as it is made. A failure cuts the connection. */
  readonly piecewise?: true;
  /** For browsers: answers with a page or with plain text in place of JSON. The OpenAPI document leaves it out. */
  readonly page?: true;
  readonly replies: Readonly<Record<number, object>>;
  /**
   * Error statuses in addition to those that follow from method, access, path and flags. All have the same error body.
   */
  readonly alsoAnswers?: readonly number[];
  /** Error statuses that would follow, and that the operation never has. */
  readonly neverAnswers?: readonly number[];
};
