/** What must be so after everything has settled, whatever broke on the way: the graph shows what the journal says, and nothing else. */
import { expect } from 'chai';
import type { RecordedEvent } from '../../shared/contract/events.js';
import type { MemoryId } from '../../shared/contract/memory.js';
import type { JournalReader } from '../../shared/journal/journal.js';
import type { GraphReader } from '../../shared/graph/graph.js';
import { until } from './until.js';
import type { OutboxProcess } from './outbox.js';

const PAGE = 1_000;

export async function wholeJournal(journal: JournalReader): Promise<readonly RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for (;;) {
    const page = await journal.read({ after: events.at(-1)?.position ?? 0, limit: PAGE });
    events.push(...page);
    if (page.length < PAGE) return events;
  }
}

/** Waits until nothing is pending, then compares; answers the journal. */
export async function expectGraphToShowJournal(
  { committer, journal }: OutboxProcess,
  graph: GraphReader,
): Promise<readonly RecordedEvent[]> {
  await until('nothing is pending', async () => (await committer.pending()) === 0);
  const events = await wholeJournal(journal);
  const last = new Map<string, RecordedEvent>();
  for (const event of events) {
    expect(event.version, `${event.subject} has no hole and nothing twice`).to.equal(
      (last.get(event.subject)?.version ?? 0) + 1,
    );
    last.set(event.subject, event);
  }
  const present = [...last.values()].filter((event) => event.data !== null && event.type !== 'memory.deleted');
  const memories = present.filter(({ subject }) => !subject.includes('|'));
  for (let from = 0; from < memories.length; from += PAGE)
    await expectMemories(memories.slice(from, from + PAGE), graph);
  for (const event of present) if (event.type.startsWith('association.')) await expectAssociation(event, graph);
  expect(await graph.counts({ excludedTypes: [] })).to.deep.include({
    memories: memories.length,
    associations: present.length - memories.length,
  });
  return events;
}

async function expectMemories(events: readonly RecordedEvent[], graph: GraphReader): Promise<void> {
  const shown = await graph.memories(events.map(({ subject }) => subject as MemoryId));
  const said = events.map(({ data, version }) => ({ memory: data && 'memory' in data ? data.memory : null, version }));
  expect(shown.map(({ memory, version }) => ({ memory, version }))).to.deep.equal(said);
}

async function expectAssociation({ data, subject, version }: RecordedEvent, graph: GraphReader): Promise<void> {
  if (!data || !('association' in data)) throw new Error(`No association in the event of ${subject}`);
  const [shown] = await graph.associations([data.association]);
  expect(shown?.version, subject).to.equal(version);
}
