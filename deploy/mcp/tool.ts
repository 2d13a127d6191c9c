/** The port of the tools: how a tool describes itself to a model, handles a call, and appears in lists of clients. */
import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import type { Client } from '../../shared/client/client.js';
import { createValidator } from '../../shared/kernel/validation/validate.js';

export type ObjectSchema = {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
};

/** Hints of the protocol. Every tool works on one memory service only, so `openWorldHint` is false for all. */
export type ToolHints = { readonly readOnly: boolean; readonly destructive: boolean; readonly idempotent: boolean };

export type ToolCall = {
  /** Sends the token of the caller. Pass `signal` to every call of it. */
  readonly client: Client;
  /** Aborted when the caller cancels or disconnects. */
  readonly signal: AbortSignal;
  /** Reports the progress of a long call to a caller that asked for it; `total` where it is known. */
  readonly report: (progress: { readonly done: number; readonly total?: number; readonly message: string }) => void;
};

/** What the reader of a resource needs of a call. */
export type ResourceCall = Pick<ToolCall, 'client' | 'signal'>;

export type ToolAnswer = {
  /** One content block each, worded for a model. */
  readonly text: readonly string[];
  /** Validated against the output schema unless `isError`. */
  readonly structured?: Readonly<Record<string, unknown>>;
  readonly isError?: true;
};

export interface Tool {
  readonly name: string;
  readonly title: string;
  /** At most 2,048 bytes: clients cut longer ones. */
  readonly description: string;
  readonly hints: ToolHints;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema: ObjectSchema;
  /** The list leaves out the output schema, and an answer has its text alone: a model pays for each token of both. */
  readonly isTextOnly?: true;
  /** Does not throw: an answer with `isError` says what is wrong and what to do next. */
  readonly call: (input: unknown, call: ToolCall) => Promise<ToolAnswer>;
}

/** `Input`: FromSchema of the schema, derived next to it, because here the type is too deep for the compiler. */
export type ToolDefinition<Input> = Omit<Tool, 'call'> & {
  readonly run: (input: Input, call: ToolCall) => Promise<ToolAnswer>;
};

/** Validates the arguments against the input schema once; `run` does not check their form again. */
export function createTool<Input>({ run, ...tool }: ToolDefinition<Input>): Tool {
  const validate = createValidator(tool.inputSchema as object);
  return {
    ...tool,
    call: async (given, call) => {
      const parsed = validate(given ?? {});
      return parsed.ok
        ? run(parsed.value as Input, call)
        : failed(
            `${parsed.problem.message} (${tool.name} was not carried out: correct the arguments and call it again)`,
          );
    },
  };
}

export function failed(text: string, structured?: Readonly<Record<string, unknown>>): ToolAnswer {
  return {
    text: [text.startsWith('Error') ? text : `Error: ${text}`],
    isError: true,
    ...(structured === undefined ? {} : { structured }),
  };
}

/** Clients that load tools on demand load these from the start, so an agent does not have to search for them. */
const ALWAYS_LOADED = new Set(['store_memory', 'recall_memory', 'associate_memories']);

export function publishTool(tool: Tool): ListedTool {
  const { name, title, description, hints, inputSchema, outputSchema, isTextOnly } = tool;
  return {
    name,
    title,
    description,
    inputSchema: published(inputSchema),
    ...(isTextOnly ? {} : { outputSchema: published(outputSchema) }),
    annotations: {
      ...(isTextOnly ? {} : { title }),
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

/** Drops fields without a value: JSON has no undefined. */
export function present(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
