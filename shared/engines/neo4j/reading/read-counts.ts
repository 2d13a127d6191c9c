/** Reads the numbers of memories and associations from the counts that the server keeps of labels and relationship types. */
import type { Neo4j } from '../neo4j.js';
import { ANY_ASSOCIATION } from '../schema/any-association.js';
import { knownTypes, UNENRICHED } from '../schema/labels.js';

type Counts = { readonly memories: number; readonly associations: number; readonly unenriched: number };

export async function readCounts(
  neo4j: Pick<Neo4j, 'read'>,
  { excludedTypes }: { readonly excludedTypes: readonly string[] },
): Promise<Counts> {
  const [row] = await neo4j.read({ text: countsText(excludedTypes), given: {} });
  return {
    memories: Number(row?.['memories']),
    associations: Number(row?.['associations']),
    unenriched: Number(row?.['unenriched']),
  };
}

/** The text contains the excluded types. Callers always exclude the same types, so there are few texts. */
export function countsText(excludedTypes: readonly string[]): string {
  const types = knownTypes(excludedTypes);
  const without = (label: (type: string) => string): string =>
    types.map((type) => ` - COUNT { (:${label(type)}) }`).join('');
  return `RETURN COUNT { (:Memory) }${without((type) => type)} AS memories,
    COUNT { (:${UNENRICHED}) }${without((type) => UNENRICHED + type)} AS unenriched,
    COUNT { ()-[:${ANY_ASSOCIATION}]->() } AS associations`;
}
