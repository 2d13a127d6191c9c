/** The replay of the journal into an emptied or an older graph, in both compositions. */
import { expect } from 'chai';
import type { DerivedAssociation } from '../../../shared/contract/association.js';
import type { JournalMark } from '../../../shared/contract/envelope.js';
import type { NewEvent, RecordedEvent } from '../../../shared/contract/events.js';
import { beginMark, createCheckMark, createTrackMark } from '../../../shared/integrity/journal-mark/check-mark.js';
import { RuleError } from '../../../shared/kernel/errors.js';
import { MARKED_GRAPHS, type MarkedGraph } from '../../support/adapters/marked-graphs.js';
import { rejection } from '../../support/checks/rejection.js';
import { entityRecord, newEntityEvent } from '../../support/fixtures/entity-events.js';
import { associated, deleted, memory, numberedId, stored, updated } from '../../support/fixtures/events.js';

const FOREIGN = { journalId: '11111111-1111-4111-8111-111111111111', position: 1, eventId: 'other' };

for (const adapter of MARKED_GRAPHS) {
  describe(`replay (${adapter.name})`, () => {
    let pair: MarkedGraph;
    let history: readonly RecordedEvent[];
    beforeEach(async () => {
      pair = await adapter.open();
      await beginMark(pair);
      history = await pair.commit(HISTORY);
    });
    afterEach(() => pair.close());

    const check = () => createCheckMark(pair)();
    const track = () => createTrackMark(pair)();
    const whole = async () => ({ kind: 'same', position: (await pair.graph.read())?.position });

    it('rebuilds an emptied graph with derived sets and tombstones', async () => {
      const before = await contentOf(pair);
      await pair.emptyGraph();
      expect((await pair.replay()).found).to.equal('emptied');
      expect(await contentOf(pair)).to.deep.equal(before);
      expect(await check()).to.deep.equal(await whole());
    });

    it('changes nothing in a whole graph, or with a second replay', async () => {
      const before = await contentOf(pair);
      expect((await pair.replay()).found).to.equal('same');
      await pair.emptyGraph();
      await pair.replay();
      await pair.replay();
      expect(await contentOf(pair)).to.deep.equal(before);
    });

    it('gives positions to the memories of an earlier release', async () => {
      const before = await contentOf(pair);
      await pair.forgetPositions();
      expect(await contentOf(pair)).not.to.deep.equal(before);
      await pair.replay();
      expect(await contentOf(pair)).to.deep.equal(before);
    });

    it('brings an older graph to the state of the journal', async () => {
      const before = await contentOf(pair);
      await putBack(8);
      expect(await check()).to.include({ kind: 'put_back' });
      expect((await pair.replay()).found).to.equal('put_back');
      expect(await contentOf(pair)).to.deep.equal(before);
      expect(await check()).to.deep.equal(await whole());
    });

    it('finds lost events after later commands moved the mark', async () => {
      await putBack(3);
      expect(await track()).to.include({ kind: 'put_back' });
      await pair.commit([stored(20)]);
      expect(await check()).to.include({ kind: 'put_back' });
      await pair.replay();
      expect(await check()).to.deep.equal(await whole());
      expect(await versionsOf(pair)).to.deep.equal({ 1: 3, 2: 2, 3: 2, 6: 3, 7: 3, 9: 3, 20: 1 });
    });

    it('repairs an event below the mark that an older graph lacks', async () => {
      const before = await contentOf(pair);
      await pair.emptyGraph();
      await pair.prepare();
      await pair.apply(history.filter(({ subject }) => subject !== numberedId(2)));
      await pair.graph.begin(await markAt(history.length - 1));
      await pair.replay();
      expect(await contentOf(pair)).to.deep.equal(before);
    });

    it('continues after it was stopped in the middle', async () => {
      const many = Array.from({ length: 450 }, (_, index) => stored(100 + index));
      await pair.commit(many);
      const before = await contentOf(pair);
      await pair.emptyGraph();
      const stop = new AbortController();
      await rejection(pair.replay({ signal: stop.signal, onProgress: ({ events }) => events > 200 && stop.abort() }));
      expect(await check()).to.include({ kind: 'emptied' });
      expect((await pair.reader.counts({ excludedTypes: [] })).memories).to.be.within(100, 440);
      const { progress } = await pair.replay();
      expect(progress).to.include({ subjects: progress.totalSubjects });
      expect(await contentOf(pair)).to.deep.equal(before);
      expect(await check()).to.deep.equal(await whole());
    });

    it('refuses the graph of another journal before anything is written', async () => {
      await pair.emptyGraph();
      await pair.prepare();
      await pair.putMark(FOREIGN);
      const error = await rejection(pair.replay());
      expect(error).to.be.instanceOf(RuleError);
      expect(error.message).to.contain('Connect the graph and the journal that belong together');
      expect((await pair.reader.counts({ excludedTypes: [] })).memories).to.equal(0);
    });

    it('leaves out events that the committer applies itself', async () => {
      await pair.emptyGraph();
      const waiting = new Set(
        history.filter(({ subject }) => subject === numberedId(1)).map(({ position }) => position),
      );
      const [first = 0] = waiting;
      waiting.delete(first);
      await pair.replay({
        unapplied: (positions) => Promise.resolve(new Set(positions.filter((position) => waiting.has(position)))),
      });
      expect(await versionsOf(pair)).to.deep.include({ 1: 1, 2: 2 });
    });

    it('keeps the mark of an older graph until it is found', async () => {
      if (adapter.name === 'sqlite') return; // graph and journal are one file
      await track();
      await pair.commit([stored(20)]);
      await pair.graph.read();
      await putBack(3);
      await pair.commit([stored(21)]);
      expect((await pair.graph.read())?.position).to.equal(history[2]?.position);
      expect(await track()).to.include({ kind: 'put_back' });
      await pair.replay();
      expect(await track()).to.deep.equal(await whole());
      await pair.commit([stored(22)]);
      expect(await track()).to.deep.equal(await whole());
    });

    if (adapter.isShared) {
      it('finds a graph that was put back although another process moved its mark', async () => {
        const find = createTrackMark(pair);
        await find();
        await pair.commit([stored(20)]);
        await putBack(history.length);
        await pair.otherWriter(await pair.append([stored(21)]));
        expect(await check()).to.deep.equal(await whole());
        expect(await find()).to.include({ kind: 'put_back' });
        expect((await pair.journal.state()).behindFrom).to.equal(history.at(-1)?.position);
        await pair.replay();
        expect(await versionsOf(pair)).to.include({ 20: 1 });
        expect(await find()).to.deep.equal(await whole());
        await pair.commit([stored(22)]);
        expect(await find()).to.deep.equal(await whole());
      });

      it('finds it also when the other process moved the same node of the mark', async () => {
        const find = createTrackMark(pair);
        await find();
        await pair.commit([stored(20)]);
        await putBack(history.length);
        await pair.writerOfSameNode(await pair.append([stored(21)]));
        expect(await find()).to.include({ kind: 'put_back' });
        await pair.replay();
        expect(await versionsOf(pair)).to.include({ 20: 1 });
        expect(await find()).to.deep.equal(await whole());
      });

      it('finds it with the next transaction of the process whose changes are gone', async () => {
        const find = createTrackMark(pair);
        await find();
        await pair.commit([stored(20)]);
        await putBack(history.length);
        const [first, ...later] = await pair.append(Array.from({ length: 20 }, (_, index) => stored(30 + index)));
        if (first) await pair.otherWriter([first]);
        // More transactions than the graph has lost, so only the first of them shows it.
        for (const event of later) await pair.apply([event]);
        expect(await find()).to.include({ kind: 'put_back' });
      });

      it('fails for a graph that is emptied meanwhile, and is complete the next time', async () => {
        const before = await contentOf(pair);
        await pair.emptyGraph();
        const { applyReplayed: apply, prepare } = pair;
        async function begin(mark: JournalMark): Promise<void> {
          await pair.emptyGraph();
          await prepare();
          await pair.graph.begin(mark);
        }
        const error = await rejection(pair.replay({ graph: { ...pair.graph, apply, prepare, begin } }));
        expect(error.message).to.contain('emptied or put back during its rebuild');
        expect(await check()).to.include({ kind: 'put_back', refusesCommands: false });
        await pair.replay();
        expect(await contentOf(pair)).to.deep.equal(before);
        expect(await check()).to.deep.equal(await whole());
      });

      it('fails for a whole graph that is put back meanwhile', async () => {
        const { prepare } = pair;
        async function apply(events: readonly RecordedEvent[]): Promise<void> {
          await pair.putMark(await markAt(2));
          await pair.applyReplayed(events);
        }
        const error = await rejection(pair.replay({ graph: { ...pair.graph, apply, prepare } }));
        expect(error.message).to.contain('emptied or put back during its rebuild');
        expect(await check()).to.include({ kind: 'put_back' });
      });

      it('is run again for a graph that was put back to a moment of a replay', async () => {
        await pair.graph.beginReplay('11111111-1111-4111-8111-111111111111');
        expect(await check()).to.include({ kind: 'put_back', refusesCommands: false });
        expect((await pair.replay()).found).to.equal('put_back');
        expect(await check()).to.deep.equal(await whole());
      });
    }

    async function markAt(index: number) {
      const event = history[index];
      if (!event) throw new Error(`The history has no event ${index}`);
      return { journalId: (await pair.journal.state()).id, position: event.position, eventId: event.id };
    }

    /** The graph of an earlier time, with the first events of the history. */
    async function putBack(events: number): Promise<void> {
      const mark = await markAt(events - 1);
      await pair.emptyGraph();
      await pair.prepare();
      await pair.apply(history.slice(0, events));
      await pair.putMark(mark);
    }
  });
}

