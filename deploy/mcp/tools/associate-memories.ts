/** The tool that associates memories: one pair, or a batch in which single pairs may fail. */
import type { FromSchema } from 'json-schema-to-ts';
import { AUTHORABLE_TYPES } from '../../../shared/contract/association.js';
import { associationItem } from '../../../shared/contract/commands.js';
import { BATCH_LIMIT } from '../../../shared/contract/limits.js';
import { closed, count, flag, text } from '../../../shared/contract/reply-parts.js';
import { failureAnswer } from '../failure-answer.js';
import { createTool, failed, type Tool, type ToolAnswer, type ToolCall } from '../tool.js';
import { argumentsExcept, type Fields, fieldsOf, numberAt, positionIn, quoted, textAt } from './fields.js';

export function createAssociateMemoriesTool(): Tool {
  return createTool<AssociateInput>({
    name: 'associate_memories',
    title: 'Associate Memories',
    description: DESCRIPTION,
    hints: { readOnly: false, destructive: false, idempotent: true },
    inputSchema: associateInput,
    outputSchema: associateOutput,
    run: async (input, call) => {
      if (input.associations !== undefined) {
        const others = argumentsExcept(input, ['associations']);
        if (others.length > 0)
          return failed(
            `${quoted(others)} cannot be given together with 'associations': give each item its own fields\nNothing was written.`,
          );
        return associateMany(input.associations, call);
      }
      const missing = REQUIRED.find((name) => input[name] === undefined);
      if (missing !== undefined)
        return failed(`'${missing}' is required (or 'associations', to write several at once)\nNothing was written.`);
      return associateOne(input as Pair, call); // none of the required fields is missing
    },
  });
}

const REQUIRED = ['memory1_id', 'memory2_id', 'type'] as const;
type Pair = AssociateInput & Required<Pick<AssociateInput, (typeof REQUIRED)[number]>>;

async function associateOne(pair: Pair, { client, signal }: ToolCall): Promise<ToolAnswer> {
  const answer = await client.call('associate', { body: pair, signal });
  if (answer.kind !== 'answered') return failureAnswer(answer);
  const message =
    textAt(fieldsOf(answer), 'message') ?? `Association created between ${pair.memory1_id} and ${pair.memory2_id}`;
  return { text: [message], structured: { success: true, message, ...positionIn(answer) } };
}

async function associateMany(
  associations: NonNullable<AssociateInput['associations']>,
  { client, signal, report }: ToolCall,
): Promise<ToolAnswer> {
  report({ done: 0, total: 1, message: `Associations to write: ${associations.length}` });
  const answer = await client.call('associate', { body: { associations }, signal });
  if (answer.kind !== 'answered') return failureAnswer(answer);
  const fields = fieldsOf(answer);
  const [succeeded, failures] = [listAt(fields, 'succeeded'), listAt(fields, 'failed')];
  const created = numberAt(fields, 'created_count') ?? succeeded.length;
  const failedCount = numberAt(fields, 'failed_count') ?? failures.length;
  const summary = textAt(fields, 'summary') ?? `${created}/${associations.length} associations created successfully`;
  return {
    text: [[summary, ...failureLines(failures, { failedCount, created })].join('\n')],
    structured: {
      success: failedCount === 0 && fields['status'] !== 'partial_success',
      message: summary,
      summary,
      created_count: created,
      failed_count: failedCount,
      succeeded,
      failed: failures,
      ...positionIn(answer),
    },
  };
}

const NAMED_FAILURES = 5;

function failureLines(
  failures: readonly Fields[],
  { failedCount, created }: { readonly failedCount: number; readonly created: number },
): readonly string[] {
  if (failedCount === 0) return [];
  const named = failures
    .slice(0, NAMED_FAILURES)
    .map(({ index, reason }) => `failed: associations[${String(index)}]: ${String(reason)}`);
  const more = failedCount > named.length ? [`and ${failedCount - named.length} more (see failed)`] : [];
  return [
    ...named,
    ...more,
    `${created === 0 ? 'None was written.' : 'The others are written.'} Correct the failed ones and send those alone again.`,
  ];
}

function listAt(fields: Fields, name: string): readonly Fields[] {
  const value = fields[name];
  return Array.isArray(value) ? value.filter((item): item is Fields => typeof item === 'object' && item !== null) : [];
}

const DESCRIPTION = `Link two memories, so that recall finds one by the other (expand_relations) and knows what replaced what. Use it after storing something that belongs to a memory you recalled. The ids are those of store_memory and recall_memory.

Types, each from the first memory to the second:
- RELATES_TO: belong together (the default choice, when no other says more)
- LEADS_TO: cause to effect. OCCURRED_BEFORE: earlier to later, without cause
- PREFERS_OVER: chosen to rejected. CONTRADICTS: cannot both hold. REINFORCES: supports
- INVALIDATED_BY: outdated to current. EVOLVED_INTO: earlier form to later form (to replace a memory with a new one, use store_memory with supersedes_memory_id)
- EXEMPLIFIES: example to pattern. DERIVED_FROM: implementation to source. PART_OF: component to whole

strength: 0.9 certain, 0.5 (default), 0.3 loose. Written again, the same pair and type is updated. Some types keep more: PREFERS_OVER context, reason; CONTRADICTS resolution, reason; REINFORCES observations; PART_OF role, context; DERIVED_FROM transformation; EXEMPLIFIES pattern_type. associations: many pairs at once.

Example: {"memory1_id": "<bug>", "memory2_id": "<fix>", "type": "LEADS_TO", "strength": 0.9}`;

const pair = {
  ...associationItem.properties,
  memory1_id: {
    type: 'string',
    minLength: 1,
    pattern: '\\S',
    description: 'Where it starts: the cause, the earlier, the old, the chosen, the part.',
  },
  memory2_id: {
    type: 'string',
    minLength: 1,
    pattern: '\\S',
    description: 'Where it leads: the effect, the later, the new, the rejected, the whole.',
  },
  type: {
    type: 'string',
    enum: AUTHORABLE_TYPES,
    accepts: 'any_case',
    description: 'How the first stands to the second.',
  },
  strength: { ...associationItem.properties.strength, description: 'Default 0.5.' },
  observations: { type: 'array', items: { type: 'string' }, accepts: 'string_or_list' },
} as const;

export const associateInput = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ...pair,
    associations: {
      type: 'array',
      minItems: 1,
      maxItems: BATCH_LIMIT,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['memory1_id', 'memory2_id', 'type'],
        properties: pair,
      },
      description: `In place of a single pair: up to ${BATCH_LIMIT} of them. Each stands alone: those whose memories do not exist are listed as failed, the others are written.`,
    },
  },
} as const;
export type AssociateInput = FromSchema<typeof associateInput>;

const anyObjects = { type: 'array', items: { type: 'object', additionalProperties: true } } as const;
const associateOutput = closed(
  { success: flag, message: text },
  {
    created_count: count,
    failed_count: count,
    succeeded: anyObjects,
    failed: anyObjects,
    summary: text,
    position: { ...text, description: 'Of the last association in the journal.' },
  },
);
