/** One HTTP operation as data: route, access, description, request and replies. */
import type { BodyKind } from './limits.js';
import type { QueryParameter } from './queries.js';

/** The groups of operations in the OpenAPI document. */
export const TAGS = {
  Memories: 'Store, read, change and delete memories.',
  Associations: 'Directed, typed, weighted links between two memories.',
  Recall: 'Search.',
  Graph: 'Memories and associations as a graph, for clients that draw it.',
  Events: 'The journal of every change: page by page, per memory, and live.',
  Enrichment: 'Background work that adds entities, summaries and associations.',
  Administration: 'For operators: dead letters and projectors.',
  Service: 'The state of the service and this document.',
} as const;

export type Operation = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /**
   * `:id` is a memory id, `:key` a memory id or any other text, `:name` the name of a projector, `:slug` the slug of an
   * entity, `:job` the id of a job, `:webhook` the id of a webhook, `:key_id` the id of a
   * key, `:tenant_id` the id of a tenant, `*path` the rest of the path.
   */
  readonly path: string;
  /** The API that handles it. `edge`: every process handles it. */
  readonly servedBy: 'command' | 'query' | 'edge';
  /** `admin_alone`: without an API token. `internal`: between our own processes; OpenAPI and the gateway omit it. */
  readonly access: 'public' | 'api' | 'admin' | 'admin_alone' | 'internal';
  readonly summary: string;
  /** Of every operation that the OpenAPI document shows. */
  readonly tag?: keyof typeof TAGS;
  readonly description?: string;
  readonly query?: readonly QueryParameter[];
  /** Names that existing clients send without effect: the answer has no warning about them. */
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
  /**
   * The work of one request, without that of its body (BODY_LIMITS): units of about a millisecond of a core, known
   * before the work begins. Default 1; for public and internal operations 0, which never waits.
   */
  readonly cost?: number | ((query: Readonly<Record<string, unknown>>) => number);
  /** Accepts `Idempotency-Key`; the answer has `Memory-Position` when the operation changed something. */
  readonly repeatable?: true;
  /** Answers have `ETag`; commands accept `If-Match`. */
  readonly conditional?: true;
  /** Answers have `Server-Timing`. */
  readonly timed?: true;
  /** Answers with server-sent events until one side closes the connection; accepts `Last-Event-ID`. */
  readonly stream?: true;
  /** Answers with a file that is sent as it is made. A failure cuts the connection. */
  readonly download?: true;
  /** Answers with JSON that is sent as it is made. A failure cuts the connection. */
  readonly piecewise?: true;
  /** Answers with the text of a JSON document that is made once. */
  readonly document?: true;
  /** For browsers: answers with a page or with plain text in place of JSON. The OpenAPI document leaves it out. */
  readonly page?: true;
  readonly replies: Readonly<Record<number, object>>;
  /** In addition to those that follow from method, access, path and flags. All have the same body. */
  readonly alsoAnswers?: readonly number[];
  /** Error statuses that would follow, and that the operation never has. */
  readonly neverAnswers?: readonly number[];
};

/** Of a text of up to a megabyte that was made before. */
export const DOCUMENT_COST = 2;

/** `Operation.cost`, or its default. */
export function costOf({ access, cost }: Operation): NonNullable<Operation['cost']> {
  return cost ?? (access === 'public' || access === 'internal' ? 0 : 1);
}

/** Where an operation is and which callers may use it: `route('GET /memory/:id', 'query', 'api')`. */
export function route<
  const M extends Operation['method'],
  const P extends string,
  const S extends Operation['servedBy'],
  const A extends Operation['access'],
>(address: `${M} ${P}`, servedBy: S, access: A) {
  const [method, path] = address.split(' ');
  // The type of the address says what its two parts are.
  return { method: method as M, path: path as P, servedBy, access } as const;
}

/** The message of a 401 about the admin token. Any other 401 is about the API token or the key. */
export const ADMIN_REFUSED = 'Admin authorization required';
