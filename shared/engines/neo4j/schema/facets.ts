/**
 * The facets of a memory: words for whole tags, cumulative tag prefixes, its type and its archived state. Filters test
 * them. They are one text property: the full-text index splits it at blanks, and an index scan searches it with
 * CONTAINS.
 */
import { createHash } from 'node:crypto';
import type { MemoryFilter, TagFilter } from '../../../contract/filter.js';
import type { Memory } from '../../../contract/memory.js';
import { shortestPrefixes } from '../../../text/prefixes.js';
import { canonicalTag, tagPrefixes, wholeTagKey } from '../../../text/tags.js';

type Kind = 'whole' | 'prefix' | 'type';

export const ARCHIVED = 'archived$';

/** All facets of a memory, each with a blank on both sides. */
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

/**
 * Facets of which a memory has one (`any`) or all (`all`). A value that consists of delimiters becomes a facet that no
 * memory has.
 */
export function tagFacets({ values, match }: TagFilter): readonly string[] {
  const facet = (value: string): string =>
    match === 'exact' ? exactly('whole', wholeTagKey(value)) : exactly('prefix', canonicalTag(value));
  return [...new Set(values.map(facet))];
}

/** What the facets of a memory contain when it has the canonical tag, or one below it. */
export function withinFacet(tag: string): string {
  return ` ${exactly('prefix', tag)} `;
}

/**
 * The prefixes of facets that exclude a memory: whole tags as the value is written, prefixes with each `/` of the value
 * replaced by `:`.
 */
export function excludedPrefixes({ excludeTags }: Pick<MemoryFilter, 'excludeTags'>): readonly string[] {
  const written = excludeTags.map(wholeTagKey);
  const canonical = written.map((tag) => tag.replaceAll('/', ':'));
  return [
    ...shortestPrefixes(written).map((tag) => prefixOf('whole', tag)),
    ...shortestPrefixes(canonical).map((tag) => prefixOf('prefix', tag)),
  ];
}

/**
 * The index cuts words at 255 UTF-16 units, and a tag has up to 256 characters of one or two units. So a long value
 * becomes a chain of words.
 */
const LINK_CHARACTERS = 100;
/**
 * The end of a value, and the end of a word that continues in the next one, so that the prefix of a value never equals
 * a whole value.
 */
const END = '$';
const CONTINUES = '>';

function allWords(kind: Kind, value: string): readonly string[] {
  const { full, rest } = chain(kind, value);
  return [...full, rest + END];
}

/** The last word of the chain contains a hash of the words before it, so it identifies the whole value. */
function exactly(kind: Kind, value: string): string {
  return chain(kind, value).rest + END;
}

function prefixOf(kind: Kind, value: string): string {
  return chain(kind, value).rest;
}

function chain(kind: Kind, value: string): { readonly full: readonly string[]; readonly rest: string } {
  const characters = [...value.replace(BLANK, (blank) => `%${blank.charCodeAt(0).toString(16)}.`)];
  const full: string[] = [];
  let head = `${kind}=`;
  let from = 0;
  for (; characters.length - from > LINK_CHARACTERS; from += LINK_CHARACTERS) {
    const word = head + characters.slice(from, from + LINK_CHARACTERS).join('') + CONTINUES;
    full.push(word);
    head = `${kind}~${createHash('sha256').update(word).digest('hex').slice(0, 32)}=`;
  }
  return { full, rest: head + characters.slice(from).join('') };
}

/** Every character that might end a word, and the percent sign that begins an escape. */
// eslint-disable-next-line no-control-regex -- a control character may end a word, so it needs an escape
const BLANK = /[\s\x00-\x08\x0e-\x1f%]/gu;
