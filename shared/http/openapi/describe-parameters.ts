/** The parameters of an operation in the OpenAPI document: path, query and headers. */
import { IDEMPOTENCY_KEY_LENGTH_LIMIT } from '../../contract/limits.js';
import type { Operation } from '../../contract/operation.js';
import { PROJECTOR_NAMES } from '../../contract/projector-names.js';
import type { QueryParameter } from '../../contract/queries.js';
import { vectorLength } from './describe-body.js';

const MEMORY_ID = {
  name: 'id',
  in: 'path',
  required: true,
  schema: { type: 'string', format: 'uuid' },
  description: 'The id of a memory, in any spelling of a UUID.',
};
const MEMORY_KEY = {
  name: 'key',
  in: 'path',
  required: true,
  schema: { type: 'string' },
  description: 'The id of a memory. Any other text names no memory.',
};
const PROJECTOR_NAME = {
  name: 'name',
  in: 'path',
  required: true,
  schema: { type: 'string', enum: [...PROJECTOR_NAMES] },
  description: 'The name of a projector.',
};
const ENTITY_SLUG = {
  name: 'slug',
  in: 'path',
  required: true,
  schema: { type: 'string' },
  description: 'The slug of an entity, or an alias: `ann-lee`.',
};
const JOB_ID = {
  name: 'job',
  in: 'path',
  required: true,
  schema: { type: 'string', format: 'uuid' },
  description: 'The id of a job.',
};
const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: IDEMPOTENCY_KEY_LENGTH_LIMIT, pattern: '^[!-~]([ -~]*[!-~])?$' },
  description: 'The same key with the same request has one effect within 24 hours and gets one answer.',
};
const IF_MATCH = {
  name: 'If-Match',
  in: 'header',
  required: false,
  schema: {
    type: 'string',
    pattern: '^(\\*|((W/)?"[0-9]{1,15}"|[0-9]{1,15})( *, *((W/)?"[0-9]{1,15}"|[0-9]{1,15}))*)$',
  },
  description: 'The ETag that the memory must still have, or several; otherwise 412 and nothing changes.',
};
const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  schema: { type: 'string' },
  description: 'The ETag of an earlier answer; 304 without a body when it still holds.',
};

const LAST_EVENT_ID = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  schema: { type: 'string', pattern: '^[0-9]{0,15}$' },
  description:
    'The id of the last event that the client received: the stream continues after it. Wins over `after`, because browsers send it with the address of their first request.',
};

/** `vectorSize`: the length of an embedding, where it is known. */
export function describeParameters(
  { path, query = [], repeatable, conditional, stream, method }: Operation,
  vectorSize: number | null,
): readonly object[] {
  return [
    ...(path.includes(':id') ? [MEMORY_ID] : []),
    ...(path.includes(':key') ? [MEMORY_KEY] : []),
    ...(path.includes(':name') ? [PROJECTOR_NAME] : []),
    ...(path.includes(':job') ? [JOB_ID] : []),
    ...(path.includes(':slug') ? [ENTITY_SLUG] : []),
    ...query.flatMap((parameter) => describeQuery(parameter, vectorSize)),
    ...(repeatable ? [IDEMPOTENCY_KEY] : []),
    ...(conditional ? [method === 'GET' ? IF_NONE_MATCH : IF_MATCH] : []),
    ...(stream ? [LAST_EVENT_ID] : []),
  ];
}

/** An alias is a separate parameter, marked as deprecated for new clients. */
function describeQuery(parameter: QueryParameter, vectorSize: number | null): readonly object[] {
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
    default:
      return kind satisfies never;
  }
}
