/** The port of the bridge's tools: what a model is told of one, and what it does with what the model sends. */
import type { Client } from '../../shared/client/client.js';
import { createValidator } from '../../shared/kernel/validate.js';

export type ObjectSchema = {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
};

/** Hints of the protocol; a tool of ours stays within one memory service, so `openWorldHint` is false for all. */
export type ToolHints = { readonly readOnly: boolean; readonly destructive: boolean; readonly idempotent: boolean };

export type ToolCall = {
  /** With the token of whoever calls; every call of it gets `signal`. */
  readonly client: Client;
  /** Aborted when the caller cancels, or has gone. */
  readonly signal: AbortSignal;
  /** Tells a caller that asked for progress how far a long call is; `total` where it is known. */
  readonly report: (progress: { readonly done: number; readonly total?: number; readonly message: string }) => void;
};

export type ToolAnswer = {
  /** One content block each, worded for a model. */
  readonly text: readonly string[];
  /** Held against the output schema unless `isError`. */
  readonly structured?: Readonly<Record<string, unknown>>;
  readonly isError?: true;
};

export interface Tool {
  readonly name: string;
  readonly title: string;
  /** At most 2,048 bytes: clients cut what is longer. */
  readonly description: string;
  readonly hints: ToolHints;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema: ObjectSchema;
  /** Never throws for what the caller sent or the service answered: `isError` says what is wrong and what to do next. */
  readonly call: (input: unknown, call: ToolCall) => Promise<ToolAnswer>;
}

/** `Input` is `FromSchema<typeof inputSchema>`: derived where the schema is written down, for a type argument that is a schema is too deep for the compiler. */
export type ToolDefinition<Input> = Omit<Tool, 'call'> & {
  readonly run: (input: Input, call: ToolCall) => Promise<ToolAnswer>;
};

/** Holds what the model sends against the input schema, once; past that nothing checks its form again. */
export function createTool<Input>({ run, ...tool }: ToolDefinition<Input>): Tool {
  const validate = createValidator(tool.inputSchema as object, { late: true });
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
