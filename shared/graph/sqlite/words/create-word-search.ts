/** The keyword search of a graph in SQLite: a reader thread of its own, which holds the words of all memories. */
import type { Procedure, SqliteHost } from '../../../sqlite/host.js';
import type { MemoryId } from '../../../contract/memory.js';
import type { KeywordSearch } from '../../graph.js';
import { searchKeywords } from '../search-keyword.js';
import { loadWords } from './catch-up.js';

export type WordSearch = (searches: readonly KeywordSearch[]) => Promise<readonly (readonly MemoryId[])[]>;

/**
 * Loads in the background, 100,000 memories in 1.4 s of processor time; a search that comes before waits, as it loads the rest itself. They
 * take 75 MB more, of which 38 are the postings.
 */
export function createWordSearch({ host }: { readonly host: Pick<SqliteHost, 'openReader'> }): WordSearch {
  let opening: Promise<Pick<SqliteHost, 'read'>> | null = null;

  async function read<A, R>(called: Procedure<A, R>, args: A): Promise<R> {
    opening ??= host.openReader('words').catch((error: unknown) => {
      opening = null;
      throw error;
    });
    return (await opening).read(called, args);
  }

  async function load(): Promise<void> {
    while (await read(loadWords, null));
  }

  // What fails here fails again in the next search, and is told there.
  load().catch(() => undefined);
  return (searches) => read(searchKeywords, searches);
}
