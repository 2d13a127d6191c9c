/** Notes on an answer as a whole, for its first line; the explanation of `explain` appears at its end. */
import type { About, Found } from './found.js';
import { clip } from './memory-parts.js';

const NAMES_SHOWN = 5;
const REASON_CHARACTERS = 160;

export function notesOf({ mode, memories, about }: Found): readonly string[] {
  return [
    ...(mode === 'id_fetch' && memories.length === 0
      ? ['there is no memory with this id: it was deleted, or never was']
      : []),
    ...(mode === 'enumeration' ? pageNotes(about) : []),
    ...(about.nothing_fits && memories.length > 0 ? ['nothing fits: none of these is likely to answer the query'] : []),
    ...originNotes(about),
    ...filterNotes(about),
    ...reliabilityNotes(about),
  ];
}

function pageNotes({ offset = 0, limit }: About): readonly string[] {
  return [`every state, by importance; page: offset ${offset}${limit === undefined ? '' : `, limit ${limit}`}`];
}

function originNotes({
  dedup_removed: duplicates = 0,
  entity_expansion: byEntity = {},
  expansion: byRelation = {},
  scope_fallback: isFilled,
}: About): readonly string[] {
  const names = byEntity.entities_found ?? [];
  const namedEntities =
    names.length === 0
      ? ''
      : `: ${names.slice(0, NAMES_SHOWN).join(', ')}${names.length > NAMES_SHOWN ? ' and others' : ''}`;
  return [
    ...counted(duplicates, 'removed as duplicates'),
    ...counted(byEntity.expanded_count, `via entity expansion${namedEntities}`),
    ...counted(byRelation.expanded_count, 'via relation expansion'),
    ...(isFilled ? ['scope fallback: too few in the tags, filled from outside them'] : []),
  ];
}

function filterNotes({
  state_filter: states = {},
  score_filter: scores = {},
  time_window: window,
  recency_bias: bias,
}: About): readonly string[] {
  const { suppressed_count: suppressed = 0, replacement_count: replaced = 0 } = states;
  return [
    ...(suppressed + replaced === 0
      ? []
      : [`state filter: ${suppressed} no longer current left out, ${replaced} put in for what they replace`]),
    ...counted(scores.filtered_count, 'removed by the score filter'),
    ...(window === undefined ? [] : [`time window: ${spanOf(window)}`]),
    ...(bias === 'on' ? ['newer ones ranked higher'] : []),
  ];
}

function spanOf({ start, end }: NonNullable<About['time_window']>): string {
  return [...(start === undefined ? [] : [`from ${start}`]), ...(end === undefined ? [] : [`until ${end}`])].join(' ');
}

/** How complete and how current the answer is. */
function reliabilityNotes({ degraded = [], consistency }: About): readonly string[] {
  const failures = degraded.map(
    ({ source, reason }) => `${source} did not answer (${clip(reason, REASON_CHARACTERS)})`,
  );
  return [
    ...(failures.length === 0 ? [] : [`degraded, memories may be missing: ${failures.join(', ')}`]),
    ...(consistency === undefined ? [] : [consistencyNote(consistency)]),
  ];
}

function consistencyNote({ position, index, graph }: NonNullable<About['consistency']>): string {
  if (index && graph) return `shows position ${position}`;
  const behind = [...(graph ? [] : ['the graph']), ...(index ? [] : ['the vector index'])].join(' and ');
  return `does not surely show position ${position}: ${behind} had not come to it`;
}

function counted(count = 0, words: string): readonly string[] {
  return count === 0 ? [] : [`${count} ${words}`];
}

const REASONS: Readonly<Record<string, string>> = {
  absent: 'no memory has this id',
  filter: 'a filter of the request leaves it out',
  state: 'it is not current',
  retrieval: 'no search found it',
  min_score: 'its score is too low',
  min_probability: 'it is too unlikely to answer the query',
  duplicate: 'another result says the same',
  source: 'a better piece of its source represents it',
  limit: 'the limit ended before it',
  after_selection: 'a later stage dropped it',
};

/** One sentence: why the memory that `explain` names is, or is not, among the results. */
export function explanationOf({ explain }: About): readonly string[] {
  if (explain?.memory_id === undefined) return [];
  const { memory_id: id, position, cut } = explain;
  if (cut === undefined) return position === undefined ? [] : [`memory ${id} is result ${position}`];
  const { at = '', rules = [], reason, successor } = cut;
  const details = [
    ...rules,
    ...(reason === undefined ? [] : [reason]),
    ...(successor === undefined ? [] : [`see ${successor}`]),
  ];
  return [
    `memory ${id} is not among the results: ${REASONS[at] ?? at}${details.length === 0 ? '' : ` (${details.join(', ')})`}`,
  ];
}
