/** The parameters of an operation in the OpenAPI document (path, query and headers), and its error statuses. */
import type { Example } from '../../contract/examples/example.js';
import { IDEMPOTENCY_KEY_LENGTH_LIMIT } from '../../contract/limits.js';
import { costOf, type Operation } from '../../contract/operation.js';
import { PROJECTOR_NAMES } from '../../contract/projector-names.js';
import type { QueryParameter } from '../../contract/queries.js';
import { scopeOf } from '../../contract/scopes.js';
import { CURSOR_PATTERN } from '../request/cursors.js';
import { vectorLength } from './describe-schemas.js';

type Parameter = Readonly<Record<string, unknown>> & { readonly name: string };

const text = { type: 'string' };
const uuid = { type: 'string', format: 'uuid' };
/** By the name in the path. */
const PATH_PARAMETERS: Readonly<Record<string, { readonly schema: object; readonly description: string }>> = {
  id: { schema: uuid, description: 'The id of a memory, in any spelling of a UUID.' },
  key: { schema: text, description: 'The id of a memory. Any other text names no memory.' },
  name: { schema: { ...text, enum: [...PROJECTOR_NAMES] }, description: 'The name of a projector.' },
  job: { schema: uuid, description: 'The id of a job.' },
  webhook: { schema: uuid, description: 'The id of a webhook.' },
  key_id: { schema: uuid, description: 'The id of a key.' },
  tenant_id: { schema: uuid, description: 'The id of a tenant.' },
  slug: { schema: text, description: 'The slug of an entity, or an alias: `ann-lee`.' },
};

const IDEMPOTENCY_KEY = header(
  'Idempotency-Key',
  { ...text, minLength: 1, maxLength: IDEMPOTENCY_KEY_LENGTH_LIMIT, pattern: '^[!-~]([ -~]*[!-~])?$' },
  'The same key with the same request has one effect within 24 hours and gets one answer.',
);
const IF_MATCH = header(
  'If-Match',
  { ...text, pattern: '^(\\*|((W/)?"[0-9]{1,15}"|[0-9]{1,15})( *, *((W/)?"[0-9]{1,15}"|[0-9]{1,15}))*)$' },
  'The ETag that the memory must still have, or several; otherwise 412 and nothing changes.',
);
const IF_NONE_MATCH = header(
  'If-None-Match',
  text,
  'The ETag of an earlier answer; 304 without a body when it still holds.',
);
const LAST_EVENT_ID = header(
  'Last-Event-ID',
  { ...text, pattern: `${CURSOR_PATTERN}|^$` },
  'The id of the last event that the client received: the stream continues after it. Wins over `after`, because browsers send it with the address of their first request.',
);

function header(name: string, schema: object, description: string): Parameter {
  return { name, in: 'header', required: false, schema, description };
}

type Described = {
  /** The length of an embedding, where it is known. */
  readonly vectorSize: number | null;
  /** Values by name. */
  readonly examples?: Example['parameters'] | undefined;
};

export function describeParameters(
  { path, query = [], repeatable, conditional, stream, method }: Operation,
  { vectorSize, examples = {} }: Described,
): readonly object[] {
  const described = [
    ...[...path.matchAll(/:(\w+)/gu)].map(([, name = '']) => ({
      name,
      in: 'path',
      required: true,
      ...PATH_PARAMETERS[name],
    })),
    ...query.flatMap((parameter) => describeQuery(parameter, vectorSize)),
    ...(repeatable ? [IDEMPOTENCY_KEY] : []),
    ...(conditional ? [method === 'GET' ? IF_NONE_MATCH : IF_MATCH] : []),
    ...(stream ? [LAST_EVENT_ID] : []),
  ];
  return described.map((one) => (one.name in examples ? { ...one, example: examples[one.name] } : one));
}

/** An alias is a separate parameter, marked as deprecated for new clients. */
function describeQuery(parameter: QueryParameter, vectorSize: number | null): readonly Parameter[] {
  const { name, aliases = [], required = false, description, kind } = parameter;
  const isVector = kind === 'vector';
  const described = {
    in: 'query',
    schema: { ...schemaOf(withoutClamps(parameter)), ...(isVector && vectorLength(vectorSize)) },
    ...(isVector && { style: 'form', explode: false }),
  };
  return [
    { name, required, description: `${description}${clampNote(parameter)}`, ...described },
    ...aliases.map((alias) => ({
      name: alias,
      required: false,
      deprecated: true,
      description: `Another name of ${name}.`,
      ...described,
    })),
  ];
}

/** A value that is only clamped is valid outside its bounds, so a generated client must not reject it. */
function withoutClamps(parameter: QueryParameter): QueryParameter {
  if (parameter.refuse !== undefined) return parameter;
  const { minimum, maximum, ...rest } = parameter;
  return rest;
}

function clampNote({ refuse, minimum, maximum, description }: QueryParameter): string {
  if (refuse !== undefined || minimum === undefined || description.includes('clamped')) return '';
  return maximum === undefined ? ` At least ${minimum}.` : ` Clamped to ${minimum}..${maximum}.`;
}

/** The JSON Schema of one value of a parameter. */
export function schemaOf({
  kind,
  choices,
  minimum,
  maximum,
  maximumItems,
  pattern,
  required = false,
}: QueryParameter): object {
  switch (kind) {
    case 'text':
      return { type: 'string', ...(pattern !== undefined && { pattern }) };
    case 'flag':
      return { type: 'boolean' };
    case 'integer':
    case 'number':
      return { type: kind, ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) };
    case 'choice':
      return { type: 'string', enum: choices ?? [] };
    case 'repeated':
    case 'list':
      return {
        type: 'array',
        items: { type: 'string', ...(required && { pattern: '\\S' }) },
        ...(required && { minItems: 1 }),
        ...(maximumItems !== undefined && { maxItems: maximumItems }),
      };
    case 'vector':
      return { type: 'array', items: { type: 'number' } };
    case 'position':
      return { type: 'string', pattern: CURSOR_PATTERN };
    default:
      return kind satisfies never;
  }
}

/** Ids are checked, so a wrong one is a bad request. A key or a name may be any text. */
const CHECKED_PARAMETER = /:(?:id|job|slug|webhook|key_id|tenant_id)\b/u;
const PARAMETER = /[*:]/u;

export function problemsOf(operation: Operation): readonly number[] {
  const { method, path, access, body, query = [], repeatable, conditional, page } = operation;
  const follows: Readonly<Record<number, boolean>> = {
    400: query.length > 0 || body !== undefined || CHECKED_PARAMETER.test(path),
    401: access !== 'public',
    403: access !== 'public',
    404: PARAMETER.test(path) || page === true,
    409: repeatable === true,
    412: conditional === true && method !== 'GET',
    413: body !== undefined,
    414: true,
    422: repeatable === true,
    429: costOf(operation) !== 0 || scopeOf(operation) !== null,
    503: access !== 'public',
  };
  return Object.keys(follows)
    .map(Number)
    .filter((status) => follows[status] === true || operation.alsoAnswers?.includes(status))
    .filter((status) => operation.neverAnswers?.includes(status) !== true);
}
