/** The comparison of journal, graph and index finds each planted difference and nothing else. */
import { expect } from 'chai';
import { associationSubject } from '../../../shared/contract/association.js';
import type { NewEvent, RecordedEvent } from '../../../shared/contract/events.js';
import { VECTOR_INDEXER } from '../../../shared/contract/projector-names.js';
import { compareStores, type StoreComparison } from '../../../shared/integrity/comparison/compare-stores.js';
import type { DifferenceKind } from '../../../shared/integrity/comparison/differences.js';
import { pointPayload } from '../../../shared/ports/point-payload.js';
import type { Point } from '../../../shared/ports/vectors.js';
import { GRAPH_ADAPTERS, type OpenGraph } from '../../support/adapters/graphs.js';
import { JOURNAL_ADAPTERS, type OpenJournal } from '../../support/adapters/journals.js';
import { type OpenIndex, VECTOR_ADAPTERS } from '../../support/adapters/vector-indexes.js';
import { associated, deleted, memory, numberedId, stored, updated } from '../../support/fixtures/events.js';

const MODEL = 'test-model';
const MEMORIES = 5;
const COMPOSITIONS = JOURNAL_ADAPTERS.flatMap((journal, index) => {
  const [graph, vectors] = [GRAPH_ADAPTERS[index], VECTOR_ADAPTERS[index]];
  return graph && vectors ? [{ name: `${journal.name}, ${graph.name}, ${vectors.name}`, journal, graph, vectors }] : [];
});

