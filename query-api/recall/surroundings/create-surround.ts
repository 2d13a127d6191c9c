/**
 * The stage that adds what speaks for a memory beyond its own words, pure: what stands beside it in time, its session, the one who is
 * named, the date that is named, how much it says; each a component of its own, 0 to 1. All together raise recall@10 on real
 * conversations from 65.2 to 77.7; what leaving one out costs stands in its file.
 */
import type { Scoring } from '../../config.js';
import type { Components, ScoredCandidate, Surroundings } from '../candidate.js';
import type { RecallPlan } from '../plan.js';
import { isQuestion } from './is-question.js';
import { dateMatches } from './date-matches.js';
import { neighbourSupport } from './neighbour-support.js';
import { sessionSupport } from './session-support.js';
import { sessionsOf } from './sessions.js';
import { subjectMatches } from './subject-matches.js';
import { substanceOf } from './substance.js';

type Asked = Pick<RecallPlan, 'text' | 'embedding' | 'filter'>;

export type Surround = (scored: readonly ScoredCandidate[], asked: Asked) => readonly ScoredCandidate[];

/** Keeps the order. What is alone, or was listed without a query, is surrounded by nothing. */
export function createSurround({ weights, surroundings }: Scoring): Surround {
  return (scored, asked) => {
    if (scored.length < 2 || (asked.text === null && asked.embedding === null)) return scored;
    const found = surroundingsOf(scored, { asked, weights });
    return scored.map((candidate, index) => {
      const around = found[index] ?? NOTHING;
      return {
        ...candidate,
        components: { ...candidate.components, ...around },
        score: Math.max(0, candidate.score + weigh(around, surroundings)),
      };
    });
  };
}

const NOTHING: Surroundings = { neighbours: 0, session: 0, subject: 0, date: 0, substance: 0, question: 0 };

type Judging = { readonly asked: Asked; readonly weights: Scoring['weights'] };

function surroundingsOf(scored: readonly ScoredCandidate[], { asked, weights }: Judging): readonly Surroundings[] {
  const memories = scored.map(({ memory, replaces }) => replaces?.memory ?? memory);
  const strengths = scored.map(({ components }) => directStrength(components, weights));
  const sessions = sessionsOf(memories, asked.filter.tags !== null);
  // Where every memory is alone there is nothing to learn from.
  const isShared = sessions.some(({ length }) => length > 1);
  const neighbours = isShared ? neighbourSupport(sessions, strengths) : [];
  const session = isShared ? sessionSupport(sessions, strengths) : [];
  const subject = subjectMatches(asked.text ?? '', memories);
  const date = dateMatches(asked.text ?? '', memories);
  return memories.map(({ content }, index) => ({
    neighbours: neighbours[index] ?? 0,
    session: session[index] ?? 0,
    subject: subject[index] ?? 0,
    date: date[index] ?? 0,
    // A full match says enough, however short.
    substance: strengths[index] === 1 ? 1 : substanceOf(content),
    question: isQuestion(content) ? 1 : 0,
  }));
}

/** Sums of shares come out a little short of 1. */
const WHOLE = 1 - 1e-9;

/**
 * What a memory has of a full match by vector and by keyword, 0 to 1: the same measure as in its own score. The whole phrase, an
 * identifier or an exact value is a full match whatever the vectors say, as is a memory that has none yet.
 */
function directStrength({ vector, keyword, exact, identifier = 0 }: Components, weights: Scoring['weights']): number {
  if (keyword >= WHOLE || exact === 1) return 1;
  const whole = weights.vector + weights.keyword;
  return Math.max(identifier, whole === 0 ? 0 : (weights.vector * vector + weights.keyword * keyword) / whole);
}

/** A question is the one thing that counts against a memory: it asks for what another one says. */
function weigh(around: Surroundings, weights: Scoring['surroundings']): number {
  const parts = Object.keys(weights) as (keyof Surroundings)[];
  return parts.reduce((total, part) => total + (part === 'question' ? -1 : 1) * weights[part] * around[part], 0);
}
