/**
 * The variants of a corpus on which the probability is fitted. A store may be large or small, and may have sessions or
 * not, so each conversation is stored whole and in parts, with its own timestamps and with turns so far apart that no
 * two share a session.
 */
import type { Conversation, Corpus, Turn } from '../corpus/dialogues.js';

export type Variant = {
  readonly name: string;
  readonly hasSessions: boolean;
  /** Null for whole conversations. */
  readonly partTurns: number | null;
};

export type VariantCorpus = {
  readonly name: string;
  readonly conversations: readonly (Conversation & {
    /** The position of the whole conversation in its file. */
    readonly conversation: number;
  })[];
};

const PART_TURNS = [null, 60, 20, 5] as const;

export const VARIANTS: readonly Variant[] = [true, false].flatMap((hasSessions) =>
  PART_TURNS.map((partTurns) => ({
    name: `${partTurns === null ? 'whole' : `parts of ${partTurns}`}, ${hasSessions ? 'sessions' : 'no sessions'}`,
    hasSessions,
    partTurns,
  })),
);

/** More parts of a corpus add time, and hardly change the fit. */
const PART_LIMIT = 100;

/** Parts keep the questions whose evidence is all within them. Parts without questions are dropped. */
export function variantOf({ name, conversations }: Corpus, { hasSessions, partTurns }: Variant): VariantCorpus {
  const kind = `${partTurns ?? 'whole'}-${hasSessions ? 'sessions' : 'lone'}`;
  const parts = conversations.flatMap((whole, conversation) => {
    const all = hasSessions ? whole.turns : farApart(whole.turns);
    const length = partTurns ?? all.length;
    return Array.from({ length: Math.ceil(all.length / length) }, (_, part) => {
      const turns = all.slice(part * length, (part + 1) * length);
      const sources = new Set(turns.map(({ source }) => source));
      const questions = whole.questions.filter(({ evidence }) => evidence.every((source) => sources.has(source)));
      return { conversation, tag: `${whole.tag}-${kind}-${part * length}`, turns, questions };
    });
  });
  const usable = parts.filter(({ questions }) => questions.length > 0);
  if (partTurns === null || usable.length <= PART_LIMIT) return { name, conversations: usable };
  // Spread over the whole corpus.
  const chosen = Array.from({ length: PART_LIMIT }, (_, index) => Math.floor((index * usable.length) / PART_LIMIT));
  return { name, conversations: chosen.flatMap((at) => usable.slice(at, at + 1)) };
}

const BEGIN = Date.UTC(2020, 0, 1);
/** Turns of one session are at most half an hour apart; the hours also vary the time of day. */
const APART_MS = 7 * 3_600_000;

function farApart(turns: readonly Turn[]): readonly Turn[] {
  return turns.map((turn, index) => ({ ...turn, timestamp: new Date(BEGIN + index * APART_MS).toISOString() }));
}
