/** A language model may summarise and classify contents. Without an answer the memory is stored as it was sent. */
import type { MemoryType } from '../../shared/contract/memory.js';
import { mapConcurrently } from '../../shared/kernel/concurrency/map-concurrently.js';
import { createPacer } from '../../shared/kernel/concurrency/paced.js';
import type { LanguageModel } from '../../shared/ports/language-model.js';
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
/** After this time the rest is read without the model, so that the answer comes within a client's 25 s. */
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
    const { pace } = createPacer();
    return mapConcurrently(drafts, CONCURRENCY, async (draft) => {
      await pace();
      return read(draft, isInBudget);
    });
  };
}

/** A text, a pattern, or several texts that follow each other in one line. */
type Cue = string | RegExp | readonly string[];

/** The types in the order in which they are tried: the first type with a cue in the content wins. */
const CUES: readonly (readonly [MemoryType, readonly Cue[]])[] = [
  [
    'Decision',
    [
      'decided to',
      /chose [\p{L}\p{N}_]+ over/u,
      'going with',
      'picked',
      'selected',
      'will use',
      'choosing',
      'opted for',
    ],
  ],
  [
    'Pattern',
    ['usually', 'typically', 'tend to', 'pattern i noticed', 'often', 'frequently', 'regularly', 'consistently'],
  ],
  ['Preference', ['prefer', ['like', 'better'], 'favorite', 'always use', 'rather than', 'instead of', 'favor']],
  [
    'Style',
    [['wrote', 'in', 'style'], 'communicated', 'responded to', 'formatted as', ['using', 'tone'], 'expressed as'],
  ],
  ['Habit', [/\balways\b(?!\s+use)/u, 'every time', 'habitually', 'routine', 'daily', 'weekly', 'monthly']],
  ['Insight', ['realized', 'discovered', 'learned that', 'understood', 'figured out', 'insight', 'revelation']],
  ['Context', ['during', 'while working on', 'in the context of', 'when', 'at the time', 'situation was']],
];

const ONE_CUE_CONFIDENCE = 0.6;
const CONFIDENCE_PER_CUE = 0.1;
const MAXIMUM_CONFIDENCE = 0.95;

export type Classification = { readonly type: MemoryType; readonly confidence: number };

export function classifyByPattern(content: string): Classification | null {
  const text = content.toLowerCase();
  const lines = text.split('\n');
  for (const [type, cues] of CUES) {
    const hits = cues.filter((cue) => occurs(cue, text, lines)).length;
    if (hits > 0)
      return {
        type,
        confidence:
          hits === 1
            ? ONE_CUE_CONFIDENCE
            : Math.min(MAXIMUM_CONFIDENCE, Math.round((ONE_CUE_CONFIDENCE + CONFIDENCE_PER_CUE * hits) * 100) / 100),
      };
  }
  return null;
}

function occurs(cue: Cue, text: string, lines: readonly string[]): boolean {
  if (typeof cue === 'string') return text.includes(cue);
  if (cue instanceof RegExp) return cue.test(text);
  return lines.some((line) => followEachOther(cue, line));
}

/** Finds the same as `wrote.*in.*style`, in one pass: the regular expression takes cubic time on a hostile text. */
function followEachOther(parts: readonly string[], line: string): boolean {
  let from = 0;
  for (const part of parts) {
    const found = line.indexOf(part, from);
    if (found === -1) return false;
    from = found + part.length;
  }
  return true;
}
