/** From the fields of one association to a draft, in the contract's order of checks (2 to 5), with its texts. */
import {
  ASSOCIATION_TYPES,
  AUTHORABLE_TYPES,
  type AssociationKey,
  type AssociationType,
} from '../../shared/contract/association.js';
import { associationItem } from '../../shared/contract/commands.js';
import type { MemoryId } from '../../shared/contract/memory.js';
import { NotFoundError, ValidationError } from '../../shared/kernel/errors.js';
import { parseMemoryId } from '../../shared/kernel/memory-id.js';
import { createValidator } from '../../shared/kernel/validate.js';
import { readJsonObject } from '../memories/memory-fields.js';

export type AssociationDraft = AssociationKey & {
  readonly strength: number;
  /** Those that the type keeps, of those that were given. */
  readonly properties: Readonly<Record<string, unknown>>;
};

export const ENDS_MISSING = 'One or both memories do not exist';

const DEFAULT_STRENGTH = 0.5;
/** Of a text that is no type; what was sent may be megabytes. */
const SHOWN_CHARACTERS = 100;
const validateItem = createValidator(associationItem);

/** Throws ValidationError, or NotFoundError for an id that no memory can have. */
export function draftAssociation(fields: Readonly<Record<string, unknown>>): AssociationDraft {
  const [source, target, typeName] = ['memory1_id', 'memory2_id', 'type'].map((name) => required(fields, name));
  if (spelling(source) === spelling(target))
    throw new ValidationError('Cannot associate a memory with itself', 'memory2_id');
  const type = authorableType(typeName ?? '');
  const { strength, properties } = judged(fields, type);
  return { source: endOf(source ?? ''), target: endOf(target ?? ''), type, strength, properties };
}

function required(fields: Readonly<Record<string, unknown>>, name: string): string {
  const value = fields[name];
  // As JSON, because an object from outside may not know how to be a text.
  const text =
    typeof value === 'string' ? value.trim() : value === undefined || value === null ? '' : JSON.stringify(value);
  if (text === '') throw new ValidationError(`Missing required field: ${name}`, name);
  return text;
}

function authorableType(text: string): AssociationType {
  const type = AUTHORABLE_TYPES.find((name) => name === text.toUpperCase());
  if (!type)
    throw new ValidationError(
      `Invalid relationship type: ${text.slice(0, SHOWN_CHARACTERS)}. Must be one of: ${AUTHORABLE_TYPES.join(', ')}`,
      'type',
    );
  return type;
}

/** One for every way to write the same id. */
function spelling(text: string = ''): string {
  return parseMemoryId(text) ?? text.toLowerCase();
}

function endOf(text: string): MemoryId {
  const id = parseMemoryId(text);
  if (id === null) throw new NotFoundError(ENDS_MISSING);
  return id;
}

/** What the schema has to judge: strength, and the type's properties from the top level or, behind it, from `properties`. */
function judged(
  fields: Readonly<Record<string, unknown>>,
  type: AssociationType,
): Pick<AssociationDraft, 'strength' | 'properties'> {
  const nested = isObject(fields['properties']) ? fields['properties'] : {};
  const given = ASSOCIATION_TYPES[type].properties
    .map((name) => [name, fields[name] ?? nested[name]] as const)
    .filter(([, value]) => value !== undefined && value !== null);
  const validated = validateItem({
    memory1_id: '',
    memory2_id: '',
    type,
    strength: fields['strength'] ?? DEFAULT_STRENGTH,
    properties: fields['properties'] ?? {},
    ...Object.fromEntries(given),
  });
  if (!validated.ok) throw new ValidationError(validated.problem.message, validated.problem.field);
  const properties: Record<string, unknown> = {};
  for (const [name] of given) properties[name] = (validated.value as Readonly<Record<string, unknown>>)[name];
  return {
    strength: validated.value.strength ?? DEFAULT_STRENGTH,
    properties: readJsonObject(properties, 'properties'),
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
