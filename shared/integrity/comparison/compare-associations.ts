/**
 * Compares given associations of callers in the journal and the graph. Derived associations are left out: the journal
 * has no events of them alone.
 */
import { type AssociationKey, associationSubject } from '../../contract/association.js';
import type { EventType, RecordedEvent } from '../../contract/events.js';
import type { GraphReader, LoadedAssociation } from '../../ports/graph.js';
import type { JournalReader } from '../../ports/journal.js';
import { newestOf } from './compare-memories.js';
import { type Difference, type DifferenceKind, isSameContent } from './differences.js';

const ASSOCIATION_EVENTS = ['association.created', 'association.updated'] as const satisfies readonly EventType[];

type Stores = {
  readonly journal: Pick<JournalReader, 'lastOf'>;
  readonly graph: Pick<GraphReader, 'memories' | 'associations'>;
};

/** At most 500 keys in one call. */
export async function compareAssociations(
  { journal, graph }: Stores,
  keys: readonly AssociationKey[],
): Promise<readonly Difference[]> {
  const ends = [...new Set(keys.flatMap(({ source, target }) => [source, target]))];
  const [events, found, memories] = await Promise.all([
    journal.lastOf({ subjects: keys.map(associationSubject), types: ASSOCIATION_EVENTS }),
    graph.associations(keys),
    graph.memories(ends),
  ]);
  const last = newestOf(events);
  const loaded = new Map(found.map((one) => [associationSubject(one.association), one]));
  const present = new Set<string>(memories.map(({ memory }) => memory.id));
  return keys.flatMap((key) => {
    const subject = associationSubject(key);
    const isPresent = present.has(key.source) && present.has(key.target);
    const kind = differenceOf(last.get(subject), loaded.get(subject), isPresent);
    return kind === null ? [] : [{ kind, subject }];
  });
}

/**
 * The deletion of a memory ends its associations without events of their own. Where the graph lacks a memory, that
 * memory is the difference.
 */
function differenceOf(
  last: RecordedEvent | undefined,
  inGraph: LoadedAssociation | undefined,
  isPresent: boolean,
): DifferenceKind | null {
  if (last === undefined) return inGraph === undefined ? null : 'graph has extra';
  if (last.data === null || !isPresent) return null;
  if (inGraph === undefined) return 'graph lacks';
  if (inGraph.version !== last.version) return inGraph.version < last.version ? 'graph is older' : 'graph is newer';
  const isSame = 'association' in last.data && isSameContent(last.data.association, inGraph.association);
  return isSame ? null : 'graph differs';
}
