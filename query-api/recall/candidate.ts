/** What travels through the stages of a recall: hits, candidates, what they become. Types only. */
import type { AssociationType } from '../../shared/contract/association.js';
import type { MemoryFilter } from '../../shared/contract/filter.js';
import type { Memory, MemoryId } from '../../shared/contract/memory.js';

export const SOURCE_NAMES = ['vector', 'keyword', 'trending', 'tag', 'metadata'] as const;
export type SourceName = (typeof SOURCE_NAMES)[number];

/** Where a memory stood in what a source answered; absent for what no source listed. */
export type Ranked = {
  /** The states that the pass looked for. */
  readonly pass?: MemoryFilter['state'];
  /** From 1, within the pass. */
  readonly rank?: number;
};

/** Why a source thinks that a memory belongs in the answer. Only `score.ts` says what it is worth. */
export type Evidence = Ranked &
  (
    | { readonly source: 'vector'; /** Cosine, -1 to 1. */ readonly similarity: number }
    | { readonly source: 'keyword' | 'trending' | 'tag' | 'metadata' }
    | ({ readonly source: 'relation' } & FollowedAssociation)
    | { readonly source: 'entity'; /** The name in lower case. */ readonly entity: string }
    /** Named by the caller; fits what the caller works on. */
    | { readonly source: 'priority' | 'profile' }
  );

/** An association that led from a result to the memory at its other end. */
export type FollowedAssociation = {
  readonly type: AssociationType;
  readonly strength: number;
  readonly seed: {
    readonly id: MemoryId;
    readonly importance: number;
    readonly score: number;
    /** From 0. */ readonly rank: number;
  };
};

export type Hit = { readonly id: MemoryId; readonly evidence: Evidence };

/** One memory, with all the evidence that any source gave for it. */
export type Candidate = { readonly id: MemoryId; readonly evidence: readonly Evidence[] };

/** A candidate as the graph, the source of truth, knows it now. */
export type HydratedCandidate = {
  readonly memory: Memory;
  readonly evidence: readonly Evidence[];
  /** Set when this memory stands in for one that it supersedes: the evidence was found in that one. */
  readonly replaces: Replaced | null;
};

export type Replaced = { readonly memory: Memory; readonly type: AssociationType; readonly strength: number };

/** The named parts of a score; each 0 to 1, but for `context`, which is a bonus of at most 1.8. */
export type Components = {
  readonly vector: number;
  readonly keyword: number;
  readonly metadata: number;
  readonly relation: number;
  readonly tag: number;
  readonly importance: number;
  readonly confidence: number;
  readonly recency: number;
  readonly exact: number;
  readonly relevance: number;
  readonly context: number;
  /** The strongest direct match: vector, keyword, metadata, identifier or exact. Shown and used by the relevance gate, not weighed itself. */
  readonly evidence: number;
  readonly relevance_gated: boolean;
  /** How well it holds an identifier of the query, where any memory does; half of `keyword` as well. */
  readonly identifier?: number;
  /** A boost on top, only of what an entity led to. */
  readonly entity_expansion?: number;
  /** How new it is among the results; only where the order leans to what is new. */
  readonly temporal?: number;
  /** What it takes over from an older result that it contradicts or succeeds. */
  readonly succession?: number;
};

/** What speaks for a memory, or as a question against it, beyond its own words; each 0 to 1. */
export type Surroundings = {
  readonly neighbours: number;
  readonly session: number;
  readonly subject: number;
  readonly date: number;
  readonly substance: number;
  readonly question: number;
};

export type ScoredCandidate = HydratedCandidate & {
  readonly components: Components & Partial<Surroundings>;
  readonly score: number;
  /** The query that scored it, and what that query's matches count, 0 to 1. Absent from what no search found. */
  readonly foundBy?: { readonly query: string; readonly weight: number };
};

/** A source that did not answer, and why, in words for the caller. */
export type Degraded = { readonly source: string; readonly reason: string };
