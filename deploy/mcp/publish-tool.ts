/** A tool as clients list it: its schemas in the words of JSON Schema alone, its hints under the protocol's names. */
import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import type { ObjectSchema, Tool } from './tool.js';

/** What an agent needs without looking for it: clients that load tools on demand have these at hand from the start. */
const ALWAYS_LOADED = new Set(['store_memory', 'recall_memory', 'associate_memories']);

export function publishTool({ name, title, description, hints, inputSchema, outputSchema }: Tool): ListedTool {
  return {
    name,
    title,
    description,
    inputSchema: published(inputSchema),
    outputSchema: published(outputSchema),
    annotations: {
      title,
      readOnlyHint: hints.readOnly,
      destructiveHint: hints.destructive,
      idempotentHint: hints.idempotent,
      openWorldHint: false,
    },
    ...(ALWAYS_LOADED.has(name) ? { _meta: { 'anthropic/alwaysLoad': true } } : {}),
  };
}

function published(schema: ObjectSchema): ListedTool['inputSchema'] {
  // Leaving out keywords leaves an object schema.
  return strip(schema) as ListedTool['inputSchema'];
}

/** Keywords that hold schemas by name: the names below them are of properties, whatever they read like. */
const HOLDERS = new Set(['properties', '$defs', 'patternProperties']);
/** Keywords that hold data and no schema. */
const DATA = new Set(['enum', 'const', 'default', 'examples', 'required']);

/** Without `accepts` and `aliases`, which tell our own validator what to tolerate. */
function strip(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(strip);
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).filter(([keyword]) => keyword !== 'accepts' && keyword !== 'aliases');
  return Object.fromEntries(
    entries.map(([keyword, value]) => [
      keyword,
      DATA.has(keyword) ? value : HOLDERS.has(keyword) ? stripEach(value as object) : strip(value),
    ]),
  );
}

function stripEach(schemas: object): object {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, strip(schema)]));
}
