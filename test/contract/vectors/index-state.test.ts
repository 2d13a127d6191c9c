/**
 * The check that the index has every event up to a position, over every journal: by saved positions, then by the
 * points.
 */
import { expect } from 'chai';
import { createIndexStateAt, type IndexState } from '../../../query-api/consistency/index-state.js';
import type { MemoryId } from '../../../shared/contract/memory.js';
import { VECTOR_INDEXER } from '../../../shared/contract/projector-names.js';
import { DependencyError } from '../../../shared/kernel/errors.js';
import { JOURNAL_ADAPTERS, type OpenJournal } from '../../support/adapters/journals.js';
import { associated, deleted, numberedId, stored, updated } from '../../support/fixtures/events.js';

for (const adapter of JOURNAL_ADAPTERS) {
  describe(`index state: ${adapter.name}`, () => {
    let opened: OpenJournal;
    let positions: readonly number[];
    beforeEach(async () => {
      opened = await adapter.open();
      const events = await opened.append([stored(1), stored(2), associated(1, 2), updated(1, 2), deleted(2, 2)]);
      positions = events.map(({ position }) => position);
    });
    afterEach(() => opened.close());

    const indexWith = (points: Readonly<Record<number, number>>) => {
      const versions = new Map(
        Object.entries(points).map(([number, version]) => [numberedId(Number(number)), version]),
      );
      return {
        versions: async (ids: readonly MemoryId[]) => new Map([...versions].filter(([id]) => ids.includes(id))),
      };
    };

    /** `through`: the number of the last event, from 1. */
    async function isIndexed(points: Readonly<Record<number, number>>, through: number, indexed = 0): Promise<boolean> {
      return (await stateAt(points, through, indexed)).kind === 'indexed';
    }

    const stateAt = (points: Readonly<Record<number, number>>, through: number, indexed = 0): Promise<IndexState> =>
      createIndexStateAt({ ...opened, vectors: indexWith(points) })({
        indexed,
        position: positions[through - 1] ?? -1,
        isOwn: true,
      });

    it('trusts saved positions for all but the event itself', async () => {
      expect(await isIndexed({}, 3, positions[2])).to.equal(true);
      expect(await isIndexed({}, 3, positions[4])).to.equal(true);
      expect(await isIndexed({ 1: 1 }, 1, positions[4])).to.equal(true);
      expect(await stateAt({}, 1, positions[4])).to.deep.equal({ kind: 'behind', missing: positions[0] });
    });

    it('counts a memory that was deleted later as indexed', async () => {
      expect(await isIndexed({}, 2, positions[4])).to.equal(true);
      expect(await isIndexed({ 1: 1 }, 2), 'also before the saved position passes').to.equal(true);
    });

    it('reports the first position that the index lacks', async () => {
      expect(await stateAt({ 1: 1 }, 4)).to.deep.equal({ kind: 'behind', missing: positions[1] });
    });

    it('does not wait for other events that the graph lacks', async () => {
      const lacking = (...numbers: readonly number[]) => ({
        unapplied: async (asked: readonly number[]) =>
          new Set(asked.filter((position) => numbers.some((number) => positions[number - 1] === position))),
      });
      const ask = (outbox: ReturnType<typeof lacking>) =>
        createIndexStateAt({ ...opened, vectors: indexWith({ 1: 2 }), outbox })({
          indexed: 0,
          position: positions[3] ?? -1,
          isOwn: true,
        });
      expect(await ask(lacking())).to.deep.equal({ kind: 'behind', missing: positions[1] });
      expect(await ask(lacking(2))).to.deep.equal({ kind: 'indexed' });
      const own = createIndexStateAt({ ...opened, vectors: indexWith({}), outbox: lacking(1) });
      expect(await own({ indexed: 0, position: positions[0] ?? -1, isOwn: true })).to.deep.equal({
        kind: 'behind',
        missing: positions[0],
      });
    });

    it('passes a last event that graph or index refused', async () => {
      const ask = (unapplied: ReadonlySet<number>) =>
        createIndexStateAt({ ...opened, vectors: indexWith({}), outbox: { unapplied: async () => unapplied } })({
          indexed: 0,
          position: positions[0] ?? -1,
          isOwn: false,
        });
      expect(await ask(new Set())).to.deep.equal({ kind: 'behind', missing: positions[0] });
      expect(await ask(new Set(positions))).to.deep.equal({ kind: 'indexed' });
      const { id: eventId, subject, type, version } = stored(1);
      const letter = { eventId, subject, type, version, position: positions[0] ?? -1, reason: 'bad', attempts: 2 };
      await opened.deadLetters.add({ ...letter, projector: VECTOR_INDEXER, at: '2024-06-01T00:00:00+00:00' });
      expect(await ask(new Set())).to.deep.equal({ kind: 'indexed' });
    });

    it('reads the points after the saved positions', async () => {
      expect(await isIndexed({ 1: 1 }, 1)).to.equal(true);
      expect(await isIndexed({}, 1)).to.equal(false);
      expect(await isIndexed({ 1: 2, 2: 1 }, 4)).to.equal(true);
      expect(await isIndexed({ 1: 1, 2: 1 }, 4)).to.equal(false);
      expect(await isIndexed({ 1: 2 }, 4, positions[1]), 'saved positions are not read again').to.equal(true);
    });

    it('counts a deletion as indexed when the point is gone', async () => {
      expect(await isIndexed({ 1: 2 }, 5)).to.equal(true);
      expect(await isIndexed({ 1: 2, 2: 1 }, 5)).to.equal(false);
    });

    it('reads no points for association events', async () => {
      expect(await isIndexed({}, 3, positions[1])).to.equal(true);
    });

    it('is behind while the index does not answer', async () => {
      const versions = () => Promise.reject(new DependencyError('vectors', 'down'));
      expect(
        await createIndexStateAt({ ...opened, vectors: { versions } })({ indexed: 0, position: 1, isOwn: true }),
      ).to.have.property('kind', 'behind');
    });

    it('uses only the saved positions when too many events follow', async () => {
      const many = await opened.append(Array.from({ length: 1_050 }, (_, index) => stored(index + 10)));
      const versions = async (ids: readonly MemoryId[]) => new Map(ids.map((id) => [id, 9]));
      const last = many.at(-1)?.position ?? -1;
      const ask = createIndexStateAt({ ...opened, vectors: { versions } });
      expect(await ask({ indexed: positions[4] ?? -1, position: last, isOwn: true })).to.have.property(
        'kind',
        'behind',
      );
      expect(await ask({ indexed: many[60]?.position ?? -1, position: last, isOwn: true })).to.have.property(
        'kind',
        'indexed',
      );
    });

    it('reports a dead-lettered memory, also at saved positions', async () => {
      const { id: eventId, subject, type, version } = stored(1);
      const letter = { eventId, subject, type, version, position: positions[0] ?? -1, reason: 'bad', attempts: 2 };
      await opened.deadLetters.add({ ...letter, projector: VECTOR_INDEXER, at: '2024-06-01T00:00:00+00:00' });
      expect(await stateAt({}, 1)).to.have.property('kind', 'dead_lettered');
      expect(await stateAt({}, 1, positions[4])).to.have.property('kind', 'dead_lettered');
      expect(await stateAt({ 1: 1 }, 1, positions[4]), 'a later attempt succeeded').to.have.property('kind', 'indexed');
      expect(await stateAt({}, 2, positions[4]), 'another memory').to.have.property('kind', 'indexed');
    });

    it('answers reads that wait at the same time together', async () => {
      const reads: string[] = [];
      const journal = noting(opened.journal, 'read', reads);
      const vectors = noting(indexWith({ 1: 2, 2: 1 }), 'versions', reads);
      const at = createIndexStateAt({ ...opened, journal, vectors });
      const asked = Array.from({ length: 100 }, (_, index) => positions[index % 5] ?? -1);
      const states = await Promise.all(asked.map((position) => at({ indexed: 0, position, isOwn: true })));
      expect(states.slice(-5).map(({ kind }) => kind)).to.deep.equal([...Array(4).fill('indexed'), 'behind']);
      expect(reads).to.deep.equal(['read', 'versions', 'read', 'versions', 'read']);
    });
  });
}

/** The port, which notes each call of this method. */
function noting<P extends object, M extends string & keyof P>(port: P, method: M, calls: string[]): P {
  const call = port[method] as (...args: readonly unknown[]) => unknown; // every method of a port is a function
  return {
    ...port,
    [method]: (...args: readonly unknown[]) => {
      calls.push(method);
      return call(...args);
    },
  };
}
