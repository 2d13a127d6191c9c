/** What a deletion must erase (decision 9): the data of earlier events, and each copy of the words. Pure. */
import type { JournalRow } from './postgres/tables.js';
import type { GraphState } from './stores/graph-state.js';
import type { TopicRecord, Violation } from './violation.js';

type Deletion = { readonly subject: string; readonly position: number };
const INVARIANT = 'erased words are nowhere';

/** Events below the deletion that have data: those of the memory, and of associations that have it as an end. */
export function keptWords(
  rows: readonly Pick<JournalRow, 'position' | 'subject' | 'type' | 'data'>[],
  { subject, position }: Deletion,
): readonly Violation[] {
  return rows
    .filter((row) => row.data !== null && row.position < position && row.subject.split('|').includes(subject))
    .map((row) => ({
      invariant: INVARIANT,
      found: `the journal has the data of position ${row.position} (${row.type}), and position ${position} deletes ${subject}`,
      about: subject,
    }));
}

/** Looks for the published words of deleted memories in the tables of Postgres and in the graph. */
export function copiedWords({
  deleted,
  records,
  tables,
  graph,
}: {
  readonly deleted: ReadonlySet<string>;
  readonly records: readonly TopicRecord[];
  /** The rows of each table. */
  readonly tables: ReadonlyMap<string, readonly object[]>;
  /** Null while the graph may lack the deletions. */
  readonly graph: GraphState | null;
}): readonly Violation[] {
  const places = [...tables].map(([name, rows]) => ({ place: `table ${name}`, text: JSON.stringify(rows) }));
  if (graph) places.push({ place: 'the graph', text: JSON.stringify([...graph.nodes.values()]) });
  const words = new Map(records.flatMap(({ event }) => (deleted.has(event.subject) ? wordsOf(event) : [])));
  return [...words].flatMap(([content, subject]) =>
    places
      .filter(({ text }) => text.includes(content))
      .map(({ place }) => ({
        invariant: INVARIANT,
        found: `${place} has "${content}" of ${subject}, which is deleted`,
        about: subject,
      })),
  );
}

function wordsOf({ subject, data }: TopicRecord['event']): readonly (readonly [content: string, subject: string])[] {
  const content = (data as { readonly memory?: { readonly content: string } } | null)?.memory?.content;
  return content === undefined ? [] : [[content, subject]];
}
