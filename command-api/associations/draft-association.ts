/** Parses the body of POST /associate into drafts, with the contract's checks (2 to 5), their order and their texts. */
import {
  ASSOCIATION_TYPES,
  type AssociationKey,
  type AssociationType,
  AUTHORABLE_TYPES,
} from '../../shared/contract/association.js';
import { associationItem } from '../../shared/contract/commands.js';
import { BATCH_LIMIT } from '../../shared/contract/limits.js';
import type { MemoryId } from '../../shared/contract/memory.js';
import { NotFoundError, ValidationError } from '../../shared/kernel/errors.js';
import { isRecord } from '../../shared/kernel/is-record.js';
import { parseMemoryId } from '../../shared/kernel/memory-id.js';
import { createValidator } from '../../shared/kernel/validation/validate.js';
import { readJsonObject } from '../memories/memory-fields.js';

export type AssociationDraft = AssociationKey & {
  readonly strength: number;
  /** The given properties that the association's type keeps. */
  readonly properties: Readonly<Record<string, unknown>>;
};

export const ENDS_MISSING = 'One or both memories do not exist';

const DEFAULT_STRENGTH = 0.5;
/** Characters of an unknown type that the error message shows; the text may have megabytes. */
const SHOWN_CHARACTERS = 100;
const validateItem = createValidator(associationItem);

/** Throws ValidationError, or NotFoundError for a text that is not a memory id. */
export function draftAssociation(fields: Readonly<Record<string, unknown>>): AssociationDraft {
  const [source, target, typeName] = ['memory1_id', 'memory2_id', 'type'].map((name) => required(fields, name));
  if (normalizedId(source) === normalizedId(target))
    throw new ValidationError('Cannot associate a memory with itself', 'memory2_id');
  const type = authorableType(typeName ?? '');
  const { strength, properties } = validatedFields(fields, type);
  return { source: endOf(source ?? ''), target: endOf(target ?? ''), type, strength, properties };
}

function required(fields: Readonly<Record<string, unknown>>, name: string): string {
  const value = fields[name];
  // As JSON, because an object from a request may fail to convert to a string.
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

/** The same text for every spelling of an id. */
function normalizedId(text: string = ''): string {
  return parseMemoryId(text) ?? text.toLowerCase();
}

function endOf(text: string): MemoryId {
  const id = parseMemoryId(text);
  if (id === null) throw new NotFoundError(ENDS_MISSING);
  return id;
}

/** Strength and the type's properties, from the top level or, if absent there, from `properties`. */
function validatedFields(
  fields: Readonly<Record<string, unknown>>,
  type: AssociationType,
): Pick<AssociationDraft, 'strength' | 'properties'> {
  const nested = isRecord(fields['properties']) ? fields['properties'] : {};
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

/** The draft of an item, at the item's index in the body, or the reason why the item failed. */
export type ItemDraft = { readonly draft: AssociationDraft } | { readonly reason: string };

/** Each item of a batch is checked by itself, and a failed item has its reason. */
export function draftAssociations(items: readonly unknown[]): readonly ItemDraft[] {
  if (items.length === 0) throw new ValidationError("'associations' must be a non-empty array", 'associations');
  if (items.length > BATCH_LIMIT)
    throw new ValidationError(`Batch size limit is ${BATCH_LIMIT} associations per request`, 'associations');
  return items.map(draftItem);
}

function draftItem(item: unknown): ItemDraft {
  if (!isRecord(item)) return { reason: 'Association item must be an object' };
  try {
    return { draft: draftAssociation(item) };
  } catch (error) {
    if (error instanceof ValidationError || error instanceof NotFoundError) return { reason: error.message };
    throw error;
  }
}
