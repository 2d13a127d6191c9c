/**
 * A language model behind an OpenAI-compatible endpoint. A failure there gives no answer and a log line; the caller's
 * request goes on.
 */
import { MEMORY_TYPE_ALIASES, MEMORY_TYPES, type MemoryType } from '../../../contract/memory.js';
import type { Logger } from '../../../kernel/logger.js';
import type { LanguageModel } from '../../../ports/language-model.js';
import { askChat, type Question } from './ask-chat.js';

export type HttpLanguageOptions = {
  /** With its version segment, for example `https://api.openai.com/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly model: string;
  /** For one question, including its retry. */
  readonly timeoutMs: number;
  readonly logger: Logger;
  /** A monotonic clock in ms: when the clock of the host is set back, a pause does not grow. */
  readonly now?: () => number;
};

/**
 * Pause after a failure, without questions to the model, so that a dead provider does not delay every request. One
 * question ends it.
 */
const PAUSE_AFTER_FAILURE_MS = 30_000;
const CLASSIFIED_CHARACTERS = 1_000;
const CLASSIFY_TOKENS = 50;
const SUMMARY_TOKENS = 150;
const UNSURE = { type: 'Context', confidence: 0.5 } as const;
const UNSTATED_CONFIDENCE = 0.7;

const CLASSIFY = `You sort short notes of an AI agent into one of seven kinds: Decision (a choice and its reason), Pattern (something that recurs),
Preference (what someone likes or wants), Style (how something is written or done), Habit (what someone does regularly), Insight (something learnt),
Context (circumstances; anything else). Answer with JSON only: {"type": "<kind>", "confidence": <0 to 1>}.`;

const SUMMARIZE =
  'Keep what was decided, why, the outcome, and all names and numbers. Answer with the short note only.';

const DESCRIBE = `The text is JSON with notes of an AI agent that name one entity. Write two to five sentences about what the notes say of it.
Use nothing but the notes and the description so far. Answer with the sentences only.`;
const DESCRIBE_TOKENS = 500;
const DESCRIPTION_CHARACTERS = 4_000;

export function createHttpLanguageModel(options: HttpLanguageOptions): LanguageModel {
  const now = options.now ?? (() => performance.now());
  let pausedUntil = -Infinity;
  /** Since a failure: one question at a time, until one is answered. */
  let isDoubtful = false;
  let open = 0;

  async function ask(question: Question): Promise<string | null> {
    if (now() < pausedUntil || (isDoubtful && open > 0)) return null;
    open += 1;
    try {
      const answer = await askChat(question, options);
      isDoubtful = false;
      return answer;
    } catch (error) {
      isDoubtful = true;
      pausedUntil = now() + PAUSE_AFTER_FAILURE_MS;
      options.logger.warn(
        { err: error, model: options.model, pauseMs: PAUSE_AFTER_FAILURE_MS },
        'language model gave no answer',
      );
      return null;
    } finally {
      open -= 1;
    }
  }

  return {
    name: options.model,
    async classify(content) {
      const text = [...content].slice(0, CLASSIFIED_CHARACTERS).join('');
      const answer = await ask({ instruction: CLASSIFY, text, maxTokens: CLASSIFY_TOKENS, isJson: true });
      return answer === null ? null : readClassification(answer);
    },
    async summarize(content, targetLength) {
      const instruction = `Shorten the note to fewer than ${targetLength} characters. ${SUMMARIZE}`;
      const maxTokens = Math.max(1, Math.min(SUMMARY_TOKENS, Math.floor(targetLength / 4)));
      const answer = await ask({ instruction, text: content, maxTokens, isJson: false });
      return answer?.trim() ? answer.trim() : null;
    },
    async describe({ name, category, notes, previous }) {
      // JSON: what a note says stays a text, and is no instruction.
      const text = JSON.stringify({ name, category, notes, description_so_far: previous });
      const answer = await ask({ instruction: DESCRIBE, text, maxTokens: DESCRIBE_TOKENS, isJson: false });
      return answer?.trim() ? answer.trim().slice(0, DESCRIPTION_CHARACTERS) : null;
    },
  };
}

/**
 * Reads the JSON between the outer braces, because models wrap it in prose and code fences. Null when it cannot be
 * read.
 */
function readClassification(answer: string): Awaited<ReturnType<LanguageModel['classify']>> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1));
  } catch {
    return null; // text without valid JSON counts as no answer
  }
  if (typeof parsed !== 'object' || parsed === null) return null;
  const { type, confidence } = parsed as { readonly type?: unknown; readonly confidence?: unknown };
  const known = typeof type === 'string' ? readMemoryType(type) : null;
  if (known === null) return UNSURE;
  const stated = typeof confidence === 'number' && Number.isFinite(confidence) ? confidence : UNSTATED_CONFIDENCE;
  return { type: known, confidence: Math.min(1, Math.max(0, stated)) };
}

/** Reads a memory type or one of its aliases, in any letter case; null when the text names none. */
function readMemoryType(text: string): MemoryType | null {
  const name = text.trim().toLowerCase();
  const aliases: Readonly<Record<string, MemoryType>> = MEMORY_TYPE_ALIASES;
  return (
    MEMORY_TYPES.find((type) => type.toLowerCase() === name) ??
    (Object.hasOwn(aliases, name) ? (aliases[name] ?? null) : null)
  );
}
