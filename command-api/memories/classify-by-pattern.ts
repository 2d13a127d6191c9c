/**
 * The first classifier: phrases that reveal the type of a memory. For content without these phrases a language model is
 * asked.
 */
import type { MemoryType } from '../../shared/contract/memory.js';

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
