/** From the body of POST /internal/enrichments to commands: each is held against the schema of its kind, and named where it is at fault. */
import {
  enrichmentFailureSchema,
  enrichmentResultSchema,
  observedPatternSchema,
  type EnrichmentCommand,
} from '../../shared/contract/enrichment.js';
import { ValidationError } from '../../shared/kernel/errors.js';
import { createValidator, type Validator } from '../../shared/kernel/validate.js';
import { readJsonObject, type Metadata } from '../memories/memory-fields.js';

type Kind = EnrichmentCommand['kind'];

/** As objects: the types stand beside the schemas, and deriving them here as well is too much for the compiler. */
const SCHEMAS: Readonly<Record<Kind, object>> = {
  enriched: enrichmentResultSchema,
  failed: enrichmentFailureSchema,
  pattern: observedPatternSchema,
};
const KINDS = Object.keys(SCHEMAS) as Kind[];
const JUDGES: ReadonlyMap<unknown, Validator<unknown>> = new Map(KINDS.map((kind) => [kind, judgeOf(SCHEMAS[kind])]));

export function readEnrichments(commands: readonly Metadata[]): readonly EnrichmentCommand[] {
  return commands.map(readOne);
}

function readOne(command: Metadata, index: number): EnrichmentCommand {
  const judge = JUDGES.get(command['kind']);
  if (judge === undefined) throw refused(index, `'kind' must be one of ${KINDS.join(', ')}`, 'kind');
  const judged = judge(command);
  if (!judged.ok) throw refused(index, judged.problem.message, judged.problem.field);
  // The schema has a UUID where the type has a memory's id; those that come are the service's own, in its spelling.
  const read = judged.value as EnrichmentCommand;
  if (read.kind === 'pattern') readJsonObject(read.metadata, `commands[${index}].metadata`);
  return read;
}

function judgeOf(schema: object) {
  const judge = createValidator(schema);
  return judge;
}

function refused(index: number, message: string, field: string | null): ValidationError {
  return new ValidationError(
    `Command at index ${index} is invalid: ${message}`,
    field === null ? `commands[${index}]` : `commands[${index}].${field}`,
  );
}
