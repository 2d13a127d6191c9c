import { expect } from 'chai';
import { readComparison } from '../../../shared/integrity/journal-mark/check-mark.js';
import type { Comparison } from '../../../shared/integrity/journal-mark/mark-findings.js';
import { graphFinding, indexFinding } from '../../../shared/integrity/journal-mark/mark-findings.js';

const JOURNAL = {
  id: 'journal-a',
  head: 9,
  applied: 9,
  hasMarkedGraph: true,
  behindFrom: null,
  lost: null,
  rebuild: null,
};
const MARK = { journalId: 'journal-a', position: 7, eventId: 'seven' };

const check = (overrides: Partial<Comparison> = {}) =>
  indexFinding({ mark: MARK, journal: JOURNAL, lost: null, ...overrides });

describe('comparison of index and journal', () => {
  it('finds nothing for the index of this journal', () => {
    expect(check()).to.deep.equal({ kind: 'same' });
    const isBehind = { ...MARK, position: 1 };
    expect(check({ mark: isBehind })).to.deep.equal({ kind: 'same' });
  });

  it('finds nothing for an index without a mark', () => {
    expect(check({ mark: null })).to.deep.equal({ kind: 'unmarked' });
  });

  it('finds an index of another journal', () => {
    expect(check({ mark: { ...MARK, journalId: 'journal-b' } })).to.deep.equal({
      kind: 'replaced',
      problem:
        'The vector index belongs to journal journal-b, but the connected journal is journal-a: one of the two was replaced. ' +
        'Indexing waits. Connect the vector index and the journal that belong together',
    });
  });

  it('finds a journal that went back, also after it went on', () => {
    const lost = { position: 7, eventId: 'seven', found: null };
    expect(check({ journal: { ...JOURNAL, head: 5 }, lost })).to.deep.equal({
      kind: 'journal_went_back',
      problem:
        'The journal went back in time: event seven was committed at position 7, and the journal has none there and ends at position 5. ' +
        'Indexing waits. Connect the newer copy of the journal. Or accept that later writes are lost: `npx palimpsest verify` lists them in the vector index, ' +
        'and `npx palimpsest rebuild history` makes the stores from the present journal',
    });
    const finding = check({ lost: { ...lost, found: 'another seven' } });
    expect('problem' in finding && finding.problem).to.contain('the journal has another event there');
  });

  it('finds an emptied graph when the journal lacks no event', () => {
    const journal = { ...JOURNAL, lost: { position: 7, eventId: 'seven' } };
    expect(graphFinding({ mark: null, journal, lost: null })).to.include({ kind: 'emptied' });
  });

  it('finds a graph with an unfinished rebuild at any position', () => {
    const mark = { ...MARK, position: 9, replayId: 'a-replay' };
    const finding = graphFinding({ mark, journal: JOURNAL, lost: null });
    expect(finding).to.include({ kind: 'put_back', refusesCommands: false });
    expect('problem' in finding && finding.problem).to.contain('a rebuild of it has not ended');
    expect(graphFinding({ mark: { ...mark, replayId: null }, journal: JOURNAL, lost: null }).kind).to.equal('same');
  });

  it('finds a journal that went back also for an emptied store', () => {
    expect(check({ mark: null, lost: { position: 7, eventId: 'seven', found: null } })).to.include({
      kind: 'journal_went_back',
    });
  });
});

const READER = {
  state: async () => JOURNAL,
  eventIdsAt: async (positions: readonly number[]) => new Map(positions.map((at) => [at, `event-${at}`])),
};
const mark = (position: number, eventId: string) => ({ journalId: 'journal-a', position, eventId });

describe('comparison of a mark that moves', () => {
  it('finds no lost event in two halves of two marks', async () => {
    const reads = [mark(4, 'event-6'), mark(6, 'event-8'), mark(8, 'event-8')];
    const store = { read: async () => reads.shift() ?? null };
    expect(await readComparison({ journal: READER, store })).to.deep.include({ mark: mark(8, 'event-8'), lost: null });
  });

  it('finds a store that was put back, also after its next event', async () => {
    const saved = { ...JOURNAL, head: 10, applied: 10, behindFrom: 3 };
    const states = [JOURNAL, saved];
    const journal = { ...READER, state: async () => states.shift() ?? saved };
    const comparison = await readComparison({ journal, store: { read: async () => mark(10, 'event-10') } });
    expect(graphFinding(comparison)).to.include({ kind: 'put_back' });
  });

  it('finds an event that the journal lacks in a second read', async () => {
    let reads = 0;
    const store = {
      read: async () => {
        reads += 1;
        return mark(8, 'lost');
      },
    };
    const { lost } = await readComparison({ journal: READER, store });
    expect(lost).to.deep.equal({ position: 8, eventId: 'lost', found: 'event-8' });
    expect(reads).to.equal(2);
  });
});
