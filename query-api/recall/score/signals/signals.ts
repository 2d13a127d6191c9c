/**
 * Finds the signals of each candidate, pure: lexical match, neighbours in time, session, subject, date, role, length,
 * question, and the standing of the cosine. The components `vector` and `keyword` are made from them and the direct
 * match.
 */
import type { Memory } from '../../../../shared/contract/memory.js';
import { oncePerObject } from '../../../../shared/kernel/once-per-object.js';
import type { Scoring } from '../../../config.js';
import type { ScoredCandidate, Signals } from '../../candidate.js';
import type { RecallPlan } from '../../plan/recall-plan.js';
import { sourceKeyOf } from '../../plan/source-key.js';
import { modelledComponents } from '../evidence-model.js';
import { FITTED } from '../fitted-weights.js';
import { weightedSum } from '../match-points.js';
import { createTermText, type TermText } from '../term-text.js';
import { dateMatches } from './date-matches.js';
import { lexicalMatches } from './lexical-matches.js';
import { neighbourSupport } from './neighbour-support.js';
import { sessionSupport } from './session-support.js';
import { sessionsOf } from './sessions.js';
import { standingIn } from './standing.js';
import { subjectMatches } from './subject-matches.js';

type SignalQuery = Pick<RecallPlan, 'text' | 'terms' | 'sourceField'>;

/** `predecessors`: the memories that it replaces. */
type Scored = ScoredCandidate & { readonly predecessors?: readonly unknown[] };

export type AddSignals = (scored: readonly Scored[], query: SignalQuery) => readonly ScoredCandidate[];

/**
 * Keeps the order. A single candidate, a listing, and a query by vector alone get no signals: their `vector` is the
 * cosine.
 */
export function createSignals(
  { weights }: Pick<Scoring, 'weights'>,
  termText: TermText = createTermText(),
): AddSignals {
  return (scored, query) => {
    if (scored.length < 2 || query.text === null) return scored;
    const found = signalsOf(scored, { query, text: query.text, weights, termText });
    return scored.map((candidate, index) => {
      const signals = found[index];
      if (!signals) return candidate;
      const evidence = {
        match: candidate.features,
        signals,
        direct: directMatch(candidate),
        candidates: scored.length,
      };
      // Spreads in a literal take ten times longer, and a recall has hundreds of candidates.
      const components = Object.assign({}, candidate.components, modelledComponents(evidence, FITTED.evidence));
      const features = Object.assign({}, candidate.features, signals);
      return Object.assign({}, candidate, { components, features, score: weightedSum(components, weights) });
    });
  };
}

type SignalInput = {
  readonly query: SignalQuery;
  readonly text: string;
  readonly weights: Scoring['weights'];
  readonly termText: TermText;
};

function signalsOf(scored: readonly Scored[], { query, text, weights, termText }: SignalInput): readonly Signals[] {
  const memories = scored.map(({ memory }) => memory);
  const bm25 = lexicalMatches(query.terms, memories, termText);
  const lexical = scored.map((candidate, index) => Math.max(bm25[index] ?? 0, directMatch(candidate)));
  const strengths = scored.map((candidate, index) => matchStrength(candidate, lexical[index] ?? 0, weights));
  const sessions = sessionsOf(scored);
  // When every session has one memory, both session signals get zeros.
  const isShared = sessions.some(({ length }) => length > 1);
  const sources = memories.map((memory) => sourceKeyOf(memory, query.sourceField));
  const neighbours = isShared ? neighbourSupport(sessions, strengths, sources) : [];
  const session = isShared ? sessionSupport(sessions, strengths) : [];
  const subject = subjectMatches(text, memories);
  const date = dateMatches(text, memories);
  const standingOf = standingIn(
    scored.filter(({ predecessors = [] }) => predecessors.length === 0).map(({ features }) => features.similarity),
  );
  return scored.map(({ memory, features: { similarity } }, index) => {
    const form = formOf(memory);
    return {
      standing: standingOf(similarity),
      lexical: lexical[index] ?? 0,
      neighbours: neighbours[index] ?? 0,
      session: session[index] ?? 0,
      subject: subject[index] ?? 0,
      date: date[index] ?? 0,
      role: form.role,
      verbosity: form.verbosity,
      question: form.question,
    };
  });
}

