/**
 * Searches a second time, from the best candidates of the first search: by their rare terms together with those of the
 * query, and for the memories next to them in time. One call to the graph for all searches of a recall.
 */
import type { MemoryId, Timestamp } from '../../../../shared/contract/memory.js';
import { formatTimestamp } from '../../../../shared/kernel/clock.js';
import type { AdjacentHits, Anchor, GraphReader } from '../../../../shared/ports/graph.js';
import { MAX_QUERY_TERMS } from '../../../../shared/text/analyzer.js';
import type { Candidate, Hit, ScoredCandidate } from '../../candidate.js';
import type { RecallPlan } from '../../plan/recall-plan.js';
import { fuse } from '../../retrieve/fuse.js';
import { batchWordSearches, type WordSearches } from '../../retrieve/sources/batch-word-searches.js';
import type { ScoredSearch } from '../score-search.js';
import type { WeightedTerm } from '../signals/lexical-matches.js';
import { scopeOf, SESSION_GAP_MS, sessionTagOf } from '../signals/sessions.js';
import { bestCandidates } from './best-candidates.js';

/** The most candidates that the second search adds to the pool of one search. */
const ADJACENT_ADDED = 24;
const FEEDBACK_ADDED = 16;

/** A search, and the rare terms of its best candidates. */
export type Followed = { readonly found: ScoredSearch; readonly feedback: readonly WeightedTerm[] };

type Dependencies = { readonly graph: Pick<GraphReader, 'search'>; readonly config: { readonly keywordPool: number } };

/** The returned function returns the new candidates of each search, in their order. */
export function createSecondSearch({
  graph,
  config,
}: Dependencies): (followed: readonly Followed[]) => Promise<readonly (readonly Candidate[])[]> {
  const searches = batchWordSearches(graph);
  return (followed) =>
    Promise.all(
      followed.map(async ({ found, feedback }) => {
        if (holdsEverything(found)) return [];
        const anchors = anchorsOf(found.scored, found.search);
        const [adjacent, sharing] = await Promise.all([
          searchAdjacent(searches, anchors, found),
          searchTerms(searches, { found, feedback, limit: config.keywordPool }),
        ]);
        return candidatesOf(found, adjacentHits(anchors, adjacent), feedbackHits(sharing));
      }),
    );
}

/** Whether every memory that the filter admits is a candidate: the vector search filled less than its limit. */
function holdsEverything({ search, hits }: ScoredSearch): boolean {
  const [main] = search.passes;
  const found = hits.get('vector')?.filter(({ evidence }) => evidence.pass === search.filter.state);
  return main !== undefined && found !== undefined && found.length < main.limits.vector;
}

async function searchAdjacent(
  searches: WordSearches,
  anchors: readonly CandidateAnchor[],
  { search: { filter } }: ScoredSearch,
): Promise<readonly AdjacentHits[]> {
  if (anchors.length === 0) return [];
  return searches.adjacent({
    anchors: anchors.map(({ at, from, until, tag }) => ({ at, from, until, tag })),
    filter,
    limit: ADJACENT_LIMIT,
  });
}

type TermSearch = Followed & { readonly limit: number };

async function searchTerms(
  searches: WordSearches,
  { found: { search }, feedback, limit }: TermSearch,
): Promise<readonly MemoryId[]> {
  if (feedback.length === 0) return [];
  const terms = [...feedback.map(({ term }) => term), ...search.terms].slice(0, MAX_QUERY_TERMS);
  return searches.keyword({ terms, filter: search.filter, limit });
}

/** The nearest memories of each anchor before farther ones. */
function adjacentHits(anchors: readonly CandidateAnchor[], found: readonly AdjacentHits[]): readonly Hit[] {
  return anchors.flatMap(({ of }, index) => {
    const { before = [], after = [] } = found[index] ?? {};
    return Array.from({ length: ADJACENT_LIMIT }, (_, place) => [before[place], after[place]])
      .flat()
      .flatMap((id) => (id === undefined ? [] : [{ id, evidence: { source: 'adjacent', of: of.memory.id } as const }]));
  });
}

function feedbackHits(ids: readonly MemoryId[]): readonly Hit[] {
  return ids.map((id) => ({ id, evidence: { source: 'feedback' } }));
}

/** The new candidates; a memory that both searches found has the evidence of both. */
function candidatesOf(found: ScoredSearch, adjacent: readonly Hit[], sharing: readonly Hit[]): readonly Candidate[] {
  const known = knownIds(found);
  const near = newHits(adjacent, known).slice(0, ADJACENT_ADDED);
  const nearIds = new Set(near.map(({ id }) => id));
  const further = newHits(sharing, new Set([...known, ...nearIds])).slice(0, FEEDBACK_ADDED);
  return fuse([near, sharing.filter(({ id }) => nearIds.has(id)), further]);
}

/** Also the memories that the first search found and a state suppressed. */
function knownIds({ scored, suppressed }: ScoredSearch): ReadonlySet<MemoryId> {
  return new Set([
    ...scored.flatMap(({ memory, replaces }) => [memory.id, ...(replaces ? [replaces.memory.id] : [])]),
    ...suppressed.map(({ id }) => id),
  ]);
}

/** Each memory once, without the known ones. */
function newHits(hits: readonly Hit[], known: ReadonlySet<MemoryId>): readonly Hit[] {
  const unknown = hits.filter(({ id }) => !known.has(id));
  return [...new Map(unknown.toReversed().map((hit) => [hit.id, hit])).values()].toReversed();
}

/** With the best 40, recall@10 is the same. */
const ANCHORS_LIMIT = 20;
/** Memories on each side of an anchor: with 1, recall@10 is 0.5 points lower on chats between people. */
const ADJACENT_LIMIT = 2;
/** The farthest memory of the same session. */
const WINDOW_MS = ADJACENT_LIMIT * SESSION_GAP_MS;

/** An anchor, and the candidate whose moment it is. */
type CandidateAnchor = Anchor & { readonly of: ScoredCandidate };

/**
 * Finds the moments at which the second search looks for adjacent memories, pure: those of the best candidates. On
 * chats between people, the memories next to the best candidates hold half of the evidence that no source finds.
 * Best first. A memory that belongs to no session has no adjacent memories.
 */
export function anchorsOf(
  scored: readonly ScoredCandidate[],
  { filter }: Pick<RecallPlan, 'filter'>,
): readonly CandidateAnchor[] {
  return bestCandidates(scored, ANCHORS_LIMIT).flatMap((candidate) => {
    const { memory } = candidate;
    if (filter.tags === null && scopeOf(memory) === null) return [];
    const at = memory.timestamp;
    return [
      { of: candidate, at, from: shifted(at, -WINDOW_MS), until: shifted(at, WINDOW_MS), tag: sessionTagOf(memory) },
    ];
  });
}

function shifted(timestamp: Timestamp, milliseconds: number): Timestamp {
  return formatTimestamp(new Date(Date.parse(timestamp) + milliseconds));
}
