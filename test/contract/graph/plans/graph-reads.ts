/** Reads of a graph, of each kind one, whose plans are checked on a full graph. */
import type { GraphReader } from '../../../../shared/ports/graph.js';
import type { GraphInspector } from '../../../../shared/ports/graph-inspector.js';
import type { GraphScan } from '../../../../shared/ports/graph-scan.js';
import { associated, association, day, memory, memoryId, stored } from '../../../support/fixtures/memories.js';

const ALL = {
  tags: null,
  within: null,
  excludeTags: [],
  start: null,
  end: null,
  excludedTypes: ['MetaPattern'],
  state: 'current',
  now: day(300),
} as const;
const SELECTION = { minImportance: 0.1, types: null, since: day(2) } as const;
export const LISTED = {
  tags: null,
  within: null,
  types: null,
  excludedTypes: ['MetaPattern'],
  since: null,
  until: null,
  minImportance: 0,
  terms: [],
} as const;
const TAGGED_ALL = { values: ['all'], mode: 'any', match: 'prefix' } as const;

export type Read = (reader: GraphReader, scan: GraphScan, inspector: GraphInspector) => Promise<unknown>;
export const READS: Readonly<Record<string, Read>> = {
  memories: (reader) => reader.memories([1, 2, 3].map(memoryId)),
  associations: (reader) => reader.associations([association(1, 2), association(2, 3)]),
  relations: (reader) =>
    reader.relations({ ids: [1, 2].map(memoryId), direction: 'both', types: ['RELATES_TO'], limit: 5 }),
  'steps to other memories': (reader) => reader.steps({ ids: [1, 2].map(memoryId), types: ['RELATES_TO'], limit: 5 }),
  'associations among memories': (reader) => reader.among({ ids: [1, 2].map(memoryId), types: ['CONTRADICTS'] }),
  'outgoing relations': (reader) => reader.relations({ ids: [1, 2].map(memoryId), direction: 'outgoing', limit: 5 }),
  successions: (reader) => reader.successions([1, 2].map(memoryId), 5),
  lineages: (reader) => reader.lineages([1, 2].map(memoryId), 5),
  'a page of a tag': (reader) => reader.byTag({ tags: ['all', 'even'], offset: 10, limit: 10 }),
  'a page of a tag within another': (reader) =>
    reader.byTag({ tags: ['all', 'even'], within: 'even', offset: 10, limit: 10 }),
  'ids of a tag within another': (reader) => reader.idsByTag({ tags: ['all'], within: 'even', after: '', limit: 10 }),
  'relations within a tag': (reader) =>
    reader.relations({ ids: [1, 2].map(memoryId), direction: 'both', within: 'even', limit: 5 }),
  'keyword search': (reader) =>
    reader.keyword({ terms: ['note'], filter: { ...ALL, start: day(1), tags: TAGGED_ALL }, limit: 10 }),
  'metadata search': (reader) => reader.metadata({ words: ['even', 'atlas'], filter: ALL, limit: 10 }),
  'metadata search for a common word': (reader) => reader.metadata({ words: ['common'], filter: ALL, limit: 10 }),
  'metadata search for a common word in a small part': (reader) =>
    reader.metadata({ words: ['common'], filter: { ...ALL, end: day(2) }, limit: 10 }),
  'trending by importance': (reader) => reader.trending({ filter: ALL, order: 'importance', limit: 10 }),
  'trending within a tag': (reader) =>
    reader.trending({ filter: { ...ALL, tags: TAGGED_ALL, within: 'even' }, order: 'importance', limit: 10 }),
  'trending by time': (reader) => reader.trending({ filter: ALL, order: 'time_desc', limit: 10 }),
  'the newest of two windows': (reader) =>
    reader.newestWithin({
      windows: [
        { start: day(1), end: day(20) },
        { start: day(50), end: day(60) },
      ],
      filter: ALL,
      limit: 5,
    }),
  'trending by update': (reader) => reader.trending({ filter: ALL, order: 'updated_asc', limit: 10 }),
  'trending under a filter that admits many': (reader) =>
    reader.trending({ filter: { ...ALL, start: day(1) }, order: 'importance', limit: 10 }),
  'trending of lapsed memories': (reader) =>
    reader.trending({ filter: { ...ALL, state: 'lapsed' }, order: 'importance', limit: 10 }),
  'the most important of two tags': (reader) => reader.topByTag({ tags: ['even', 'none'], filter: ALL, limit: 10 }),
  'the most important of a common tag': (reader) => reader.topByTag({ tags: ['all'], filter: ALL, limit: 10 }),
  'a page of the newest': (_reader, scan) =>
    scan.newest({ before: { timestamp: day(100), id: memoryId(1_500) }, limit: 10 }),
  'a page of a snapshot': (_reader, _scan, inspector) =>
    inspector.mostImportant({
      ...SELECTION,
      after: { importance: 0.5, timestamp: day(9), id: memoryId(9) },
      limit: 10,
    }),
  'a page of a listing, the newest first': (_reader, _scan, inspector) =>
    inspector.listed({ filter: LISTED, sort: 'newest', after: [day(100), memoryId(1_500)], limit: 10 }),
  'a page of a listing, the oldest first': (_reader, _scan, inspector) =>
    inspector.listed({
      filter: { ...LISTED, since: day(20), until: day(180) },
      sort: 'oldest',
      after: [day(100), memoryId(500)],
      limit: 10,
    }),
  'a page of a listing by importance': (_reader, _scan, inspector) =>
    inspector.listed({
      filter: { ...LISTED, minImportance: 0.1 },
      sort: 'importance',
      after: [0.5, day(9), memoryId(9)],
      limit: 10,
    }),
  'a page of a listing by update': (_reader, _scan, inspector) =>
    inspector.listed({
      filter: { ...LISTED, types: ['Context'], tags: TAGGED_ALL, within: 'even' },
      sort: 'updated',
      after: [day(900), memoryId(900)],
      limit: 10,
    }),
  'a page of a listing that few parts admit': (_reader, _scan, inspector) =>
    inspector.listed({
      filter: { ...LISTED, tags: { values: ['entity:people:p1'], mode: 'any', match: 'exact' } },
      sort: 'newest',
      after: null,
      limit: 10,
    }),
  'a page of a listing by words': (_reader, _scan, inspector) =>
    inspector.listed({ filter: { ...LISTED, terms: ['note', 'p1'] }, sort: 'newest', after: null, limit: 10 }),
  'a page of a listing by a word of all': (_reader, _scan, inspector) =>
    inspector.listed({
      filter: { ...LISTED, terms: ['note'] },
      sort: 'importance',
      after: [0.5, day(9), memoryId(9)],
      limit: 10,
    }),
  'the counts of a listing': (_reader, _scan, inspector) => inspector.facets({ filter: LISTED, sort: 'newest' }),
  'associations of a snapshot': (_reader, _scan, inspector) =>
    inspector.associationsWithin({
      ...SELECTION,
      ids: [1, 2, 3].map(memoryId),
      last: { importance: 0, timestamp: day(1), id: memoryId(1) },
      after: null,
      limit: 10,
    }),
  totals: (_reader, _scan, inspector) => inspector.totals(),
  'the spread over importances and dates': (_reader, _scan, inspector) =>
    inspector.spread({ importances: [0.8, 0.5], from: day(100), until: day(130) }),
  'the counts of tags': (_reader, _scan, inspector) =>
    inspector.tagCounts({ prefixes: ['entity:people:', 'entity:tools:'], limit: 10 }),
  'the counts of tags of the newest': (_reader, _scan, inspector) => inspector.newestTagCounts(10),
  'the most used tags with their times': (_reader, _scan, inspector) =>
    inspector.tagUses({ prefixes: ['entity:people:', 'entity:tools:'], limit: 10 }),
  'the uses of tags': (_reader, _scan, inspector) => inspector.tagUsesOf(['entity:people:p1', 'entity:people:p2']),
  'memories of tags': (_reader, _scan, inspector) =>
    inspector.memoriesTagged({ tags: ['entity:people:p1', 'entity:people:p2'], limit: 3 }),
  'records of entities': (reader) => reader.entities([{ category: 'people', slug: 'p1' }]),
  'degrees of memories': (_reader, scan) =>
    scan.degrees({ ids: [1, 2].map(memoryId), types: ['RELATES_TO', 'SIMILAR_TO'] }),
  counts: (reader) => reader.counts({ excludedTypes: ['MetaPattern'] }),
};

/** Events that fill a graph with memories 1, 2, ... and an association of each with the next. */
export function graphOf(memories: number) {
  const numbers = Array.from({ length: memories }, (_, index) => index + 1);
  return [
    numbers.map((number) =>
      stored(
        memory(number, {
          tags: [
            'all',
            number % 2 === 0 ? 'even' : 'odd',
            ...(number % 20 === 0 ? [`entity:people:p${(number / 20) % 7}`] : []),
          ],
          metadata: {
            tool: number % 2 === 0 ? 'common' : 'other',
            ...(number % 50 === 0 ? { project: 'atlas' } : {}),
          },
          importance: (number % 97) / 97,
          timestamp: day(1 + (number % 200)),
          updated_at: day(1 + number),
        }),
      ),
    ),
    numbers.slice(1).map((number) => associated(association(number - 1, number))),
  ];
}
