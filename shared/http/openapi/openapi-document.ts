/** Generates the OpenAPI document from the list of operations, which also generates the routes. Internal operations are left out. */
import { STATUS_CODES } from 'node:http';
import { RECEIPT_HEADER } from '../../contract/commands.js';
import type { Operation } from '../../contract/operation.js';
import { OPERATIONS } from '../../contract/operations.js';
import { problemSchema } from '../../contract/problems.js';
import { describeBody } from './describe-body.js';
import { describeParameters } from './describe-parameters.js';

export function openApiDocument({ version }: { readonly version: string }): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const [name, operation] of Object.entries(OPERATIONS) as [string, Operation][]) {
    if (operation.access === 'internal') continue;
    const path = operation.path.replace(/:(\w+)/u, '{$1}');
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describeOperation(name, operation) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Palimpsest',
      version,
      description: 'A memory service for AI agents in which every change is an event.',
    },
    paths,
    components: { schemas: { Problem: problemSchema }, securitySchemes: { ...API_SCHEMES, ...ADMIN_SCHEMES } },
  };
}

const API_SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer' },
  apiKeyHeader: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
  apiKeyQuery: { type: 'apiKey', in: 'query', name: 'api_key' },
} as const;

const ADMIN_SCHEMES = {
  adminToken: { type: 'apiKey', in: 'header', name: 'X-Admin-Token' },
  adminApiKey: { type: 'apiKey', in: 'header', name: 'X-Admin-Api-Key' },
  adminQuery: { type: 'apiKey', in: 'query', name: 'admin_token' },
} as const;

function describeOperation(name: string, operation: Operation): object {
  return {
    operationId: name,
    summary: operation.summary,
    security: describeSecurity(operation.access),
    parameters: describeParameters(operation),
    ...(operation.body && {
      requestBody: { required: operation.body.isOptional !== true, content: json(describeBody(operation.body.schema)) },
    }),
    responses: { ...describeReplies(operation), ...describeProblems(operation) },
  };
}

/** The alternatives of the tier; the admin tier requires both tokens. */
function describeSecurity(access: Operation['access']): readonly object[] {
  if (access === 'public') return [];
  const api = Object.keys(API_SCHEMES);
  if (access === 'api') return api.map((scheme) => ({ [scheme]: [] }));
  return api.flatMap((scheme) => Object.keys(ADMIN_SCHEMES).map((admin) => ({ [scheme]: [], [admin]: [] })));
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
      'Where the last event of this write stands in the journal; absent when nothing changed. Reads take it as consistent_with.',
    schema: { type: 'integer' },
  },
};
const RETRY_AFTER = {
  'Retry-After': { description: 'Seconds to wait before the same request is sent again.', schema: { type: 'integer' } },
};
const SERVER_TIMING = {
  'Server-Timing': { description: 'How long each stage of the answer took, in ms.', schema: { type: 'string' } },
};
const RETRYABLE = [409, 503];

function describeReplies({
  method,
  replies,
  conditional,
  timed,
  repeatable,
  stream,
}: Operation): Record<string, object> {
  const entries = Object.entries(replies).map(
    ([status, schema]) =>
      [
        status,
        {
          description: STATUS_CODES[status] ?? status,
          headers: { ...REQUEST_ID, ...(conditional && ETAG), ...(timed && SERVER_TIMING), ...(repeatable && RECEIPT) },
          content: stream ? { 'text/event-stream': { schema } } : json(schema),
        },
      ] as const,
  );
  const unchanged = { description: 'The ETag in If-None-Match still holds', headers: { ...REQUEST_ID, ...ETAG } };
  return { ...Object.fromEntries(entries), ...(conditional && method === 'GET' && { 304: unchanged }) };
}

function describeProblems({ problems }: Operation): Record<string, object> {
  const entries = problems.map(
    (status) =>
      [
        String(status),
        {
          description: STATUS_CODES[status] ?? String(status),
          headers: { ...REQUEST_ID, ...(RETRYABLE.includes(status) && RETRY_AFTER) },
          content: json({ $ref: '#/components/schemas/Problem' }),
        },
      ] as const,
  );
  return Object.fromEntries(entries);
}

function json(schema: object): object {
  return { 'application/json': { schema } };
}
