/** The internal commands of our other processes: validates them and records them. */
import type { MemoryId, Timestamp } from '../shared/contract/memory.js';
import type { Handler } from '../shared/http/handler.js';
import { ValidationError } from '../shared/kernel/errors.js';
import { parseMemoryId } from '../shared/kernel/memory-id.js';
import { parseTimestamp } from '../shared/kernel/timestamps.js';
import { createValidator, type Validator } from '../shared/kernel/validation/validate.js';
import { type Metadata, readJsonObject } from './memories/memory-fields.js';

/** `schemas`: by kind of command. Throws ValidationError for the first wrong one; nothing was recorded then. */
export function createReceiveCommands<C extends { readonly kind: string }, Outcome>({
  schemas,
  record,
}: {
  readonly schemas: Readonly<Record<C['kind'], object>>;
  readonly record: (commands: readonly C[]) => Promise<readonly Outcome[]>;
}) {
  const kinds = Object.keys(schemas) as C['kind'][];
  const validators = new Map<unknown, Validator<unknown>>(kinds.map((kind) => [kind, validatorOf(schemas[kind])]));

  function read(command: Metadata, index: number): C {
    const validate = validators.get(command['kind']);
    if (validate === undefined) throw commandError(index, `'kind' must be one of ${kinds.join(', ')}`, 'kind');
    const result = validate(command);
    if (!result.ok) throw commandError(index, result.problem.message, result.problem.field);
    const { metadata } = command;
    if (metadata !== undefined) readJsonObject(metadata as Metadata, `commands[${index}].metadata`);
    // The schema checks for a UUID where the type has a MemoryId: the ids come from the service itself, so they are
    // spelled correctly.
    return result.value as C;
  }

  return async ({ body }: { readonly body: { readonly commands: readonly Metadata[] } }) => {
    const outcomes = await record(body.commands.map(read));
    return { status: 200, body: { status: 'success', outcomes } } as const;
  };
}

/** A result type of its own: deriving it from `object` in place overloads the compiler. */
function validatorOf(schema: object) {
  const validate = createValidator(schema);
  return validate;
}

function commandError(index: number, message: string, field: string | null): ValidationError {
  return new ValidationError(
    `Command at index ${index} is invalid: ${message}`,
    field === null ? `commands[${index}]` : `commands[${index}].${field}`,
  );
}

export type RecordAccess = (ids: readonly MemoryId[], at: Timestamp) => Promise<void>;

export function createRecordAccess({ recordAccess }: { readonly recordAccess: RecordAccess }): Handler<'recordAccess'> {
  return async ({ body }) => {
    const at = parseTimestamp(body.at);
    if (at === null) throw new ValidationError("'at' must be an ISO 8601 time", 'at');
    await recordAccess(
      body.ids.flatMap((id) => parseMemoryId(id) ?? []),
      at,
    );
    return { status: 200, body: { status: 'success' } };
  };
}
