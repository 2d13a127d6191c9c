/** The port of the bridge's tools: how a tool describes itself to a model, and how it handles a call. */
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
  /**
   * Does not throw for wrong arguments or failures of the service: the answer has `isError` and says what is wrong and
   * what to do next.
   */
  readonly call: (input: unknown, call: ToolCall) => Promise<ToolAnswer>;
}

/**
 * `Input` is `FromSchema<typeof inputSchema>`, derived next to the schema: with the schema itself as a type argument
 * the type is too deep for the compiler.
 */
export type ToolDefinition<Input> = Omit<Tool, 'call'> & {
  readonly run: (input: Input, call: ToolCall) => Promise<ToolAnswer>;
};

/** Validates the arguments against the input schema once; `run` does not check their form again. */
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
