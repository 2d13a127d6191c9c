/**
 * Decides on successors, pure. Every memory is scored by its own words and evidence, also a memory that another one
 * replaces. The successor then takes over the match of the replaced memory, but no more than a share of it: each part
 * of its match rises to that share of the same part, if it is lower. So a successor on the topic keeps its own match,
 * and the search need not find the successor itself: its unknown similarity is at least the share.
 */
import type { MemoryId } from '../../../shared/contract/memory.js';
import type { Scoring } from '../../config.js';
import type { Evidence, HydratedCandidate, Replaced, ScoredCandidate } from '../candidate.js';

/** A memory with its own evidence, and the memories that it replaces. */
export type OwnCandidate = HydratedCandidate & {
  readonly replaces: null;
  readonly predecessors: readonly Replaced[];
};

/** The candidates and the memories that they replace, each memory once. */
export function ownCandidates(candidates: readonly HydratedCandidate[]): readonly OwnCandidate[] {
  const pool = new Map<MemoryId, OwnCandidate>();
  const addOnce = (memory: HydratedCandidate['memory'], evidence: readonly Evidence[]): OwnCandidate => {
    const own = pool.get(memory.id) ?? { memory, evidence, replaces: null, predecessors: [] };
    pool.set(memory.id, own);
    return own;
  };
  for (const { memory, evidence, replaces } of candidates) {
    const own = addOnce(memory, evidence);
    if (replaces === null) continue;
    addOnce(replaces.memory, replaces.evidence);
    pool.set(memory.id, { ...own, predecessors: [...own.predecessors, replaces] });
  }
  return [...pool.values()];
}

/** The candidates in their order, with their scores from `own` and what they take over. */
export function withSuccession(
  candidates: readonly HydratedCandidate[],
  own: readonly ScoredCandidate[],
  scoring: Scoring,
): readonly ScoredCandidate[] {
  const byId = new Map(own.map((scored) => [scored.memory.id, scored]));
  return candidates.flatMap((candidate) => {
    const scored = byId.get(candidate.memory.id);
    if (!scored) return [];
    const { components, score } = scored;
    const { replaces } = candidate;
    const predecessor = replaces ? byId.get(replaces.memory.id) : undefined;
    const succession = replaces && predecessor ? inheritedPoints(scored, predecessor, { ...replaces, scoring }) : 0;
    if (succession === 0) return [{ ...candidate, components, score }];
    return [{ ...candidate, components: { ...components, succession }, score: score + succession }];
  });
}

/** Match components. The others do not depend on the query, and a successor has its own. */
const INHERITED = ['vector', 'keyword', 'metadata', 'identifier', 'exact', 'tag', 'relation'] as const;
/** Match signals. The others rate the form of the text. */
const INHERITED_SIGNALS = ['lexical', 'neighbours', 'session', 'subject', 'date'] as const;

type Inheritance = Pick<Replaced, 'share'> & { readonly scoring: Scoring };

/** The points by which the match of a memory rises when each part is at least the share of its predecessor's part. */
function inheritedPoints(
  { components: own }: ScoredCandidate,
  { components: before }: ScoredCandidate,
  { share, scoring: { weights, signals } }: Inheritance,
): number {
  const rises: readonly number[] = [
    ...INHERITED.map((name) => weights[name] * rise(own[name], before[name])),
    ...INHERITED_SIGNALS.map((name) => signals[name] * rise(own[name], before[name])),
    rise(own.context, before.context),
    rise(own.entity_expansion, before.entity_expansion),
  ];
  return rises.reduce((total, points) => total + points, 0);

  function rise(value = 0, predecessor = 0): number {
    return Math.max(0, share * predecessor - value);
  }
}
