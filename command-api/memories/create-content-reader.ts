/**
 * What a language model has to say about contents: a shorter text, a type. World at the edge of the store decisions; without a model,
 * or when it gives no answer in time, the memory is stored as it came.
 */
import type { Clock } from '../../shared/kernel/clock.js';
import type { LanguageModel } from '../../shared/language/language-model.js';
import { classifyByPattern, type Classification } from './classify-by-pattern.js';
import type { MemoryDraft } from './draft-memory.js';
import { characterCount } from './memory-fields.js';

export type SummaryRules = {
  readonly isOn: boolean;
  /** Characters (code points); content above it is summarised. */
  readonly contentSoftLimit: number;
  readonly targetLength: number;
};

export type Reading = Classification & {
  /** What is stored in place of the content; null keeps the content. */
  readonly summary: string | null;
};

export type ContentReader = (drafts: readonly MemoryDraft[]) => Promise<readonly Reading[]>;

const FALLBACK: Classification = { type: 'Context', confidence: 0.3 };
/** Questions to the model at one time, for one request. */
const CONCURRENCY = 8;
/** After this the rest of a request's contents goes without the model, so that a client's 25 s are kept. */
const BUDGET_MS = 10_000;

export function createContentReader(deps: {
  readonly language: LanguageModel;
  readonly rules: SummaryRules;
  readonly clock: Clock;
}): ContentReader {
  const { language, rules, clock } = deps;

  async function read(draft: MemoryDraft, mayAsk: () => boolean): Promise<Reading> {
    const summary = rules.isOn && mayAsk() ? await summarize(draft.content) : null;
    if (draft.type !== null) return { summary, type: draft.type, confidence: draft.confidence };
    const content = summary ?? draft.content;
    const classified = classifyByPattern(content) ?? (mayAsk() ? await language.classify(content) : null) ?? FALLBACK;
    return { summary, ...classified };
  }

  async function summarize(content: string): Promise<string | null> {
    const length = characterCount(content);
    if (length <= rules.contentSoftLimit) return null;
    const summary = (await language.summarize(content, rules.targetLength))?.trim() ?? '';
    return summary !== '' && characterCount(summary) < length ? summary : null;
  }

  return async (drafts) => {
    const deadline = clock.now().getTime() + BUDGET_MS;
    const mayAsk = (): boolean => clock.now().getTime() < deadline;
    const readings: Reading[] = [];
    let next = 0;
    const worker = async (): Promise<void> => {
      for (let index = next++; index < drafts.length; index = next++) {
        const draft = drafts[index];
        if (draft) readings[index] = await read(draft, mayAsk);
      }
    };
    await Promise.all(Array.from({ length: Math.min(CONCURRENCY, drafts.length) }, worker));
    return readings;
  };
}