/** The signals that do not depend on the query. */
const formOf = oncePerObject((memory: Memory) => ({
  role: roleSignal(memory),
  verbosity: verbositySignal(memory.content),
  question: questionSignal(memory.content),
}));

/** A full match, allowing for floating point: sums of shares can be slightly below 1. */
const FULL_MATCH = 1 - 1e-9;

/**
 * How well a memory matches without regard to other words of the query, 0 to 1: the whole phrase, an identifier, an
 * exact value or strong metadata. Such a match equals the best match by words.
 */
export function directMatch({
  features: { words, identifier = 0 },
  components: { exact, metadata },
}: ScoredCandidate): number {
  return words >= FULL_MATCH || exact === 1 ? 1 : Math.max(metadata, identifier);
}

/**
 * How close a memory is to a full match by vector and by words, 0 to 1, with the same weights as in its score. A direct
 * match counts whatever the vectors say, also when the memory has no vector yet.
 */
function matchStrength(candidate: ScoredCandidate, lexical: number, weights: Scoring['weights']): number {
  const { similarity, words } = candidate.features;
  const total = weights.vector + weights.keyword;
  return Math.max(
    directMatch(candidate),
    total === 0 ? 0 : (weights.vector * similarity + (weights.keyword * (words + lexical)) / 2) / total,
  );
}

const USER_PREFIX = /^(?:user|human):\s/iu;
const USER_ROLES: ReadonlySet<unknown> = new Set(['user', 'human']);

/**
 * Detects what the user said in a chat with an assistant, pure. Agents store both sides of a chat; the facts, plans
 * and preferences that later questions ask about come from the user, while the assistant's long replies repeat the
 * words of every topic. Without this signal recall@10 on such chats is 2 points lower; other conversations have no
 * roles and do not change. 1 for a memory whose metadata has the role `user`, or whose content begins with `User:`; 0
 * otherwise.
 */
export function roleSignal({ content, metadata }: Pick<Memory, 'content' | 'metadata'>): number {
  const role = metadata['role'];
  if (typeof role === 'string') return USER_ROLES.has(role.toLowerCase()) ? 1 : 0;
  return USER_PREFIX.test(content) ? 1 : 0;
}

/** Near the quartiles of real conversations: 300 characters are a full thought, 2,000 the longest by default. */
const FULL_THOUGHT_CHARACTERS = 300;
const LONGEST_CHARACTERS = 2_000;

/**
 * How much longer than a full thought the memory is: 0 up to 300 characters, 1 from 2,000. A long memory contains many
 * words of any query, and the part that answers is small.
 */
export function verbositySignal(content: string): number {
  const excess = content.trim().length - FULL_THOUGHT_CHARACTERS;
  return Math.min(1, Math.max(0, excess / (LONGEST_CHARACTERS - FULL_THOUGHT_CHARACTERS)));
}

const WHOLE_CHARACTERS = 60;
const NONE_CHARACTERS = 200;

/**
 * Detects a memory that is nothing but a question, pure. A short question resembles the query more than its answer
 * does, and contains no answer. A longer one states facts before it asks ("I am moving to Bonn in May, can you help
 * me?"): in chats with an assistant half of all evidence ends in a question mark. So the signal fades with the length:
 * with the same value for every length, recall@10 on such chats is 9 points lower. Text in brackets after the question
 * mark is a note and ignored. 1 for a question of up to 60 characters, 0 from 200 characters and for text that does
 * not end in a question mark.
 */
export function questionSignal(content: string): number {
  if (!QUESTION_AT_END.test(content)) return 0;
  const share = (NONE_CHARACTERS - content.trim().length) / (NONE_CHARACTERS - WHOLE_CHARACTERS);
  return Math.min(1, Math.max(0, share));
}

/** The question marks of Latin, Greek, full width and Arabic text. */
const QUESTION_AT_END = /[?\u037e？؟]["'”’»)\]]*\s*(?:\[[^[\]]{0,500}\]\s*)?$/u;
