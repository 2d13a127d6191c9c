/**
 * Adds the signals to the score of each candidate, pure: neighbours in time, session, subject, date, length and
 * question, each a component from 0 to 1. Together they raise recall@10 on real conversations from 65.2 to 77.7; the
 * file of each signal says how much recall@10 falls without it.
 */
import type { Scoring } from '../../../config.js';
import type { Components, ScoredCandidate, Signals } from '../../candidate.js';
import type { RecallPlan } from '../../plan/recall-plan.js';
import { dateMatches } from './date-matches.js';
import { isQuestion } from './is-question.js';
import { lengthSignal } from './length-signal.js';
import { neighbourSupport } from './neighbour-support.js';
import { sessionSupport } from './session-support.js';
import { sessionsOf } from './sessions.js';
import { subjectMatches } from './subject-matches.js';

type SignalQuery = Pick<RecallPlan, 'text' | 'embedding' | 'filter'>;

export type AddSignals = (scored: readonly ScoredCandidate[], query: SignalQuery) => readonly ScoredCandidate[];

/** Keeps the order. A single candidate, and a listing without a query, get no signals. */
export function createSignals({ weights, signals }: Scoring): AddSignals {
  return (scored, query) => {
    if (scored.length < 2 || (query.text === null && query.embedding === null)) return scored;
    const found = signalsOf(scored, { query, weights });
    return scored.map((candidate, index) => {
      const values = found[index] ?? ZEROS;
      return {
        ...candidate,
        components: { ...candidate.components, ...values },
        score: Math.max(0, candidate.score + weightedSignals(values, signals)),
      };
    });
  };
}

const ZEROS: Signals = { neighbours: 0, session: 0, subject: 0, date: 0, substance: 0, question: 0 };

type SignalInput = { readonly query: SignalQuery; readonly weights: Scoring['weights'] };

function signalsOf(scored: readonly ScoredCandidate[], { query, weights }: SignalInput): readonly Signals[] {
  const memories = scored.map(({ memory, replaces }) => replaces?.memory ?? memory);
  const strengths = scored.map(({ components }) => matchStrength(components, weights));
  const sessions = sessionsOf(memories, query.filter.tags !== null);
  // When every session has one memory, both session signals get zeros.
  const isShared = sessions.some(({ length }) => length > 1);
  const neighbours = isShared ? neighbourSupport(sessions, strengths) : [];
  const session = isShared ? sessionSupport(sessions, strengths) : [];
  const subject = subjectMatches(query.text ?? '', memories);
  const date = dateMatches(query.text ?? '', memories);
  return memories.map(({ content }, index) => ({
    neighbours: neighbours[index] ?? 0,
    session: session[index] ?? 0,
    subject: subject[index] ?? 0,
    date: date[index] ?? 0,
    // A full match is long enough, however short it is.
    substance: strengths[index] === 1 ? 1 : lengthSignal(content),
    question: isQuestion(content) ? 1 : 0,
  }));
}

/** A full match, allowing for floating point: sums of shares can be slightly below 1. */
const FULL_MATCH = 1 - 1e-9;

/**
 * How close a memory is to a full match by vector and keyword, 0 to 1, with the same weights as in its score. The whole
 * phrase, an identifier or an exact value is a full match whatever the vectors say, also when the memory has no vector
 * yet.
 */
function matchStrength({ vector, keyword, exact, identifier = 0 }: Components, weights: Scoring['weights']): number {
  if (keyword >= FULL_MATCH || exact === 1) return 1;
  const total = weights.vector + weights.keyword;
  return Math.max(identifier, total === 0 ? 0 : (weights.vector * vector + weights.keyword * keyword) / total);
}

/** Only the question signal is subtracted: a question asks for what another memory says. */
function weightedSignals(values: Signals, weights: Scoring['signals']): number {
  const parts = Object.keys(weights) as (keyof Signals)[];
  return parts.reduce((total, part) => total + (part === 'question' ? -1 : 1) * weights[part] * values[part], 0);
}
