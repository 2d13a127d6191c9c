/** Checks the state after all commits have settled: the graph holds exactly the content of the journal. */
import { expect } from 'chai';
import type { RecordedEvent } from '../../../shared/contract/events.js';
import type { MemoryId } from '../../../shared/contract/memory.js';
import type { GraphReader } from '../../../shared/ports/graph.js';
import type { JournalReader } from '../../../shared/ports/journal.js';
import type { OutboxProcess } from '../adapters/outbox-setup.js';
import { until } from './until.js';

const PAGE = 1_000;

export async function readWholeJournal(journal: JournalReader): Promise<readonly RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for (;;) {
    const page = await journal.read({ after: events.at(-1)?.position ?? 0, limit: PAGE });
    events.push(...page);
    if (page.length < PAGE) return events;
  }
}

/** Waits until no commit is pending, compares graph and journal, and resolves with the journal. */
export async function expectGraphMatchesJournal(
  { committer, journal }: OutboxProcess,
  graph: GraphReader,
): Promise<readonly RecordedEvent[]> {
  await until('no commit is pending', async () => (await committer.pending()) === 0);
  const events = await readWholeJournal(journal);
  const last = new Map<string, RecordedEvent>();
  for (const event of events) {
    expect(event.version, `${event.subject} has no gap and no repeated version`).to.equal(
      (last.get(event.subject)?.version ?? 0) + 1,
    );
    last.set(event.subject, event);
  }
  const present = [...last.values()].filter((event) => event.data !== null && event.type !== 'memory.deleted');
  const memories = present.filter(({ type }) => type.startsWith('memory.'));
  const associations = present.filter(({ type }) => type.startsWith('association.'));
  for (let from = 0; from < memories.length; from += PAGE)
    await expectMemories(memories.slice(from, from + PAGE), graph);
  for (const event of associations) await expectAssociation(event, graph);
  expect(await graph.counts({ excludedTypes: [] })).to.deep.include({
    memories: memories.length,
    associations: associations.length,
  });
  return events;
}

async function expectMemories(events: readonly RecordedEvent[], graph: GraphReader): Promise<void> {
  const actual = await graph.memories(events.map(({ subject }) => subject as MemoryId));
  const expected = events.map(({ data, version }) => ({
    memory: data && 'memory' in data ? data.memory : null,
    version,
  }));
  expect(actual.map(({ memory, version }) => ({ memory, version }))).to.deep.equal(expected);
}

async function expectAssociation({ data, subject, version }: RecordedEvent, graph: GraphReader): Promise<void> {
  if (!data || !('association' in data)) throw new Error(`The event of ${subject} has no association`);
  const [actual] = await graph.associations([data.association]);
  expect(actual?.version, subject).to.equal(version);
}
