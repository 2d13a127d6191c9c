/** A result as structured content and as text, in four sizes. The marks in brackets are AutoMem's. */
import { present } from '../tool.js';
import type { FoundMemory } from './found.js';
import {
  excerptOf,
  firstTags,
  relationsOf,
  type RelationStub,
  relationStub,
  relationStubs,
  timesOfMemory,
} from './memory-parts.js';

export type Item = Readonly<Record<string, unknown>>;

export function briefItem(found: FoundMemory): Item {
  const { memory, id, final_score, match_probability, match_type, outside_tag_scope, state_replaces } = found;
  return present({
    memory_id: id,
    ...excerptOf(memory).fields,
    tags: memory.tags ?? [],
    importance: memory.importance ?? 0,
    final_score,
    match_probability,
    match_type,
    ...timesOf(found),
    outside_tag_scope,
    state_replaces,
  });
}

export function detailedItem(found: FoundMemory): Item {
  const { type, confidence, last_accessed, metadata = {} } = found.memory;
  const relations = relationsOf(found);
  return present({
    ...briefItem(found),
    last_accessed,
    type,
    confidence,
    metadata_keys: Object.keys(metadata),
    relations: relationStubs(found),
    relations_total: relations.length,
    deduped_from: found.deduped_from,
    expanded_from_entity: found.expanded_from_entity,
  });
}

/** Every field, without duplicates and without fields that only the service itself uses. */
export function wholeItem(found: FoundMemory): Item {
  const { id, memory, relations, related_to: relatedTo, score: _score, _query, ...about } = found;
  const {
    id: _id,
    memory_id: _memoryId,
    timestamp: _timestamp,
    tag_prefixes: _prefixes,
    content,
    summary,
    tags,
    importance,
    ...fields
  } = memory;
  return present({
    memory_id: id,
    content,
    summary,
    tags: tags ?? [],
    importance: importance ?? 0,
    ...about,
    ...timesOf(found),
    ...fields,
    relations: relations ?? relatedTo,
  });
}

/** Its size has an upper limit, whatever the memory holds. */
export function shortItem(found: FoundMemory): Item & { readonly tags: readonly string[] } {
  const { tags = [] } = found.memory;
  return { ...briefItem(found), tags: firstTags(tags), tags_total: tags.length, shortened: true };
}

function timesOf({ memory }: FoundMemory): Item {
  const { createdAt, updatedAt, validFrom, validUntil } = timesOfMemory(memory);
  return { created_at: createdAt, updated_at: updatedAt, t_valid: validFrom, t_invalid: validUntil };
}

/** Aligns lines with the first word of a numbered line. */
export const INDENT = '   ';

type Numbered = { readonly found: FoundMemory; readonly number: number };
/** Replaces the memory's own excerpt or tags. */
type Overrides = { readonly words?: string; readonly tags?: readonly string[] };

export function briefText({ found, number }: Numbered, overrides: Overrides = {}): string {
  const { words = excerptOf(found.memory).text, tags = found.memory.tags ?? [] } = overrides;
  return [
    `${number}. ${indented(words)}${marksOf(found, tags)}`,
    ...timeLines(found).map((line) => INDENT + line),
  ].join('\n');
}

export function detailedText(numbered: Numbered): string {
  const { found } = numbered;
  const { last_accessed: lastAccessed, metadata = {} } = found.memory;
  const keys = Object.keys(metadata);
  const total = relationsOf(found).length;
  const stubs = relationStubs(found);
  return [
    briefText(numbered),
    ...[
      ...typeLines(found),
      ...(lastAccessed === undefined ? [] : [`Last accessed: ${lastAccessed}`]),
      ...(keys.length === 0 ? [] : [`Metadata keys: ${keys.join(', ')}`]),
      ...(total === 0
        ? []
        : [
            `Relations${total > stubs.length ? ` (showing ${stubs.length} of ${total})` : ''}:`,
            ...stubs.map(relationLine),
          ]),
    ].map((line) => INDENT + indented(line)),
  ].join('\n');
}

/** Without the times of relations and the results of enrichment, which the structured content has. */
export function wholeText(numbered: Numbered): string {
  const { found } = numbered;
  const { content, summary, last_accessed: lastAccessed, metadata = {} } = found.memory;
  const relations = relationsOf(found);
  return [
    briefText(numbered, { words: content }),
    ...[
      ...(summary === undefined ? [] : [`Summary: ${summary}`]),
      ...typeLines(found),
      ...(lastAccessed === undefined ? [] : [`Last accessed: ${lastAccessed}`]),
      ...(Object.keys(metadata).length === 0 ? [] : [`Metadata: ${JSON.stringify(metadata)}`]),
      ...(relations.length === 0
        ? []
        : ['Relations:', ...relations.map((relation) => relationLine(relationStub(relation)))]),
    ].map((line) => INDENT + indented(line)),
  ].join('\n');
}

function marksOf(found: FoundMemory, tags: readonly string[]): string {
  const {
    memory,
    final_score: score,
    match_type: matchType,
    expanded_from_entity: entity,
    deduped_from: duplicates = [],
  } = found;
  const relations = relationsOf(found).length;
  return [
    ...(tags.length === 0 ? [] : [`[${tags.join(', ')}]`]),
    ...(memory.importance === undefined ? [] : [`(importance: ${Number(memory.importance.toFixed(3))})`]),
    ...(score === undefined ? [] : [`score=${score.toFixed(3)}`]),
    ...(matchType === undefined ? [] : [`[${matchType}]`]),
    ...(relations === 0 ? [] : [`relations=${relations}`]),
    ...(entity === undefined ? [] : [`[via entity: ${entity}]`]),
    ...(duplicates.length === 0 ? [] : [`(deduped x${duplicates.length})`]),
    ...(found.outside_tag_scope ? ['[outside the tags]'] : []),
    ...(found.state_replaces === undefined ? [] : [`[replaces ${found.state_replaces}]`]),
  ]
    .map((mark) => ` ${mark}`)
    .join('');
}

function timeLines({ id, memory }: FoundMemory): readonly string[] {
  const { createdAt, updatedAt, validFrom, validUntil } = timesOfMemory(memory);
  const valid = [
    ...(validFrom === undefined ? [] : [`from ${validFrom}`]),
    ...(validUntil === undefined ? [] : [`until ${validUntil}`]),
  ];
  return [
    `ID: ${id}`,
    ...(createdAt === undefined ? [] : [`Created: ${createdAt}`]),
    ...(updatedAt === undefined || updatedAt === createdAt ? [] : [`Updated: ${updatedAt}`]),
    ...(valid.length === 0 ? [] : [`Valid: ${valid.join(' ')}`]),
  ];
}

function typeLines({ memory: { type, confidence } }: FoundMemory): readonly string[] {
  return type === undefined ? [] : [`Type: ${type}${confidence === undefined ? '' : ` (confidence: ${confidence})`}`];
}

function relationLine({ id, type, direction, strength, summary }: RelationStub): string {
  const details = [
    ...(direction === undefined ? [] : [direction]),
    ...(strength === undefined ? [] : [`strength ${strength}`]),
  ].join(', ');
  return `- ${type} ${id}${details === '' ? '' : ` (${details})`}${summary === undefined ? '' : `: ${summary}`}`;
}

/** Indents every further line of a memory below its number, so that no content can look like a result. */
export function indented(text: string): string {
  return text.replaceAll(/\r\n?|\n/gu, `\n${INDENT}`);
}
