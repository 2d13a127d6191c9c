/** POST /internal/enrichments: validates the results of the enricher in another process and records them. */
import {
  type EnrichmentCommand,
  enrichmentFailureSchema,
  enrichmentResultSchema,
  observedPatternSchema,
  type RecordEnrichments,
} from '../../shared/contract/enrichment.js';
import type { Handler } from '../../shared/http/handler.js';
import { ValidationError } from '../../shared/kernel/errors.js';
import { createValidator, type Validator } from '../../shared/kernel/validation/validate.js';
import { type Metadata, readJsonObject } from '../memories/memory-fields.js';

export function createReceiveEnrichments({
  recordEnrichments,
}: {
  readonly recordEnrichments: RecordEnrichments;
}): Handler<'recordEnrichments'> {
  return async ({ body }) => ({
    status: 200,
    body: { status: 'success', outcomes: await recordEnrichments(readEnrichments(body.commands)) },
  });
}

type Kind = EnrichmentCommand['kind'];

/** Typed as `object`: the types are declared next to the schemas, and deriving them here again overloads the compiler. */
const SCHEMAS: Readonly<Record<Kind, object>> = {
  enriched: enrichmentResultSchema,
  failed: enrichmentFailureSchema,
  pattern: observedPatternSchema,
};
const KINDS = Object.keys(SCHEMAS) as Kind[];
const VALIDATORS: ReadonlyMap<unknown, Validator<unknown>> = new Map(
  KINDS.map((kind) => [kind, validatorOf(SCHEMAS[kind])]),
);

export function readEnrichments(commands: readonly Metadata[]): readonly EnrichmentCommand[] {
  return commands.map(readOne);
}

function readOne(command: Metadata, index: number): EnrichmentCommand {
  const validate = VALIDATORS.get(command['kind']);
  if (validate === undefined) throw commandError(index, `'kind' must be one of ${KINDS.join(', ')}`, 'kind');
  const result = validate(command);
  if (!result.ok) throw commandError(index, result.problem.message, result.problem.field);
  // The schema checks for a UUID where the type has a MemoryId: the ids come from the service itself, so they are spelled correctly.
  const read = result.value as EnrichmentCommand;
  if (read.kind === 'pattern') readJsonObject(read.metadata, `commands[${index}].metadata`);
  return read;
}

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
