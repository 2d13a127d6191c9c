/**
 * Converts a tool into the form that clients list: schemas with plain JSON Schema and single types, hints under the
 * protocol's names.
 */
import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import type { ObjectSchema, Tool } from './tool.js';

/** Clients that load tools on demand load these from the start, so an agent does not have to search for them. */
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
  // Neither step changes the type of an object schema.
  return strip(schema) as ListedTool['inputSchema'];
}

/** Keywords that hold schemas by name. The names below them are property names, even if they look like keywords. */
const HOLDERS = new Set(['properties', '$defs', 'patternProperties']);
/** Keywords that hold data instead of schemas. */
const DATA = new Set(['enum', 'const', 'default', 'examples', 'required']);

/** Removes `accepts` and `aliases`, which only our own validator knows. */
function strip(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(strip);
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).filter(([keyword]) => keyword !== 'accepts' && keyword !== 'aliases');
  return withSingleType(
    Object.fromEntries(
      entries.map(([keyword, value]) => [
        keyword,
        DATA.has(keyword) ? value : HOLDERS.has(keyword) ? stripEach(value as object) : strip(value),
      ]),
    ),
  );
}

/** The keywords that say something about values of one type only. */
const KEYWORDS_OF: Readonly<Record<string, readonly string[]>> = {
  array: ['items', 'minItems', 'maxItems'],
  object: ['properties', 'required', 'additionalProperties'],
  string: ['minLength', 'maxLength', 'pattern', 'format'],
  number: ['minimum', 'maximum'],
};

/** Some providers of models refuse a list of types, so it becomes alternatives with one type each. */
function withSingleType({ type, description, ...rest }: Readonly<Record<string, unknown>>): object {
  const described = description === undefined ? {} : { description };
  if (!Array.isArray(type)) return { ...(type !== undefined && { type }), ...described, ...rest };
  const alternatives = type.map((one: string) => {
    const keywords = KEYWORDS_OF[one] ?? [];
    return { type: one, ...Object.fromEntries(Object.entries(rest).filter(([keyword]) => keywords.includes(keyword))) };
  });
  return { ...described, anyOf: alternatives };
}

function stripEach(schemas: object): object {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, strip(schema)]));
}
