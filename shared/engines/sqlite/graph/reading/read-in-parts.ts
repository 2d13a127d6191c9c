/** Reads a page of whole memories in parts, because each part comes to the main thread as one message. */
import type { LoadedMemory } from '../../../../ports/graph.js';
import type { SqlRow } from '../../threads/database.js';
import { withGraphErrors } from '../graph-errors.js';
import { loadedMemory } from '../schema/rows.js';

/** Fifty memories with 50 KB of metadata each occupy the main thread for about 10 ms. */
const PART = 50;

/** `read`: up to `limit` memories after the last one that was read, null for the first ones of the page. */
export async function readInParts(
  limit: number,
  read: (last: LoadedMemory | null, limit: number) => Promise<readonly SqlRow[]>,
): Promise<readonly LoadedMemory[]> {
  const found: LoadedMemory[] = [];
  while (found.length < limit) {
    const wanted = Math.min(PART, limit - found.length);
    const rows = await withGraphErrors(read(found.at(-1) ?? null, wanted));
    found.push(...rows.map(loadedMemory));
    if (rows.length < wanted) break;
  }
  return found;
}