for (const composition of COMPOSITIONS) {
  describe(`comparison: ${composition.name}`, () => {
    let journal: OpenJournal;
    let graph: OpenGraph;
    let vectors: OpenIndex;
    /** Events that the graph lacks on purpose. */
    let pending: ReadonlySet<number>;

    beforeEach(async () => {
      [journal, graph, vectors] = await Promise.all([
        composition.journal.open(),
        composition.graph.open(),
        composition.vectors.open(3),
      ]);
      pending = new Set();
      const numbers = Array.from({ length: MEMORIES }, (_, index) => index + 1);
      await commit([...numbers.map((number) => stored(number)), associated(1, 2), associated(2, 3)]);
      await commit([updated(4, 2, { content: 'changed' }), deleted(5, 2)]);
    });
    afterEach(() => Promise.all([journal.close(), graph.close(), vectors.close()]));

    /** Writes to all three stores, as the service does. */
    async function commit(events: readonly NewEvent[]): Promise<readonly RecordedEvent[]> {
      const recorded = await journal.append(events);
      await graph.writer.apply(recorded);
      for (const event of recorded) {
        if (event.type === 'memory.deleted')
          await vectors.index.remove([{ id: numberedId(5), version: event.version }]);
        else if (event.data !== null && 'memory' in event.data) await vectors.index.upsert([pointFor(event)]);
      }
      return recorded;
    }

    function pointFor(event: RecordedEvent, changed: Partial<Point> = {}): Point {
      if (event.data === null || !('memory' in event.data)) throw new TypeError(`${event.type} has no memory`);
      const { memory } = event.data;
      const vector = Float32Array.of(1, 2, 3);
      return { id: memory.id, version: event.version, vector, model: MODEL, payload: pointPayload(memory), ...changed };
    }

    async function plantInGraphAndIndex(event: NewEvent, changed: Partial<Point> = {}): Promise<void> {
      await graph.writer.apply([recordedLike(event)]);
      await vectors.index.upsert([pointFor(recordedLike(event), changed)]);
    }

    const compare = (settleMs = 0): Promise<StoreComparison> =>
      compareStores(
        {
          journal: journal.journal,
          deadLetters: journal.deadLetters,
          graph: graph.reader,
          scan: graph.scan,
          points: vectors.index,
          outbox: { unapplied: async (positions) => new Set(positions.filter((position) => pending.has(position))) },
          model: MODEL,
          excludedTypes: ['MetaPattern'],
        },
        { settleMs, signal: new AbortController().signal },
      );

    it('finds no difference in equal stores', async () => {
      expect(await compare()).to.deep.equal({ subjects: 7, points: 4, differences: [], known: [], isCut: false });
    });

    it('ignores a recorded access', async () => {
      await graph.writer.recordAccess([numberedId(1)], '2030-01-01T00:00:00.000000+00:00');
      expect((await compare()).differences).to.deep.equal([]);
    });

    const LINK = subjectOf(1, 2);
    const planted: Readonly<
      Record<string, { plant: () => Promise<unknown>; found: readonly [DifferenceKind, string][] }>
    > = {
      'a memory that graph and index lack': {
        plant: () => journal.append([stored(6)]),
        found: [['graph lacks', numberedId(6)]],
      },
      'a memory that is older in graph and index': {
        plant: () => journal.append([updated(1, 2)]),
        found: [['graph is older', numberedId(1)]],
      },
      'a memory that is newer in graph and index': {
        plant: () => graph.writer.apply([recordedLike(updated(1, 2))]),
        found: [
          ['graph is newer', numberedId(1)],
          ['index is older', numberedId(1)],
        ],
      },
      'a deletion that the graph lacks': {
        plant: () => journal.append([deleted(2, 2)]),
        found: [['graph has extra', numberedId(2)]],
      },
      'a memory that only the graph has': {
        plant: () => graph.writer.apply([recordedLike(stored(9))]),
        found: [
          ['graph has extra', numberedId(9)],
          ['index lacks', numberedId(9)],
        ],
      },
      'an association that the graph lacks': {
        plant: () => journal.append([associated(1, 3)]),
        found: [['graph lacks', subjectOf(1, 3)]],
      },
      'an association that is older in the graph': {
        plant: () => journal.append([associated(1, 2, { version: 2 })]),
        found: [['graph is older', LINK]],
      },
      'an association that only the graph has': {
        plant: () => graph.writer.apply([recordedLike(associated(3, 1))]),
        found: [['graph has extra', subjectOf(3, 1)]],
      },
      'a point that is missing': {
        plant: () => vectors.index.remove([{ id: numberedId(1), version: 1_000 }]),
        found: [['index lacks', numberedId(1)]],
      },
      'a point without a memory': {
        plant: () => vectors.index.upsert([pointFor(recordedLike(stored(8)))]),
        found: [['index has extra', numberedId(8)]],
      },
      'content that differs in the graph': {
        plant: async () => {
          await journal.append([stored(6)]);
          await plantInGraphAndIndex(stored(6, { content: 'other' }));
        },
        found: [['graph differs', numberedId(6)]],
      },
      'a filter field that differs in the index': {
        plant: async () => {
          await journal.append([stored(6)]);
          await plantInGraphAndIndex(stored(6), { payload: pointPayload(memory(6, { importance: 0.9 })) });
        },
        found: [['index differs', numberedId(6)]],
      },
      'a vector of another model': {
        plant: async () => {
          await journal.append([stored(6)]);
          await plantInGraphAndIndex(stored(6), { model: 'another-model' });
        },
        found: [['index has another model', numberedId(6)]],
      },
      'a point with another version': {
        plant: () => vectors.index.upsert([pointFor(recordedLike(updated(1, 7)))]),
        found: [['index is newer', numberedId(1)]],
      },
    };
    for (const [name, { plant, found }] of Object.entries(planted)) {
      it(`finds only ${name}`, async () => {
        await plant();
        const { differences } = await compare();
        expect(differences.map(({ kind, subject }) => [kind, subject])).to.have.deep.members(found);
      });
    }

    it('leaves out points of types that recall never shows', async () => {
      const lacking = await journal.append([stored(6, { type: 'MetaPattern' })]);
      await graph.writer.apply(lacking);
      await vectors.index.upsert([pointFor(recordedLike(stored(8, { type: 'MetaPattern' })))]);
      expect((await compare()).differences).to.deep.equal([]);
    });

    it('separates what the service knows', async () => {
      const [unapplied] = await journal.append([stored(6)]);
      pending = new Set([unapplied?.position ?? 0]);
      const [lettered] = await journal.append([stored(7)]);
      if (!lettered) throw new Error('One event was appended');
      await graph.writer.apply([lettered]);
      const { id: eventId, subject, type, version, position } = lettered;
      await journal.deadLetters.add({
        ...{ projector: VECTOR_INDEXER, eventId, subject, type, version, position },
        ...{ reason: 'bad', attempts: 2, at: '2024-06-01T00:00:00+00:00' },
      });
      const { differences, known } = await compare();
      expect(differences).to.deep.equal([]);
      expect(known).to.have.deep.members([
        { kind: 'graph lacks', subject: numberedId(6) },
        { kind: 'index lacks', subject: numberedId(7) },
      ]);
    });

    it('waits for a write under way', async () => {
      const recorded = await journal.append([stored(6)]);
      const comparing = compare(10_000);
      await graph.writer.apply(recorded);
      await vectors.index.upsert(recorded.map((event) => pointFor(event)));
      expect((await comparing).differences).to.deep.equal([]);
    });
  });
}

/** An event that the journal does not have. */
function recordedLike(event: NewEvent): RecordedEvent {
  return { ...event, position: 1_000_000 } as RecordedEvent; // a recorded event is an event with its position
}

function subjectOf(source: number, target: number): string {
  return associationSubject({ source: numberedId(source), type: 'RELATES_TO', target: numberedId(target) });
}
