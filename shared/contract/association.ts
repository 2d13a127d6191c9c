/** Associations: directed, typed, weighted edges between two memories, and the registry of their types. */
import type { MemoryId, Timestamp } from './memory.js';

type AssociationTypeFacts = {
  /** Callers may write it. */
  readonly authorable: boolean;
  /** Listed to callers and shown by recall. */
  readonly isPublic: boolean;
  /** Further properties that POST /associate keeps for this type. */
  readonly properties: readonly string[];
};

/** Every association type the service knows; the keys are the names on the wire. */
export const ASSOCIATION_TYPES = {
  RELATES_TO: { authorable: true, isPublic: true, properties: [] },
  LEADS_TO: { authorable: true, isPublic: true, properties: [] },
  OCCURRED_BEFORE: { authorable: true, isPublic: true, properties: [] },
  PREFERS_OVER: { authorable: true, isPublic: true, properties: ['context', 'reason'] },
  EXEMPLIFIES: { authorable: true, isPublic: true, properties: ['pattern_type', 'confidence'] },
  CONTRADICTS: { authorable: true, isPublic: true, properties: ['resolution', 'reason'] },
  REINFORCES: { authorable: true, isPublic: true, properties: ['observations'] },
  INVALIDATED_BY: { authorable: true, isPublic: true, properties: ['reason', 'timestamp'] },
  EVOLVED_INTO: { authorable: true, isPublic: true, properties: ['confidence', 'reason'] },
  DERIVED_FROM: { authorable: true, isPublic: true, properties: ['transformation', 'confidence'] },
  PART_OF: { authorable: true, isPublic: true, properties: ['role', 'context'] },
  SIMILAR_TO: { authorable: false, isPublic: true, properties: ['score'] },
  PRECEDED_BY: { authorable: false, isPublic: true, properties: ['count'] },
  DISCOVERED: { authorable: false, isPublic: false, properties: ['kind', 'confidence', 'similarity', 'origin'] },
} as const satisfies Record<string, AssociationTypeFacts>;

export type AssociationType = keyof typeof ASSOCIATION_TYPES;

const names = Object.keys(ASSOCIATION_TYPES) as AssociationType[];
/** The eleven types a caller may write, in the order of the contract. */
export const AUTHORABLE_TYPES: readonly AssociationType[] = names.filter((name) => ASSOCIATION_TYPES[name].authorable);
/** The types by which a newer memory replaces an older one; the edge goes from old to new. */
export const SUPERSEDING_TYPES = ['INVALIDATED_BY', 'EVOLVED_INTO'] as const satisfies readonly AssociationType[];

/** One association as it is stored and carried by events. `properties` holds what its type allows beside strength. */
export type Association = {
  readonly source: MemoryId;
  readonly target: MemoryId;
  readonly type: AssociationType;
  readonly strength: number;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly created_at: Timestamp;
  readonly updated_at: Timestamp;
};

/** The types of the associations that enrichment derives; a memory owns those that start at it, as one set. */
export const DERIVED_TYPES = ['SIMILAR_TO', 'PRECEDED_BY', 'EXEMPLIFIES'] as const satisfies readonly AssociationType[];
/** One of that set. It has no history of its own, and gives way to an association of the same ends and type that a caller wrote. */
export type DerivedAssociation = Pick<Association, 'target' | 'strength' | 'properties'> & {
  readonly type: (typeof DERIVED_TYPES)[number];
};

/** What identifies an association: writing the same three again updates it. */
export type AssociationKey = Pick<Association, 'source' | 'type' | 'target'>;

/** The subject under which an association's events are journalled. */
export function associationSubject({ source, type, target }: AssociationKey): string {
  return `${source}|${type}|${target}`;
}
