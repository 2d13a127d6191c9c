/**
 * The keyword search of a graph in SQLite: a reader thread of its own keeps the words of all memories and runs the
 * searches.
 */
import type { MemoryId } from '../../../../../contract/memory.js';
import type { KeywordSearch } from '../../../../../ports/graph.js';
import type { Procedure, SqliteHost } from '../../../threads/host.js';
import { searchKeywords } from '../search-keyword.js';
import { loadWords } from './load-words.js';

export type WordSearch = (searches: readonly KeywordSearch[]) => Promise<readonly (readonly MemoryId[])[]>;

/**
 * Loads the words in the background: 100,000 memories take 1.4 s of processor time and 75 MB, of which the postings are
 * 38. A search that comes earlier waits, because it loads the rest itself.
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

  // The next search loads the words again and reports a failure to its caller.
  load().catch(() => undefined);
  return (searches) => read(searchKeywords, searches);
}
