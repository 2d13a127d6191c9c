/** The tool that deletes memories permanently: one by its id, or all with one of the tags. */
import type { FromSchema } from 'json-schema-to-ts';
import { LIST_LIMIT } from '../../../shared/contract/limits.js';
import { closed, count, text, textList } from '../../../shared/contract/reply-parts.js';
import { failureAnswer } from '../failure-answer.js';
import { createTool, failed, type Tool, type ToolAnswer, type ToolCall } from '../tool.js';
import { fieldsOf, invalidMemoryId, numberAt, positionIn, quoted, readMemoryId } from './fields.js';

const inputSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    memory_id: { type: 'string', description: 'Of the one memory to delete.' },
    tags: {
      type: 'array',
      minItems: 1,
      maxItems: LIST_LIMIT,
      items: { type: 'string' },
      accepts: 'string_or_list',
      description:
        'Deletes every memory with ANY of these tags: whole tags, no regard to case. Not together with memory_id.',
    },
  },
} as const;
type DeleteInput = FromSchema<typeof inputSchema>;

const outputSchema = closed(
  { message: text },
  {
    memory_id: text,
    deleted_count: count,
    tags: textList,
    position: { ...text, description: 'Of the deletion in the journal.' },
  },
);

export function createDeleteMemoryTool(): Tool {
  return createTool<DeleteInput>({
    name: 'delete_memory',
    title: 'Delete Memory',
    description: DESCRIPTION,
    hints: { readOnly: false, destructive: true, idempotent: true },
    inputSchema,
    outputSchema,
    run: async ({ memory_id: id, tags }, call) => {
      if (id !== undefined && tags !== undefined) return failed(`${ONE_OF}: both were given. Nothing was deleted.`);
      if (id !== undefined) return deleteOne(id, call);
      if (tags === undefined) return failed(`${ONE_OF}: neither was given. Nothing was deleted.`);
      // A blank tag is probably an unfilled placeholder. Without it the other tags may delete other memories than the
      // model wants.
      if (tags.some((tag) => tag.trim() === ''))
        return failed("'tags' must not hold a blank tag. Nothing was deleted.");
      return deleteTagged(tags, call);
    },
  });
}

const ONE_OF = "Give exactly one of 'memory_id' and 'tags'";

async function deleteOne(given: string, { client, signal }: ToolCall): Promise<ToolAnswer> {
  const id = readMemoryId(given);
  if (id === null) return invalidMemoryId('memory_id');
  const answer = await client.call('deleteMemory', { params: { id }, signal });
  if (answer.kind !== 'answered') return failureAnswer(answer);
  return {
    text: [`Memory ${id} deleted successfully!`],
    structured: { memory_id: id, message: 'Memory deleted successfully', ...positionIn(answer) },
  };
}

async function deleteTagged(tags: readonly string[], { client, signal, report }: ToolCall): Promise<ToolAnswer> {
  report({ done: 0, total: 1, message: `Deleting what is tagged ${quoted(tags)}` });
  const answer = await client.call('deleteByTag', { query: { tags }, signal });
  if (answer.kind !== 'answered') return failureAnswer(answer);
  const deleted = numberAt(fieldsOf(answer), 'deleted_count') ?? 0;
  const message =
    deleted === 0
      ? `No memory has any of the tags ${quoted(tags)}: nothing was deleted.`
      : `Deleted ${deleted} ${deleted === 1 ? 'memory' : 'memories'} with any of the tags ${quoted(tags)}.`;
  return { text: [message], structured: { message, deleted_count: deleted, tags, ...positionIn(answer) } };
}

const DESCRIPTION = `Delete memories permanently, with their associations: one by memory_id, or all that have any of the tags. Give exactly one of the two.

Deleting cannot be undone. For a fact that has changed, store the new one with store_memory and supersedes_memory_id instead. Before deleting by tags, look with recall_memory (exhaustive: true and the same tags) at what would go.

Examples: {"memory_id": "<id>"} · {"tags": ["scratch-2026-01"]}`;