/**
 * Memories 1 to 8: changed after their enrichment, deleted, and returned before and after an enrichment that derived
 * associations to them.
 */
const HISTORY: readonly NewEvent[] = [
  stored(1),
  stored(2),
  stored(3),
  enriched(1, 2, [derived(2), derived(3)]),
  stored(4),
  associated(1, 2),
  associated(2, 3),
  associated(1, 4),
  updated(1, 3, { importance: 0.9 }),
  associated(1, 2, { version: 2, strength: 0.8 }),
  deleted(4, 2),
  stored(6),
  stored(7),
  enriched(3, 2, [derived(6), derived(7)]),
  deleted(6, 2),
  returned(6, 3),
  deleted(7, 2),
  returned(7, 3),
  stored(8),
  deleted(8, 2),
  enriched(2, 2, [derived(6)]),
  stored(9),
  clusterChanged(9, 2, [1, 2]),
  updated(9, 3, { importance: 0.2 }),
  newEntityEvent(entityRecord('people', 'ann'), 1),
  newEntityEvent(entityRecord('people', 'ann', { aliases: ['anna'] }), 2),
];

function enriched(number: number, version: number, set: readonly DerivedAssociation[]): NewEvent {
  const event = updated(number, version, { enriched: true });
  const data = { memory: memory(number, { enriched: true }), vectorRef: null, changed: ['enriched'], derived: set };
  return { ...event, type: 'memory.enriched', data } as NewEvent; // the type and the data belong together
}

