/** Concurrent writers, which would make errors in Neo4j without locks. Every round has another order of arrival. */
import { expect } from 'chai';
import type { RecordedEvent } from '../../../shared/contract/events.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import { type OpenGraph, openNeo4jGraph } from '../../support/adapters/graphs.js';
import { derived, enriched } from '../../support/fixtures/enrichment-events.js';
import {
  associated,
  association,
  day,
  deleted,
  memory,
  memoryId,
  stored,
  updated,
} from '../../support/fixtures/memories.js';
import { seededRandom } from '../../support/fixtures/random.js';
import { isServerWanted } from '../../support/servers/servers.js';

const ROUNDS = 40;
const WRITERS = 16;

if (isServerWanted('neo4j')) {
  describe('Neo4j races', () => {
    const random = seededRandom(11);
    let graph: OpenGraph;
    const warnings: string[] = [];
    before(
      async () =>
        (graph = await openNeo4jGraph({ ...silentLogger, warn: (_, message) => void warnings.push(message) })),
    );
    after(() => graph.close());

    const applyAtOnce = (groups: readonly (readonly RecordedEvent[])[]): Promise<unknown> =>
      Promise.all(shuffled(groups).map((group) => graph.writer.apply(group)));
    const loaded = async (number: number) => (await graph.reader.memories([memoryId(number)]))[0];
    const tagged = (tag: string): Promise<readonly string[]> =>
      graph.reader.idsByTag({ tags: [tag], after: '', limit: 100 });

    function shuffled<T>(items: readonly T[]): T[] {
      return items
        .map((item) => ({ item, place: random.next() }))
        .sort((one, other) => one.place - other.place)
        .map(({ item }) => item);
    }

    function version(number: number, at: number): RecordedEvent {
      const state = memory(number, {
        content: `words of version ${at}`,
        tags: [`v${at}`],
        importance: at / (2 * WRITERS),
        enriched: at % 2 === 0,
      });
      return at === 1 ? stored(state) : updated(state, at);
    }
    const versions = (number: number): RecordedEvent[] =>
      Array.from({ length: WRITERS }, (_, index) => version(number, index + 1));

    it('ends with the newest of 16 racing versions, with only its tags and counts', async () => {
      for (let round = 1; round <= ROUNDS; round += 1) {
        await applyAtOnce(versions(round).map((event) => [event]));
        expect((await loaded(round))?.memory, `round ${round}`).to.include({ content: `words of version ${WRITERS}` });
        expect((await loaded(round))?.version).to.equal(WRITERS);
        expect(await tagged(`v${WRITERS}`)).to.have.length(round);
      }
      for (let at = 1; at < WRITERS; at += 1) expect(await tagged(`v${at}`), `tag of version ${at}`).to.deep.equal([]);
      expect(await graph.reader.counts({ excludedTypes: [] })).to.deep.equal({
        memories: ROUNDS,
        associations: 0,
        unenriched: 0,
      });
    });

    it('ignores racing duplicates and older versions', async () => {
      const numbers = Array.from({ length: ROUNDS }, (_, index) => index + 1);
      const before = await graph.reader.memories(numbers.map(memoryId));
      await applyAtOnce(
        Array.from({ length: WRITERS }, () =>
          shuffled(numbers).map((number) => version(number, 1 + random.below(WRITERS))),
        ),
      );
      expect(await graph.reader.memories(numbers.map(memoryId))).to.deep.equal(before);
      expect(await tagged(`v${WRITERS}`)).to.have.length(ROUNDS);
    });

    it('keeps a memory deleted while its versions and associations race', async () => {
      for (let round = 1; round <= ROUNDS; round += 1) {
        const number = 1_000 + round;
        const associations = [
          associated(association(number, 1)),
          associated(association(2, number), 1),
          associated(association(number, number - 1)),
        ];
        const groups = [...versions(number), deleted(number, WRITERS + 1), ...associations].map((event) => [event]);
        await applyAtOnce(groups);
        expect(await loaded(number), `round ${round}`).to.equal(undefined);
      }
      expect(await graph.reader.counts({ excludedTypes: [] })).to.deep.equal({
        memories: ROUNDS,
        associations: 0,
        unenriched: 0,
      });
    });

    it('creates one association from many writers, with the newest content', async () => {
      for (let round = 1; round < ROUNDS; round += 1) {
        const said = (at: number): RecordedEvent =>
          associated(association(round, round + 1, { strength: at / WRITERS, properties: { at } }), at);
        await applyAtOnce(Array.from({ length: WRITERS }, (_, index) => [said(index + 1)]));
      }
      const keys = Array.from({ length: ROUNDS - 1 }, (_, index) => association(index + 1, index + 2));
      const found = await graph.reader.associations(keys);
      expect(found.map(({ version: at, association: { strength } }) => [at, strength])).to.deep.equal(
        keys.map(() => [WRITERS, 1]),
      );
      expect((await graph.reader.counts({ excludedTypes: [] })).associations).to.equal(ROUNDS - 1);
    });

    it('has no deadlock of groups, deletions of neighbours and recorded accesses', async () => {
      const first = 2_000;
      const numbers = Array.from({ length: 2 * WRITERS }, (_, index) => first + index);
      await graph.writer.apply(numbers.map((number) => stored(memory(number))));
      const ring = numbers.map((number, index) =>
        associated(association(number, numbers[(index + 1) % numbers.length] ?? first)),
      );
      const updates = numbers.map((number) => updated(memory(number, { tags: ['hot'] }), 2));
      await Promise.all([
        applyAtOnce(Array.from({ length: WRITERS }, () => shuffled([...ring, ...updates]))),
        ...Array.from({ length: WRITERS }, () => graph.writer.recordAccess(shuffled(numbers).map(memoryId), day(9))),
      ]);
      await applyAtOnce(numbers.map((number) => [deleted(number, 3)]));
      // In a deadlock the server ends one transaction, and the driver retries it.
      expect(warnings).to.deep.equal([]);
      expect(await graph.reader.memories(numbers.map(memoryId))).to.deep.equal([]);
      expect((await graph.reader.counts({ excludedTypes: [] })).associations).to.equal(ROUNDS - 1);
    });

    it('ends with the newest of racing derived sets, without a deadlock', async () => {
      const numbers = Array.from({ length: 8 }, (_, index) => 4_000 + index);
      const before = (await graph.reader.counts({ excludedTypes: [] })).associations;
      await graph.writer.apply(numbers.map((number) => stored(memory(number))));
      const sets = numbers.flatMap((number) =>
        Array.from({ length: 6 }, (_, index) => {
          const others = numbers.filter((other) => other !== number).slice(index);
          return enriched(
            number,
            2 + index,
            others.map((other) => derived(other, { strength: (2 + index) / 10 })),
          );
        }),
      );
      await applyAtOnce([
        ...Array.from({ length: WRITERS }, () => shuffled(sets)),
        ...numbers.map((number) => [
          associated(association(number, 4_000 + ((number + 1) % 8), { type: 'EXEMPLIFIES' })),
        ]),
      ]);
      expect(warnings).to.deep.equal([]);
      const relations = await graph.reader.relations({
        ids: numbers.map(memoryId),
        direction: 'outgoing',
        types: ['SIMILAR_TO'],
        limit: 100,
      });
      const last = numbers.map((number) =>
        numbers
          .filter((other) => other !== number)
          .slice(5)
          .map((other) => [memoryId(other), 0.7]),
      );
      expect(
        numbers.map((number) => relations.get(memoryId(number))?.map(({ strength, memory: { id } }) => [id, strength])),
      ).to.deep.equal(last);
      expect((await graph.reader.counts({ excludedTypes: [] })).associations - before).to.equal(8 * 2 + 8);
      await applyAtOnce(numbers.map((number) => [deleted(number, 9)]));
      expect((await graph.reader.counts({ excludedTypes: [] })).associations).to.equal(before);
    });

    it('keeps the latest of racing accesses', async () => {
      await graph.writer.apply([stored(memory(3_000))]);
      await Promise.all(
        shuffled(Array.from({ length: WRITERS }, (_, index) => day(index + 2))).map((at) =>
          graph.writer.recordAccess([memoryId(3_000)], at),
        ),
      );
      expect((await loaded(3_000))?.memory.last_accessed).to.equal(day(WRITERS + 1));
    });
  });
}
