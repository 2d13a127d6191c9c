/** The tool that changes a memory in place: PATCH /memory/:id. */
import type { FromSchema } from 'json-schema-to-ts';
import { updateMemoryBody } from '../../../shared/contract/commands.js';
import { closed, count, flag, text } from '../../../shared/contract/reply-parts.js';
import { failureAnswer } from '../failure-answer.js';
import { createTool, failed, type Tool } from '../tool.js';
import {
  CONTENT_HARD_LIMIT,
  invalidMemoryId,
  largeContentWarning,
  positionIn,
  readMemoryId,
  refuseLargeContent,
  sizeContent,
} from './fields.js';

const { content, tags, metadata } = updateMemoryBody.properties;
const inputSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['memory_id'],
  properties: {
    memory_id: { type: 'string', minLength: 1, description: 'Of the memory to change.' },
    ...updateMemoryBody.properties,
    content: { ...content, description: `Replaces the content; at most ${CONTENT_HARD_LIMIT} characters.` },
    tags: { ...tags, description: 'Replaces all tags: give those that are to stay as well. null removes them.' },
    metadata: {
      ...metadata,
      description: 'Replaces the whole object: give the keys that are to stay as well. null empties it.',
    },
  },
} as const;
type UpdateInput = FromSchema<typeof inputSchema>;

const outputSchema = closed(
  { memory_id: text, message: text },
  {
    content_length: count,
    size_warning: flag,
    position: {
      ...text,
      description: 'Give it to recall_memory as consistent_with to find the new content by its meaning at once.',
    },
    error: { ...text, description: 'With a failure: what kind.' },
    hard_limit: { type: 'integer' },
  },
);

export function createUpdateMemoryTool(): Tool {
  return createTool<UpdateInput>({
    name: 'update_memory',
    title: 'Update Memory',
    description: DESCRIPTION,
    hints: { readOnly: false, destructive: false, idempotent: true },
    inputSchema,
    outputSchema,
    run: async ({ memory_id: given, ...body }, { client, signal }) => {
      const id = readMemoryId(given);
      if (id === null) return invalidMemoryId('memory_id');
      if (Object.keys(body).length === 0)
        return failed(`Nothing to change: give at least one of ${Object.keys(updateMemoryBody.properties).join(', ')}`);
      const sizes = body.content === undefined ? [] : [sizeContent(body.content)];
      const refusal = refuseLargeContent(sizes);
      if (refusal !== null) return { ...refusal, structured: { memory_id: id, ...refusal.structured } };
      const answer = await client.call('updateMemory', { params: { id }, body, signal });
      if (answer.kind !== 'answered') return failureAnswer(answer);
      const warning = largeContentWarning(sizes);
      return {
        text: [[`Memory ${id} updated successfully!`, ...(warning === null ? [] : [warning])].join('\n')],
        structured: {
          memory_id: id,
          message: 'Memory updated successfully',
          ...(warning === null ? {} : { content_length: sizes[0]?.characters, size_warning: true }),
          ...positionIn(answer),
        },
      };
    },
  });
}

const DESCRIPTION = `Correct a memory in place. Fields you leave out stay as they are; tags and metadata that you give replace the old ones whole, so read the memory first (recall_memory with memory_id) when some are to stay.

For a fact that has changed rather than a memory that is wrong, store the new one with store_memory and supersedes_memory_id: the old one is then kept for the history. t_invalid ends a memory's validity without replacing it; null removes the bound.

Example: {"memory_id": "<id>", "importance": 0.9, "tags": ["project-x", "database"]}`;
