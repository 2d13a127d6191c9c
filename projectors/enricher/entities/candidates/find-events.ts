/** Finds events with a name: conferences, races, festivals. */
import { EVENT_ENDINGS, EVENT_NAME } from '../context-words.js';
import type { Page } from '../read-page.js';
import { type Candidate, candidateOf } from './candidate.js';

export function findEvents({ words, runs, isPlainEnglish }: Page): readonly Candidate[] {
  return runs.flatMap(([from, to]) => {
    const [first, last] = [words[from], words[to - 1]];
    const hasEnding = to - from > 1 && to - from <= MAX_WORDS && isPlainEnglish && EVENT_ENDINGS.has(last?.key ?? '');
    const hasEventName = to - from <= MAX_WORDS && EVENT_NAME.test(first?.text ?? '');
    return hasEnding || hasEventName ? candidateOf('events', words.slice(from, to)) : [];
  });
}

const MAX_WORDS = 4;
