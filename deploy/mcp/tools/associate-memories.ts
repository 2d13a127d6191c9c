/** The tool that associates memories: one pair, or a batch in which single pairs may fail. */
import { failureAnswer } from '../failure-answer.js';
import { createTool, failed, type Tool, type ToolAnswer, type ToolCall } from '../tool.js';
import { argumentsExcept, quoted } from './argument-checks.js';
import { type AssociateInput, associateInput, associateOutput } from './associate-schemas.js';
import { type Fields, fieldsOf, numberAt, positionIn, textAt } from './reply-fields.js';

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
