/** The internal commands of the consolidator to the command API, which is the only writer. Each says why it is sent. */
import { type EntityKey, type EntityRecord, entityRecordSchema } from '../entities/entity.js';
import { anyObject, commandSchema, commandText, derivedFrom, memoryId, version } from '../internal-commands.js';
import { type MemoryId, unitInterval } from '../memory.js';
import { closed } from '../reply-parts.js';

type OneMemory = {
  readonly id: MemoryId;
  /** As the consolidator read it; with another version now, the outcome is `outdated` and nothing changes. */
  readonly expectedVersion: number;
  readonly reason: string;
};
export type RelevanceChange = OneMemory & { readonly kind: 'relevance'; readonly relevance: number };
export type Archiving = OneMemory & { readonly kind: 'archive'; readonly relevance: number };
export type Forgetting = OneMemory & { readonly kind: 'delete' };
/** A DISCOVERED association of two memories; nothing happens when there is one. */
export type Discovery = {
  readonly kind: 'discovery';
  readonly source: MemoryId;
  readonly target: MemoryId;
  readonly strength: number;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly reason: string;
};
/** Created when absent (`expectedVersion` 0), updated when it differs. It gets a SUMMARIZES with each member. */
export type ClusterSummary = OneMemory & {
  readonly kind: 'cluster';
  readonly content: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly members: readonly MemoryId[];
  /** The memories that it quotes: nothing is written when one of them is deleted meanwhile. */
  readonly derivedFrom?: readonly MemoryId[];
};
/** Two entities that are certainly the same: nothing happens when they are merged already. */
export type EntityMerge = {
  readonly kind: 'merge';
  readonly source: EntityKey;
  readonly target: EntityKey;
  readonly reason: string;
};
/** The memory gets the tag of the entity that another one was merged into. */
export type TagMove = OneMemory & { readonly kind: 'move'; readonly source: EntityKey; readonly target: EntityKey };
/** What is known of an entity. `expectedVersion`: of its record; 0 when there is none. */
export type EntityDescription = {
  readonly kind: 'identity';
  readonly entity: EntityKey;
  readonly expectedVersion: number;
  readonly identity: string;
  /** The memories that it was made from: nothing is written when one of them is deleted meanwhile. */
  readonly derivedFrom?: readonly MemoryId[];
  /** Memories with the tag of the entity. */
  readonly sources: number;
  readonly reason: string;
};
/** A record of an entity without words of deleted memories. `record`: null when no memory names the entity any more. */
export type EntityRedraw = {
  readonly kind: 'redraw';
  readonly entity: EntityKey;
  readonly expectedVersion: number;
  readonly record: EntityRecord | null;
  readonly reason: string;
};
export type ConsolidationCommand =
  | RelevanceChange
  | Archiving
  | Forgetting
  | Discovery
  | ClusterSummary
  | EntityMerge
  | TagMove
  | EntityDescription
  | EntityRedraw;

/** `unchanged`: the store was already as the command wants it. */
export const CONSOLIDATION_OUTCOMES = ['done', 'unchanged', 'outdated', 'absent'] as const;
export type ConsolidationOutcome = (typeof CONSOLIDATION_OUTCOMES)[number];
/** Outcome i belongs to command i. Throws DependencyError for 'commands' when they go to another process. */
export type RecordConsolidation = (
  commands: readonly ConsolidationCommand[],
) => Promise<readonly ConsolidationOutcome[]>;

export const CONSOLIDATION_COMMANDS_LIMIT = 100;
/** The most members of a cluster that its meta memory has associations with. */
export const CLUSTER_MEMBER_LIMIT = 100;

/** Each says why it is sent. */
const reason = commandText;
const oneMemory = { id: memoryId, expectedVersion: version, reason } as const;
const key = closed({ category: commandText, slug: commandText });

export const CONSOLIDATION_SCHEMAS: Readonly<Record<ConsolidationCommand['kind'], object>> = {
  relevance: commandSchema('relevance', { ...oneMemory, relevance: unitInterval }),
  archive: commandSchema('archive', { ...oneMemory, relevance: unitInterval }),
  delete: commandSchema('delete', oneMemory),
  discovery: commandSchema('discovery', {
    source: memoryId,
    target: memoryId,
    strength: unitInterval,
    properties: anyObject,
    reason,
  }),
  cluster: commandSchema(
    'cluster',
    {
      ...oneMemory,
      content: commandText,
      metadata: anyObject,
      members: { type: 'array', minItems: 1, maxItems: CLUSTER_MEMBER_LIMIT, items: memoryId },
    },
    { derivedFrom },
  ),
  merge: commandSchema('merge', { source: key, target: key, reason }),
  move: commandSchema('move', { ...oneMemory, source: key, target: key }),
  identity: commandSchema(
    'identity',
    { entity: key, expectedVersion: version, identity: commandText, sources: version, reason },
    { derivedFrom },
  ),
  redraw: commandSchema('redraw', {
    entity: key,
    expectedVersion: version,
    record: { anyOf: [entityRecordSchema, { type: 'null' }] },
    reason,
  }),
};
