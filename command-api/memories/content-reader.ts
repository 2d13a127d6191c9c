/**
 * Reads contents before the store decision: a language model may summarise and classify them. Without a model, or when
 * its answer comes too late, the memory is stored as it was sent.
 */
import { mapConcurrently } from '../../shared/kernel/concurrency/map-concurrently.js';
import type { LanguageModel } from '../../shared/ports/language-model.js';
import { type Classification, classifyByPattern } from './classify-by-pattern.js';
import type { MemoryDraft } from './draft-memory.js';
import { characterCount } from './memory-fields.js';

export type SummaryRules = {
  readonly isOn: boolean;
  /** Characters (code points); content above it is summarised. */
  readonly contentSoftLimit: number;
  readonly targetLength: number;
};

export type Reading = Classification & {
  /** The text to store in place of the content; null keeps the content. */
  readonly summary: string | null;
};

export type ContentReader = (drafts: readonly MemoryDraft[]) => Promise<readonly Reading[]>;

/** For content that no rule and no model classifies. */
export const UNCLASSIFIED: Classification = { type: 'Context', confidence: 0.3 };
/** Concurrent calls to the model for one request. */
const CONCURRENCY = 8;
/**
 * After this time the remaining contents of a request are read without the model, so that the answer comes within a
 * client's 25 s.
 */
const BUDGET_MS = 10_000;

export function createContentReader(deps: {
  readonly language: LanguageModel;
  readonly rules: SummaryRules;
  /** A monotonic clock in ms. */
  readonly now?: () => number;
}): ContentReader {
  const { language, rules, now = () => performance.now() } = deps;

  async function read(draft: MemoryDraft, isInBudget: () => boolean): Promise<Reading> {
    const summary = rules.isOn && isInBudget() ? await summarize(draft.content) : null;
    if (draft.type !== null) return { summary, type: draft.type, confidence: draft.confidence };
    const content = summary ?? draft.content;
    const classified =
      classifyByPattern(content) ?? (isInBudget() ? await language.classify(content) : null) ?? UNCLASSIFIED;
    return { summary, ...classified };
  }

  async function summarize(content: string): Promise<string | null> {
    const length = characterCount(content);
    if (length <= rules.contentSoftLimit) return null;
    const summary = (await language.summarize(content, rules.targetLength))?.trim() ?? '';
    return summary !== '' && characterCount(summary) < length ? summary : null;
  }

  return async (drafts) => {
    const deadline = now() + BUDGET_MS;
    const isInBudget = (): boolean => now() < deadline;
    return mapConcurrently(drafts, CONCURRENCY, (draft) => read(draft, isInBudget));
  };
}
