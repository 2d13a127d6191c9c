/** POST /internal/consolidation: validates the commands of the consolidator in another process and records them. */
import {
  CONSOLIDATION_SCHEMAS,
  type ConsolidationCommand,
  type RecordConsolidation,
} from '../../shared/contract/consolidation/commands.js';
import type { Handler } from '../../shared/http/handler.js';
import { ValidationError } from '../../shared/kernel/errors.js';
import { createValidator, type Validator } from '../../shared/kernel/validation/validate.js';
import { type Metadata, readJsonObject } from '../memories/memory-fields.js';

export function createReceiveConsolidation({
  recordConsolidation,
}: {
  readonly recordConsolidation: RecordConsolidation;
}): Handler<'recordConsolidation'> {
  return async ({ body }) => ({
    status: 200,
    body: {
      status: 'success',
      outcomes: await recordConsolidation((body.commands as readonly Metadata[]).map(readOne)),
    },
  });
}

const KINDS = Object.keys(CONSOLIDATION_SCHEMAS) as ConsolidationCommand['kind'][];
const VALIDATORS: ReadonlyMap<unknown, Validator<unknown>> = new Map(
  KINDS.map((kind) => [kind, validatorOf(CONSOLIDATION_SCHEMAS[kind])]),
);

/** A result type of its own: deriving it from `object` in place overloads the compiler. */
function validatorOf(schema: object) {
  const validate = createValidator(schema);
  return validate;
}

function readOne(command: Metadata, index: number): ConsolidationCommand {
  const validate = VALIDATORS.get(command['kind']);
  if (validate === undefined) throw commandError(index, `'kind' must be one of ${KINDS.join(', ')}`, 'kind');
  const result = validate(command);
  if (!result.ok) throw commandError(index, result.problem.message, result.problem.field);
  // The schema checks for a UUID where the type has a MemoryId: the ids come from the service itself, so they are spelled correctly.
  const read = result.value as ConsolidationCommand;
  if (read.kind === 'cluster') readJsonObject(read.metadata, `commands[${index}].metadata`);
  return read;
}

function commandError(index: number, message: string, field: string | null): ValidationError {
  return new ValidationError(
    `Command at index ${index} is invalid: ${message}`,
    field === null ? `commands[${index}]` : `commands[${index}].${field}`,
  );
}
