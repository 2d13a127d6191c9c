/** Makes the OpenAPI document from the list of operations, without internal ones and pages for browsers. */
import { STATUS_CODES } from 'node:http';
import { RECEIPT_HEADER } from '../../contract/commands.js';
import type { Example } from '../../contract/examples/example.js';
import { EXAMPLES } from '../../contract/examples/examples.js';
import { type Operation, TAGS } from '../../contract/operation.js';
import { OPERATIONS, type ReplyOf } from '../../contract/operations.js';
import { problemSchema } from '../../contract/reply-parts.js';
import { scopeOf } from '../../contract/scopes.js';
import { repliesOf } from '../request/ignored-names.js';
import { describeParameters, problemsOf } from './describe-parameters.js';
import { createComponents, describeBody, describeReply, type Describing } from './describe-schemas.js';

type Options = {
  readonly version: string;
  /** The length of an embedding; null where it is not known yet. */
  readonly vectorSize?: number | null;
};

export function openApiDocument({ version, vectorSize = null }: Options): ReplyOf<'openapi'> {
  const components = createComponents();
  const paths: Record<string, Record<string, object>> = {};
  for (const [name, operation] of Object.entries<Operation>(OPERATIONS)) {
    if (operation.access === 'internal' || operation.page) continue;
    const path = operation.path.replace(/:(\w+)/u, '{$1}');
    const described = describeOperation(name, operation, { components, vectorSize });
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: described };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Palimpsest',
      version,
      description: 'A memory service for AI agents in which every change is an event.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      contact: { name: 'The operator of this service' },
    },
    servers: [{ url: '/', description: 'The service that answered with this document.' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: { schemas: components.schemas, securitySchemes: { ...API_SCHEMES, ...ADMIN_SCHEMES } },
  };
}

/** Without tokens in the query: generators combine all schemes, and a query ends up in logs. */
const API_SCHEMES = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An API token, or a key or a token of the OIDC issuer with the scope that `x-required-scope` of the operation names. A client that can send no header, such as an EventSource, uses `?api_key=`.',
  },
  apiKeyHeader: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'An API token or a key, without a scheme.',
  },
} as const;

const ADMIN_SCHEMES = {
  adminToken: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Admin-Token',
    description: 'The admin token, in addition to the API token.',
  },
} as const;

function describeOperation(name: string, operation: Operation, describing: Describing): object {
  const example: Example | undefined = (EXAMPLES as Readonly<Record<string, Example>>)[name];
  const { tag, summary, description, access, body } = operation;
  const scope = scopeOf(operation);
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  return {
    operationId: name,
    tags: [tag],
    summary,
    description,
    security: describeSecurity(access),
    ...(scope !== null && { 'x-required-scope': scope }),
    parameters: describeParameters(operation, { ...describing, examples: example?.parameters }),
    ...(body && {
      requestBody: {
        required: body.isOptional !== true,
        content: json(
          describing.components.named(`${title}Body`, () => describeBody(body.forms ?? body.schema, describing)),
          example?.body,
        ),
      },
    }),
    responses: {
      ...describeReplies({ operation, title, example: example?.reply }, describing),
      ...describeProblems(operation, describing),
    },
  };
}

/**
 * The alternatives: the tokens of the tier, of which the admin tier requires both, or a key. Only OAuth has scopes in
 * this place, so `x-required-scope` has that of a key.
 */
function describeSecurity(access: Operation['access']): readonly object[] {
  if (access === 'public') return [];
  const byKey = Object.keys(API_SCHEMES).map((scheme) => ({ [scheme]: [] }));
  if (access === 'api') return byKey;
  if (access === 'admin_alone') return [{ adminToken: [] }, ...byKey];
  return [...Object.keys(API_SCHEMES).map((scheme) => ({ [scheme]: [], adminToken: [] })), ...byKey];
}

const REQUEST_ID = {
  'X-Request-Id': {
    required: true,
    description: 'The id under which the log and the events know this request.',
    schema: { type: 'string', format: 'uuid' },
  },
};
const ETAG = { ETag: { description: 'The revision of the memory, for If-Match.', schema: { type: 'string' } } };
const RECEIPT = {
  [RECEIPT_HEADER]: {
    description:
      'The position of the last event of this write, opaque; absent when nothing changed. Reads take it as consistent_with.',
    schema: { type: 'string' },
  },
};
const RETRY_AFTER = {
  'Retry-After': { description: 'Seconds to wait before the same request is sent again.', schema: { type: 'integer' } },
};
const SERVER_TIMING = {
  'Server-Timing': { description: 'How long each stage of the answer took, in ms.', schema: { type: 'string' } },
};
const RETRYABLE = [409, 429, 503];
const RATE_LIMIT = {
  'RateLimit-Policy': {
    description:
      'The rate of the key, such as `"key";q=600;w=60`: requests in a window of seconds. Successful answers have it as well.',
    schema: { type: 'string' },
  },
  RateLimit: {
    description: 'Requests that the key has left, and seconds until its window ends, such as `"key";r=0;t=12`.',
    schema: { type: 'string' },
  },
};

type Titled = {
  readonly operation: Operation;
  readonly title: string;
  /** Of the first reply. */
  readonly example: unknown;
};

/** The schema of each reply has the name of its operation; the further ones also have their status. */
function describeReplies({ operation, title, example }: Titled, { components }: Describing): Record<string, object> {
  const { method, conditional, timed, repeatable, stream, download } = operation;
  const refer = (schema: object, name: string): object => {
    const described = describeReply(schema, components);
    return '$ref' in described ? described : components.named(name, () => described);
  };
  const entries = Object.entries(repliesOf(operation)).map(
    ([status, schema], index) =>
      [
        status,
        {
          description: STATUS_CODES[status] ?? status,
          headers: { ...REQUEST_ID, ...(conditional && ETAG), ...(timed && SERVER_TIMING), ...(repeatable && RECEIPT) },
          content: content(
            stream ? 'text/event-stream' : download ? 'application/gzip' : 'application/json',
            stream || download ? schema : refer(schema, `${title}Reply${index === 0 ? '' : status}`),
            index === 0 ? example : undefined,
          ),
        },
      ] as const,
  );
  const unchanged = { description: 'The ETag in If-None-Match still holds', headers: { ...REQUEST_ID, ...ETAG } };
  return { ...Object.fromEntries(entries), ...(conditional && method === 'GET' && { 304: unchanged }) };
}

function describeProblems(operation: Operation, { components }: Describing): Record<string, object> {
  const problem = components.named('Problem', () => describeReply(problemSchema, components));
  const entries = problemsOf(operation).map(
    (status) =>
      [
        String(status),
        {
          description: STATUS_CODES[status] ?? String(status),
          headers: {
            ...REQUEST_ID,
            ...(RETRYABLE.includes(status) && RETRY_AFTER),
            ...(status === 429 && scopeOf(operation) !== null && RATE_LIMIT),
          },
          content: json(problem),
        },
      ] as const,
  );
  return Object.fromEntries(entries);
}

function json(schema: object, example?: unknown): object {
  return content('application/json', schema, example);
}

function content(type: string, schema: object, example: unknown): object {
  return { [type]: { schema, ...(example !== undefined && { example }) } };
}
