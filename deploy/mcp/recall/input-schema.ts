/**
 * The input of `recall_memory`: the parameters of GET /recall under the same names, plus `memory_id`, `exhaustive`,
 * `offset` and `format`.
 */
import { BY_TAG_LIMIT } from '../../../shared/contract/limits.js';
import type { QueryParameter } from '../../../shared/contract/queries.js';
import { type RecallQuery, recallQuery } from '../../../shared/contract/queries/recall-query.js';
import { schemaOf } from '../../../shared/http/openapi/describe-parameters.js';
import type { Tolerance } from '../../../shared/kernel/validation/schema-node.js';
import type { ObjectSchema } from '../tool.js';

export const FORMATS = ['text', 'items', 'detailed', 'json'] as const;
export type Format = (typeof FORMATS)[number];

/** Arguments that have passed the schema. */
export type RecallInput = Omit<RecallQuery, 'embedding' | 'explain' | 'detail'> & {
  readonly memory_id?: string;
  readonly exhaustive?: boolean;
  readonly embedding?: readonly number[];
  readonly explain?: string | boolean;
  readonly offset?: number;
  readonly format?: Format;
};

/** Without `detail`: what a model reads is chosen by `format`, and made from whole results. */
export const RANKED_PARAMETERS: readonly QueryParameter[] = recallQuery.filter(({ name }) => name !== 'detail');

/** Parameters with a narrower range here than in the service, which clamps values instead of rejecting them. */
const NARROWED: Readonly<Record<string, object>> = {
  limit: {
    maximum: BY_TAG_LIMIT,
    description:
      'How many memories, 1 to 200; default 5, with exhaustive 20. The service ranks at most RECALL_MAX_LIMIT (100).',
  },
  per_query_limit: { maximum: 50 },
  explain: {
    type: ['string', 'boolean'],
    description:
      'The id of a memory: says why it is, or is not, among the results. true: the evidence for each result, in format json.',
  },
};

const ACCEPTED: Readonly<Record<QueryParameter['kind'], Tolerance | null>> = {
  text: null,
  flag: null,
  integer: 'numeric',
  number: 'numeric',
  choice: 'any_case',
  repeated: 'string_or_list',
  list: 'commas_or_list',
  vector: 'numbers_or_text',
};

export const recallInput: ObjectSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    memory_id: {
      type: 'string',
      description:
        'Fetches this one memory whole, with its metadata and relations; nothing is searched, and of the other arguments only format is used.',
    },
    exhaustive: {
      type: 'boolean',
      description:
        'true lists every memory with one of the tags, page by page (limit, offset), in every state, unranked. Needs tags; takes nothing that ranks.',
    },
    ...Object.fromEntries(RANKED_PARAMETERS.map((parameter) => [parameter.name, inputOf(parameter)])),
    offset: {
      type: 'integer',
      minimum: 0,
      accepts: 'numeric',
      description:
        'With exhaustive: how many to skip. Go on with the offset that the answer names while has_more is true.',
    },
    format: {
      type: 'string',
      enum: FORMATS,
      accepts: 'any_case',
      description:
        'Default text. items: a content block for each memory. detailed: with type, metadata keys and relations. json: every field, scores included.',
    },
  },
};

function inputOf(parameter: QueryParameter): object {
  const accepted = ACCEPTED[parameter.kind];
  return {
    ...schemaOf(parameter),
    description: parameter.description,
    ...(accepted === null ? {} : { accepts: accepted }),
    ...NARROWED[parameter.name],
  };
}
