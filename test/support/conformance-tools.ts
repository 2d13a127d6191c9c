/** The tools that the conformance suite calls by name, as far as a tool of ours can be like them. */
import type { ObjectSchema, Tool } from '../../deploy/mcp/tool.js';
import { makeTool } from './mcp-tools.js';

/** As the suite wants it told, keyword by keyword. */
const WITH_DEFINITIONS = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: { address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } } },
  properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
  additionalProperties: false,
} as const satisfies ObjectSchema & Readonly<Record<string, unknown>>;

const done = { text: ['This is a simple text response for testing.'], structured: { message: 'done' } };

export const conformanceTools: readonly Tool[] = [
  makeTool('test_simple_text', async () => done),
  makeTool('test_error_handling', async () => {
    throw new Error('This tool intentionally returns an error for testing');
  }),
  makeTool('test_tool_with_progress', async ({ report }) => {
    for (const part of [0, 50, 100]) report({ done: part, total: 100, message: `${part} of 100` });
    return done;
  }),
  makeTool('json_schema_2020_12_tool', async () => done, { inputSchema: WITH_DEFINITIONS }),
];
