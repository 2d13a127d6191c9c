/**
 * Finds the rare terms of the best candidates that the query does not contain, pure: the names and words by which the
 * answer to a question of several hops is linked to what the question names. Known as pseudo-relevance feedback.
 */
import { rarity } from '../../../../shared/text/rarity.js';
import type { ScoredCandidate } from '../../candidate.js';
import type { WeightedTerm } from '../signals/lexical-matches.js';
import { subjectOf } from '../signals/subject-matches.js';
import type { TermText } from '../term-text.js';
import { bestCandidates } from './best-candidates.js';

/** With the best 10, recall@10 on multi-hop questions is 0.7 points lower. */
const READ_CANDIDATES = 5;
/** With 40, recall@10 is 0.7 points lower on chats with an assistant. */
const TERMS_LIMIT = 30;
/** A more common term leads to no memory in particular. */
const MAX_HOLDERS_SHARE = 0.2;

/**
 * The terms with the most weight, best first. A term weighs by how much the candidates that contain it exceed the
 * median score; the order also counts its rarity in the pool. The names of speakers are left out, because they link
 * every memory with every other.
 */
export function feedbackTerms(
  scored: readonly ScoredCandidate[],
  queryTerms: readonly string[],
  termText: TermText,
): readonly WeightedTerm[] {
  const excluded = new Set([...queryTerms, ...speakerTerms(scored, termText)]);
  const median = medianScore(scored);
  const weights = new Map<string, number>();
  for (const candidate of bestCandidates(scored, READ_CANDIDATES)) {
    for (const term of termsOf(candidate, termText)) {
      if (!excluded.has(term)) weights.set(term, (weights.get(term) ?? 0) + candidate.score - median);
    }
  }
  const holders = countHolders(scored, weights, termText);
  return [...weights]
    .map(([term, weight]) => ({ term, weight, holders: holders.get(term) ?? 0 }))
    .filter((found) => found.weight > 0 && found.holders <= MAX_HOLDERS_SHARE * scored.length)
    .map(({ term, weight, holders: count }) => ({ term, weight, value: weight * rarity(count, scored.length) }))
    .sort((one, other) => other.value - one.value || (one.term < other.term ? -1 : 1))
    .slice(0, TERMS_LIMIT)
    .map(({ term, weight }) => ({ term, weight }));
}

function medianScore(scored: readonly ScoredCandidate[]): number {
  const scores = scored.map(({ score }) => score).sort((one, other) => one - other);
  return scores[Math.floor(scores.length / 2)] ?? 0;
}

function termsOf({ memory }: ScoredCandidate, termText: TermText): Iterable<string> {
  return termText.ofContent(memory).counts.keys();
}

function speakerTerms(scored: readonly ScoredCandidate[], termText: TermText): readonly string[] {
  const speakers = new Set(scored.map(({ memory }) => subjectOf(memory)));
  return [...speakers].flatMap((speaker) => (speaker === null ? [] : [...termText(speaker).counts.keys()]));
}

/** How many candidates contain each of the terms. */
function countHolders(
  scored: readonly ScoredCandidate[],
  terms: ReadonlyMap<string, number>,
  termText: TermText,
): ReadonlyMap<string, number> {
  const texts = scored.map(({ memory }) => termText.ofContent(memory));
  const holders = new Map<string, number>();
  for (const term of terms.keys()) holders.set(term, texts.filter(({ counts }) => counts.has(term)).length);
  return holders;
}
