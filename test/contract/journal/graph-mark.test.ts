/** The mark by which a graph and a journal that do not belong together are recognized, in both compositions. */
import { expect } from 'chai';
import { beginMark, createCheckMark, createTrackMark } from '../../../shared/integrity/journal-mark/check-mark.js';
import type { MarkFinding } from '../../../shared/integrity/journal-mark/mark-findings.js';
import { DependencyError, messageOf } from '../../../shared/kernel/errors.js';
import { MARKED_GRAPHS, type MarkedGraph } from '../../support/adapters/marked-graphs.js';
import { rejection } from '../../support/checks/rejection.js';
import { numberedId, stored, updated } from '../../support/fixtures/events.js';

const OTHER_JOURNAL = '11111111-1111-4111-8111-111111111111';

for (const adapter of MARKED_GRAPHS) {
  describe(`mark of the graph (${adapter.name})`, () => {
    let pair: MarkedGraph;
    beforeEach(async () => {
      pair = await adapter.open();
    });
    afterEach(() => pair.close());

    const check = (): Promise<MarkFinding> => createCheckMark(pair)();
    const whole = async () => ({ kind: 'same', position: (await pair.graph.read())?.position });
    const commit = (...numbers: readonly number[]) => pair.commit(numbers.map((number) => stored(number)));

    it('is made for a new graph and follows each applied event', async () => {
      await beginMark(pair);
      const { id } = await pair.journal.state();
      expect(id).to.match(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/u);
      expect(await pair.graph.read()).to.deep.include({ journalId: id, position: 0, eventId: null });
      await commit(1, 2);
      const { head } = await pair.journal.state();
      expect(await pair.graph.read()).to.deep.include({
        journalId: id,
        position: head,
        eventId: (await pair.journal.eventIdsAt([head])).get(head),
      });
      expect(await check()).to.deep.equal(await whole());
    });

    it('is kept by a second start', async () => {
      await beginMark(pair);
      await commit(1);
      const before = await pair.graph.read();
      await beginMark(pair);
      expect(await pair.graph.read()).to.deep.equal(before);
    });

    it('is made for the graph of an earlier release', async () => {
      await commit(1, 2);
      expect(await check()).to.deep.equal({ kind: 'unmarked' });
      await beginMark(pair);
      expect(await check()).to.deep.equal(await whole());
    });

    it('is missing in an emptied graph, also after a start', async () => {
      await beginMark(pair);
      await commit(1);
      await pair.emptyGraph();
      expect(await check()).to.include({ kind: 'emptied', refusesCommands: false });
      await commit(2);
      await beginMark(pair);
      expect(await check()).to.include({ kind: 'emptied' });
    });

    it('is missing in a graph that was emptied before the upgrade', async () => {
      await commit(1);
      await pair.emptyGraph();
      await beginMark(pair);
      expect(await check()).to.include({ kind: 'emptied' });
    });

    it('names another journal in the graph of another deployment', async () => {
      await beginMark(pair);
      await pair.putMark({ journalId: OTHER_JOURNAL, position: 7, eventId: 'other' });
      const finding = await check();
      expect(finding).to.include({ kind: 'replaced', refusesCommands: true });
      expect('problem' in finding && finding.problem).to.contain('belongs to journal 11111111-');
    });

    it('shows a journal that went back, also after its next events', async () => {
      await beginMark(pair);
      await commit(1);
      const { head } = await pair.journal.state();
      await commit(2);
      const mark = await pair.graph.read();
      await pair.cutJournal(head);
      const finding = await check();
      expect(finding).to.include({ kind: 'journal_went_back', refusesCommands: true });
      expect('problem' in finding && finding.problem).to.contain(`ends at position ${head}`);
      if (mark === null) expect.fail('no mark');
      await pair.putMark({ ...mark, position: head });
      expect(await check()).to.include({ kind: 'journal_went_back' });
    });

    it('shows it by an event that a process saw, also without a graph', async () => {
      await beginMark(pair);
      const [kept, lost] = await commit(1, 2);
      if (!kept || !lost) expect.fail('no events');
      const { memory, journal, graph } = pair;
      const { id: journalId } = await journal.state();
      const seen = { position: lost.position, eventId: lost.id, journalId };
      await journal.saveLost({ ...seen, journalId: OTHER_JOURNAL });
      expect((await journal.state()).lost).to.equal(null);
      const witness = { event: () => seen, saw: () => undefined };
      const track = createTrackMark({ journal, graph, memory, witness });
      expect(await track()).to.deep.equal(await whole());
      await pair.cutJournal(kept.position);
      await pair.emptyGraph();
      expect(await track()).to.include({ kind: 'journal_went_back', refusesCommands: true });
      const down = { read: () => Promise.reject(new DependencyError('graph', 'Graph database unavailable')) };
      const other = createTrackMark({ journal, graph: down, memory });
      expect(await other()).to.include({ kind: 'journal_went_back', refusesCommands: true });
    });

    if (adapter.isShared)
      it('rolls back events of a writer of another journal', async () => {
        await beginMark(pair);
        const [first] = await commit(1);
        if (!first) expect.fail('no event');
        await createTrackMark(pair)();
        await pair.putMark({ journalId: OTHER_JOURNAL, position: first.position, eventId: first.id });
        const mark = await pair.graph.read();
        const later = await pair.append([updated(1, 2), stored(2)]);
        for (const apply of [pair.apply, pair.applyReplayed]) {
          const error = await rejection(apply(later));
          expect(error).to.be.instanceOf(DependencyError);
          expect(messageOf(error)).to.contain('another history of the journal');
        }
        expect(await pair.graph.read()).to.deep.equal(mark);
        const found = await pair.reader.memories([1, 2].map(numberedId));
        expect(found.map(({ memory: { id }, version }) => [id, version])).to.deep.equal([[numberedId(1), 1]]);
      });

    if (adapter.isShared)
      it('shows it also when another process moved the mark', async () => {
        await beginMark(pair);
        await commit(1);
        const { head } = await pair.journal.state();
        const [, lost] = await commit(2, 3);
        await pair.cutJournal(head);
        await pair.otherWriter(await pair.append([stored(4)]));
        expect((await pair.graph.read())?.position).to.be.greaterThan(lost?.position ?? Infinity);
        expect(await check()).to.include({ kind: 'journal_went_back', refusesCommands: true });
        await pair.journal.beginHistory();
        expect(await check()).to.include({ kind: 'replaced', refusesCommands: true });
      });

    it('shows a graph that was put back to an earlier state', async () => {
      await beginMark(pair);
      await commit(1);
      const earlier = await pair.graph.read();
      await commit(2);
      if (earlier === null) expect.fail('no mark');
      await pair.putMark(earlier);
      expect(await check()).to.include({ kind: 'put_back', refusesCommands: false });
    });
  });
}
