/**
 * Neo4j reads field by field. So a read next to a deletion may return the id of a memory with null for each other
 * field: with 32 readers of 50 memories that were deleted together, one of some thousand reads did.
 */
import { expect } from 'chai';
import type { Row } from '../../../../shared/engines/neo4j/neo4j.js';
import { createNeo4jGraphInspector } from '../../../../shared/engines/neo4j/neo4j-graph-inspector.js';
import { createNeo4jGraphReader } from '../../../../shared/engines/neo4j/neo4j-graph-reader.js';
import { DependencyError } from '../../../../shared/kernel/errors.js';
import { rejection } from '../../../support/checks/rejection.js';
import { memory, memoryId } from '../../../support/fixtures/memories.js';
import { filter } from '../../../support/fixtures/points.js';

const whole: Row = { ...memory(1), metadata: '{}', version: 1, revision: 1, vector_ref: null, seal: null };
const torn: Row = Object.fromEntries(Object.keys(whole).map((field) => [field, null]));
const ENDS = { type: 'PREFERS_OVER', source: memoryId(1), target: memoryId(2), strength: 1, properties: '{}' };
const relationTo = (end: Row, properties: string | null = '{}') => ({ ...ENDS, properties, memory: end });

/** Of each read: a row with whole memories, and rows of a read next to a deletion. */
const ROWS: Readonly<Record<string, { readonly whole: Row; readonly torn: readonly Row[] }>> = {
  lineages: {
    whole: { memories: [[memoryId(1), memory(1).last_accessed, whole]], successions: [] },
    torn: [
      { memories: [[memoryId(1), null, torn]], successions: [] },
      { memories: [[memoryId(1), null, null]], successions: [] },
    ],
  },
  byTag: { whole: { memory: whole }, torn: [{ memory: torn }] },
  mostImportant: { whole: { memory: whole }, torn: [{ memory: torn }] },
  relations: {
    whole: { id: memoryId(1), relations: [relationTo(whole)] },
    torn: [
      { id: memoryId(1), relations: [relationTo(torn)] },
      { id: memoryId(1), relations: [relationTo(whole, null)] },
    ],
  },
  strongestPreferences: {
    whole: { ...ENDS, prefers: whole, over: whole },
    torn: [
      { ...ENDS, prefers: torn, over: whole },
      { ...ENDS, prefers: whole, over: torn },
    ],
  },
  associationsWithin: { whole: ENDS, torn: [{ ...ENDS, properties: null }] },
};

describe('reads of Neo4j next to a deletion', () => {
  /** Runs one read. `replies`: the rows of each statement; the last ones again and again. */
  function run(name: string, replies: readonly (readonly Row[])[]) {
    let reads = 0;
    const read = async () => replies[Math.min((reads += 1), replies.length) - 1] ?? [];
    const neo4j = { read, readAll: async () => [] };
    const [reader, inspector] = [createNeo4jGraphReader({ neo4j }), createNeo4jGraphInspector({ neo4j })];
    const ids = [memoryId(1)];
    const selection = { minImportance: 0, types: null, since: null };
    const calls: Readonly<Record<string, () => Promise<unknown>>> = {
      lineages: async () => (await reader.lineages(ids, 2)).memories,
      byTag: async () => (await reader.byTag({ tags: ['a'], offset: 0, limit: 10 })).memories,
      relations: async () => (await reader.relations({ ids, direction: 'both', limit: 10 })).get(memoryId(1)),
      mostImportant: () => inspector.mostImportant({ ...selection, after: null, limit: 10 }),
      strongestPreferences: () => inspector.strongestPreferences(10),
      associationsWithin: () =>
        inspector.associationsWithin({ ...selection, ids, last: memory(1), after: null, limit: 10 }),
    };
    return { result: calls[name]?.(), reads: () => reads };
  }

  for (const [name, rows] of Object.entries(ROWS)) {
    it(`are repeated until each memory is whole or gone: ${name}`, async () => {
      for (const row of rows.torn) {
        const { result, reads } = run(name, [[row], [row], [rows.whole]]);
        expect(await result).to.deep.equal(await run(name, [[rows.whole]]).result);
        expect(reads()).to.equal(3);
        expect(await run(name, [[row], []]).result).to.deep.equal([]);
      }
    });
  }

  it('fail when a memory is torn in each of 8 reads', async () => {
    const { result } = run('byTag', [[{ memory: torn }]]);
    expect(await rejection(result as Promise<unknown>)).to.be.instanceOf(DependencyError);
  });

  it('find no values of a memory that lost its metadata', async () => {
    const neo4j = {
      read: async () => [{ number: 0, isCut: false, hits: [{ id: memoryId(1), found: null }] }],
      readAll: async () => [],
    };
    const search = { words: ['oslo'], filter: filter(), limit: 10 };
    expect(await createNeo4jGraphReader({ neo4j }).metadata(search)).to.deep.equal([]);
  });
});
