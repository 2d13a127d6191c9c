/** The data that the stages of a recall pass on: hits, candidates, hydrated and scored candidates. Types only. */
import type { AssociationType } from '../../shared/contract/association.js';
import type { MemoryFilter } from '../../shared/contract/filter.js';
import type { MemoryId } from '../../shared/contract/memory.js';
import type { LoadedMemory } from '../../shared/ports/graph.js';

export const SOURCE_NAMES = ['vector', 'keyword', 'trending', 'tag', 'metadata'] as const;
export type SourceName = (typeof SOURCE_NAMES)[number];

/** The rank of a memory in the answer of a source; absent when no source returned the memory. */
export type SourceRank = {
  /** The states that the pass searched for. */
  readonly pass?: MemoryFilter['state'];
  /** From 1, within the pass. */
  readonly rank?: number;
};

/** Why a memory is a candidate. Sources give no scores: only the score stage turns evidence into numbers. */
export type Evidence = SourceRank &
  (
    | { readonly source: 'vector'; /** Cosine, -1 to 1. */ readonly similarity: number }
    | { readonly source: 'keyword' | 'trending' | 'tag' | 'metadata' }
    | ({ readonly source: 'relation' } & FollowedAssociation)
    | { readonly source: 'entity'; /** The name in lower case. */ readonly entity: string }
    /** `priority`: the caller named the memory by id. `profile`: it fits what the caller works on. */
    | { readonly source: 'priority' | 'profile' }
  );

/** An association from a result, the seed, to the memory at its other end. */
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

/** One memory with the evidence of all sources. */
export type Candidate = { readonly id: MemoryId; readonly evidence: readonly Evidence[] };

/** A memory with its position in the order of writing. */
export type Written = Pick<LoadedMemory, 'memory' | 'position'>;

/** A candidate with the memory as the graph, the source of truth, has it now. */
export type HydratedCandidate = Written & {
  /** The evidence that was found in this memory; empty when only the memory that it replaces was found. */
  readonly evidence: readonly Evidence[];
  /** Set when this memory is a candidate because it supersedes a memory that was found. */
  readonly replaces: Replaced | null;
};

/** A memory that was found, and the first association of the chain that leads to its successor. */
export type Replaced = Written & {
  /** The evidence that was found in the replaced memory. */
  readonly evidence: readonly Evidence[];
  readonly type: AssociationType;
  readonly strength: number;
  /** The share of its match that the successor takes over, 0 to 1. */
  readonly share: number;
};

/**
 * The named parts of a score, each 0 to 1, except `context`, a bonus of at most 1.8. A part without evidence is 0: a
 * memory that an association led to has no similarity, so its `vector` is 0. The contract and the reference name them.
 */
export type Components = {
  /** How surely the memory answers, by meaning. */
  readonly vector: number;
  /** How surely the memory answers, by words. */
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
  /**
   * The strongest direct match: cosine, words, metadata, identifier or exact, or the share that it takes over of the
   * match of a memory which it replaces. Shown, and used by the relevance gate; has no weight.
   */
  readonly evidence: number;
  readonly relevance_gated: boolean;
  /** A boost for a memory that entity expansion added. */
  readonly entity_expansion?: number;
  /** How new it is among the results; only with a recency bias. */
  readonly temporal?: number;
};

/** The direct match of a memory with the query, each 0 to 1. */
export type Match = {
  /** The cosine. */
  readonly similarity: number;
  /** The share of the query's terms, and of its identifiers. */
  readonly words: number;
  /** How well it contains an identifier of the query; absent when no memory of the pool does. */
  readonly identifier?: number;
};

/** What else says that a memory answers: other candidates, or the form of the text. Each 0 to 1, except `standing`. */
export type Signals = {
  /** How far the cosine is above the mean of the pool, in standard deviations; negative below it, 0 without one. */
  readonly standing: number;
  readonly lexical: number;
  readonly neighbours: number;
  readonly session: number;
  readonly subject: number;
  readonly date: number;
  readonly role: number;
  readonly verbosity: number;
  readonly question: number;
};

/** How probably a memory answers the query, and what the estimate is made from. */
export type MatchEstimate = {
  /** 0 to 1. */
  readonly probability: number;
  /** The share of the query's terms that any candidate contains, 0 to 1. */
  readonly known_terms: number;
  /** The number of candidates. */
  readonly candidates: number;
  /** Whether a candidate gets points from its neighbours in a session. */
  readonly sessions: boolean;
  /** The points of the components that depend on the query. */
  readonly points: number;
};

export type ScoredCandidate = HydratedCandidate & {
  readonly components: Components;
  /** What `vector` and `keyword` are made from. Signals are absent for a single candidate and without a text. */
  readonly features: Match & Partial<Signals>;
  readonly score: number;
  /** Absent without a query: a listing answers no question. */
  readonly match?: MatchEstimate;
  /**
   * The query that scored it, the weight of that query's matches, 0 to 1, and whether its search found the memory or a
   * later stage added it. Absent until the searches are merged.
   */
  readonly scoredBy?: { readonly query: string; readonly weight: number; readonly hasFound: boolean };
};

/** A source that did not answer, and the reason as the reply shows it. */
export type Degraded = { readonly source: string; readonly reason: string };