function clusterChanged(number: number, version: number, members: readonly number[]): NewEvent {
  const set = members.map((member) => ({ ...derived(member), type: 'SUMMARIZES' as const }));
  const data = { memory: memory(number), vectorRef: null, changed: [], reason: 'It grew', derived: set };
  return { ...updated(number, version), type: 'memory.cluster.changed', data } as NewEvent; // as above
}

function returned(number: number, version: number): NewEvent {
  return { ...stored(number), id: updated(number, version).id, version } as NewEvent; // a stored event of a later version
}

function derived(target: number): DerivedAssociation {
  return { target: numberedId(target), type: 'SIMILAR_TO', strength: 0.9, properties: {} };
}

const NUMBERS = [1, 2, 3, 4, 6, 7, 8, 9, 20, ...Array.from({ length: 450 }, (_, index) => 100 + index)];

/** What the reads of a graph return for all memories of the test. */
async function contentOf({ reader }: MarkedGraph) {
  const ids = NUMBERS.map(numberedId);
  const relations = await reader.relations({ ids: ids.slice(0, 9), direction: 'outgoing', limit: 100 });
  return {
    memories: await reader.memories(ids),
    entities: await reader.entities([{ category: 'people', slug: 'ann' }]),
    tombstones: [...(await reader.tombstones(ids))].sort(),
    relations: [...relations].map(([id, found]) => [
      id,
      found.map(({ type, strength, updated_at: updatedAt, memory: { id: other } }) => ({
        type,
        strength,
        updatedAt,
        other,
      })),
    ]),
    counts: await reader.counts({ excludedTypes: [] }),
  };
}

async function versionsOf({ reader }: MarkedGraph): Promise<Readonly<Record<number, number>>> {
  const found = await reader.memories(NUMBERS.map(numberedId));
  return Object.fromEntries(found.map(({ memory: { id }, version }) => [Number(id.slice(-12)), version]));
}
