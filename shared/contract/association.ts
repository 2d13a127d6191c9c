/** Associations: directed, typed, weighted connections between two memories, and the registry of their types. */
import type { MemoryId, Timestamp } from './memory.js';

type AssociationTypeFacts = {
  /** Callers can write it. */
  readonly authorable: boolean;
  /** Reads and recalls return it. */
  readonly isPublic: boolean;
  /** Further properties that POST /associate stores for this type. */
  readonly properties: readonly string[];
};

/** Every association type of the service. The keys are the names in requests, replies and events. */
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
  SUMMARIZES: { authorable: false, isPublic: false, properties: [] },
  DISCOVERED: { authorable: false, isPublic: false, properties: ['kind', 'confidence', 'similarity', 'origin'] },
} as const satisfies Record<string, AssociationTypeFacts>;

export type AssociationType = keyof typeof ASSOCIATION_TYPES;

const names = Object.keys(ASSOCIATION_TYPES) as AssociationType[];
/** The eleven types that a caller can write, in the order of the contract. */
export const AUTHORABLE_TYPES: readonly AssociationType[] = names.filter((name) => ASSOCIATION_TYPES[name].authorable);
/** The types by which a newer memory replaces an older one. The association goes from the old to the new memory. */
export const SUPERSEDING_TYPES = ['INVALIDATED_BY', 'EVOLVED_INTO'] as const satisfies readonly AssociationType[];
/** The types of two memories of which at most one is right. */
export const CONTRADICTING_TYPES = ['CONTRADICTS', ...SUPERSEDING_TYPES] as const satisfies readonly AssociationType[];
export type SupersedingType = (typeof SUPERSEDING_TYPES)[number];

/** One association as it is stored and carried by events. `properties` holds the further properties of its type. */
export type Association = {
  readonly source: MemoryId;
  readonly target: MemoryId;
  readonly type: AssociationType;
  readonly strength: number;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly created_at: Timestamp;
  readonly updated_at: Timestamp;
};

/** The types of derived associations. A memory owns the derived associations that start at it, as one set. */
export const DERIVED_TYPES = ['SIMILAR_TO', 'PRECEDED_BY', 'EXEMPLIFIES'] as const satisfies readonly AssociationType[];
/** One of that set, without a history. A caller's association of the same ends and type replaces it. */
export type DerivedAssociation = Pick<Association, 'target' | 'strength' | 'properties'> & {
  readonly type: (typeof DERIVED_TYPES)[number];
};

/** From a meta memory to a member of its cluster. The meta memory owns these as one set, in the same way. */
export type SummarizingAssociation = Pick<Association, 'target' | 'strength' | 'properties'> & {
  readonly type: 'SUMMARIZES';
};
export const OWNED_TYPES = [...DERIVED_TYPES, 'SUMMARIZES'] as const;
export type OwnedAssociation = DerivedAssociation | SummarizingAssociation;

/** The identity of an association: writing the same three values again updates it. */
export type AssociationKey = Pick<Association, 'source' | 'type' | 'target'>;

/** The subject of an association's events in the journal. */
export function associationSubject({ source, type, target }: AssociationKey): string {
  return `${source}|${type}|${target}`;
}
