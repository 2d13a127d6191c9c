/** The operations by which our own processes send commands to the command API, which is the only writer. */
import { route } from './operation.js';
import { closed, success } from './reply-parts.js';

const TEXT_LIMIT = 4_000;

export const memoryId = { type: 'string', format: 'uuid' } as const;
export const version = { type: 'integer', minimum: 0 } as const;
export const commandText = { type: 'string', minLength: 1, maxLength: TEXT_LIMIT } as const;
export const anyObject = { type: 'object', additionalProperties: true } as const;

/** Typed as `object`: the commands have types of their own, and deriving them again overloads the compiler. */
export function commandSchema(
  kind: string,
  properties: Readonly<Record<string, object>>,
  optional: Readonly<Record<string, object>> = {},
): object {
  return closed({ kind: { type: 'string', const: kind }, ...properties }, optional);
}

/** The memories whose words a command copies; absent in commands of earlier releases. */
export const derivedFrom = { type: 'array', items: memoryId } as const;

/** Each command is validated separately, by the schema of its kind. */
function commandsBody(maxItems: number) {
  return closed({ commands: { type: 'array', minItems: 1, maxItems, items: anyObject } });
}

/** The operation that takes at most `limit` commands and answers each with an outcome. */
export function recordCommands<const P extends string, const O extends string>(
  path: P,
  { summary, limit, outcomes }: { readonly summary: string; readonly limit: number; readonly outcomes: readonly O[] },
) {
  return {
    ...route(`POST ${path}`, 'command', 'internal'),
    summary,
    body: { schema: commandsBody(limit), missing: 'JSON body is required', kind: 'internal' },
    replies: {
      200: closed({ status: success, outcomes: { type: 'array', items: { type: 'string', enum: outcomes } } }),
    },
  } as const;
}
