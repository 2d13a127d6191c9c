/**
 * What filters ask of a memory, as words: one property that the full-text index takes apart at its blanks, and in which a walk over
 * memories looks for them as they stand. Whole tags, cumulative prefixes, type and being archived have a kind each.
 */
import { createHash } from 'node:crypto';
import type { MemoryFilter, TagFilter } from '../../contract/filter.js';
import type { Memory } from '../../contract/memory.js';
import { canonicalTag, tagPrefixes, wholeTagKey } from '../../text/tags.js';

type Kind = 'whole' | 'prefix' | 'type';

export const ARCHIVED = 'archived$';

/** Every word has a blank on both sides. */
export function facetsOf(memory: Pick<Memory, 'tags' | 'type' | 'archived'>): string {
  const words = [
    ...memory.tags.flatMap((tag) => allWords('whole', wholeTagKey(tag))),
    ...tagPrefixes(memory.tags).flatMap((prefix) => allWords('prefix', prefix)),
    ...allWords('type', memory.type),
    ...(memory.archived === true ? [ARCHIVED] : []),
  ];
  return ` ${[...new Set(words)].join(' ')} `;
}

export function typeFacet(type: string): string {
  return exactly('type', type);
}

/** Those of which a memory has one (`any`), or each (`all`). A value of delimiters only becomes a word that no memory has. */
export function tagFacets({ values, match }: TagFilter): readonly string[] {
  const facet = (value: string): string =>
    match === 'exact' ? exactly('whole', wholeTagKey(value)) : exactly('prefix', canonicalTag(value));
  return [...new Set(values.map(facet))];
}

/** How words begin that a memory must not have: whole tags as the value is written, prefixes with its `/` read as `:`. */
export function excludedBeginnings({ excludeTags }: Pick<MemoryFilter, 'excludeTags'>): readonly string[] {
  const written = excludeTags.map(wholeTagKey).filter((tag) => tag !== '');
  return [
    ...new Set(written.flatMap((tag) => [beginning('whole', tag), beginning('prefix', tag.replaceAll('/', ':'))])),
  ];
}

/** The index cuts words at 255 UTF-16 units; a tag has up to 256 characters of one or two. So a long value becomes a chain of words. */
const LINK_CHARACTERS = 100;
/** What a value ends with, and what one that goes on in the next word does: no beginning of a value is taken for the whole. */
const END = '$';
const GOES_ON = '>';

function allWords(kind: Kind, value: string): readonly string[] {
  const { full, rest } = chain(kind, value);
  return [...full, rest + END];
}

/** The last word tells of those before it. */
function exactly(kind: Kind, value: string): string {
  return chain(kind, value).rest + END;
}

function beginning(kind: Kind, value: string): string {
  return chain(kind, value).rest;
}

function chain(kind: Kind, value: string): { readonly full: readonly string[]; readonly rest: string } {
  const characters = [...value.replace(BLANK, (blank) => `%${blank.charCodeAt(0).toString(16)}.`)];
  const full: string[] = [];
  let head = `${kind}=`;
  let from = 0;
  for (; characters.length - from > LINK_CHARACTERS; from += LINK_CHARACTERS) {
    const word = head + characters.slice(from, from + LINK_CHARACTERS).join('') + GOES_ON;
    full.push(word);
    head = `${kind}~${createHash('sha256').update(word).digest('hex').slice(0, 32)}=`;
  }
  return { full, rest: head + characters.slice(from).join('') };
}

/** Everything that might end a word, and the sign that marks what stands for it. */
const BLANK = /[\s\p{Z}\x00-\x20%]/gu;
