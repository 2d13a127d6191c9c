/** The first classifier: turns of phrase that give a memory's type away. What it does not know, a language model is asked. */
import type { MemoryType } from '../../shared/contract/memory.js';

/** A text that occurs, a pattern, or texts that follow each other in one line. */
type Cue = string | RegExp | readonly string[];

/** In the order in which the types are tried: the first with any cue wins. */
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

const ONE_CUE = 0.6;
const EACH_CUE = 0.1;
const MOST = 0.95;

export type Classification = { readonly type: MemoryType; readonly confidence: number };

export function classifyByPattern(content: string): Classification | null {
  const text = content.toLowerCase();
  const lines = text.split('\n');
  for (const [type, cues] of CUES) {
    const hits = cues.filter((cue) => occurs(cue, text, lines)).length;
    if (hits > 0)
      return {
        type,
        confidence: hits === 1 ? ONE_CUE : Math.min(MOST, Math.round((ONE_CUE + EACH_CUE * hits) * 100) / 100),
      };
  }
  return null;
}

function occurs(cue: Cue, text: string, lines: readonly string[]): boolean {
  if (typeof cue === 'string') return text.includes(cue);
  if (cue instanceof RegExp) return cue.test(text);
  return lines.some((line) => followEachOther(cue, line));
}

/** What `wrote.*in.*style` finds, in one pass: the expression itself takes cubic time on a text made for it. */
function followEachOther(parts: readonly string[], line: string): boolean {
  let from = 0;
  for (const part of parts) {
    const found = line.indexOf(part, from);
    if (found === -1) return false;
    from = found + part.length;
  }
  return true;
}
