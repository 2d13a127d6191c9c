/**
 * Adds the signals to the score of each candidate, pure: lexical match, neighbours in time, session, subject, date,
 * role, length and question, each a component from 0 to 1. `npm run bench:fit` fits their weights on conversations of
 * two kinds at once.
 */
import type { Scoring } from '../../../config.js';
import type { Components, ScoredCandidate, Signals } from '../../candidate.js';
import type { RecallPlan } from '../../plan/recall-plan.js';
import { createTermText, type TermText } from '../term-text.js';
import { dateMatches } from './date-matches.js';
import { lengthSignal, verbositySignal } from './length-signal.js';
import { lexicalMatches } from './lexical-matches.js';
import { neighbourSupport } from './neighbour-support.js';
import { questionSignal } from './question-signal.js';
import { roleSignal } from './role-signal.js';
import { sessionSupport } from './session-support.js';
import { sessionsOf } from './sessions.js';
import { subjectMatches } from './subject-matches.js';

type SignalQuery = Pick<RecallPlan, 'text' | 'terms' | 'embedding' | 'filter'>;

export type AddSignals = (scored: readonly ScoredCandidate[], query: SignalQuery) => readonly ScoredCandidate[];

/** Keeps the order. A single candidate, and a listing without a query, get no signals. */
export function createSignals({ weights, signals }: Scoring, termText: TermText = createTermText()): AddSignals {
  return (scored, query) => {
    if (scored.length < 2 || (query.text === null && query.embedding === null)) return scored;
    const found = signalsOf(scored, { query, weights, termText });
    return scored.map((candidate, index) => {
      const values = found[index] ?? ZEROS;
      return {
        ...candidate,
        // Two spreads in one literal take ten times longer, and a recall has hundreds of candidates.
        components: Object.assign({}, candidate.components, values),
        score: Math.max(KEPT_SHARE * candidate.score, candidate.score + weightedSignals(values, signals)),
      };
    });
  };
}

/**
 * What the subtracted signals leave of a score at least. Without it all long memories with a weak match had the score 0,
 * and their order was that of their dates.
 */
const KEPT_SHARE = 0.1;

const ZEROS: Signals = {
  lexical: 0,
  neighbours: 0,
  session: 0,
  subject: 0,
  date: 0,
  role: 0,
  substance: 0,
  verbosity: 0,
  question: 0,
};

type SignalInput = {
  readonly query: SignalQuery;
  readonly weights: Scoring['weights'];
  readonly termText: TermText;
};

function signalsOf(scored: readonly ScoredCandidate[], { query, weights, termText }: SignalInput): readonly Signals[] {
  const memories = scored.map(({ memory }) => memory);
  const bm25 = lexicalMatches(query.terms, memories, termText);
  const lexical = scored.map(({ components }, index) => Math.max(bm25[index] ?? 0, directMatch(components)));
  const strengths = scored.map(({ components }, index) => matchStrength(components, lexical[index] ?? 0, weights));
  const sessions = sessionsOf(memories, query.filter.tags !== null);
  // When every session has one memory, both session signals get zeros.
  const isShared = sessions.some(({ length }) => length > 1);
  const neighbours = isShared ? neighbourSupport(sessions, strengths) : [];
  const session = isShared ? sessionSupport(sessions, strengths) : [];
  const subject = subjectMatches(query.text ?? '', memories);
  const date = dateMatches(query.text ?? '', memories);
  return memories.map((memory, index) => ({
    lexical: lexical[index] ?? 0,
    neighbours: neighbours[index] ?? 0,
    session: session[index] ?? 0,
    subject: subject[index] ?? 0,
    date: date[index] ?? 0,
    role: roleSignal(memory),
    // A full match is long enough, however short it is.
    substance: strengths[index] === 1 ? 1 : lengthSignal(memory.content),
    verbosity: verbositySignal(memory.content),
    question: questionSignal(memory.content),
  }));
}

/** A full match, allowing for floating point: sums of shares can be slightly below 1. */
const FULL_MATCH = 1 - 1e-9;

/**
 * How well a memory matches without regard to other words of the query, 0 to 1: the whole phrase, an identifier, an
 * exact value or strong metadata. Such a match equals the best match by words.
 */
function directMatch({ keyword, exact, metadata, identifier = 0 }: Components): number {
  return keyword >= FULL_MATCH || exact === 1 ? 1 : Math.max(metadata, identifier);
}

/**
 * How close a memory is to a full match by vector and by words, 0 to 1, with the same weights as in its score. A direct
 * match counts whatever the vectors say, also when the memory has no vector yet.
 */
function matchStrength(components: Components, lexical: number, weights: Scoring['weights']): number {
  const { vector, keyword } = components;
  const total = weights.vector + weights.keyword;
  const words = (keyword + lexical) / 2;
  return Math.max(
    directMatch(components),
    total === 0 ? 0 : (weights.vector * vector + weights.keyword * words) / total,
  );
}

/** These are subtracted: a question asks for what another memory says, and a long memory says many other things. */
const SUBTRACTED: ReadonlySet<keyof Signals> = new Set(['question', 'verbosity']);

/** The weight of a signal as it enters the score: negative for the signals that are subtracted. */
export function signedWeight(signal: keyof Signals, weights: Scoring['signals']): number {
  return SUBTRACTED.has(signal) ? -weights[signal] : weights[signal];
}

function weightedSignals(values: Signals, weights: Scoring['signals']): number {
  const parts = Object.keys(weights) as (keyof Signals)[];
  return parts.reduce((total, part) => total + signedWeight(part, weights) * values[part], 0);
}
