/** Indexes the metadata of memories that were stored before it was searched: a step of the migrations. */
import type { Memory } from '../../contract/memory.js';
import { procedure } from '../../sqlite/host.js';
import { indexMetadata } from './index-metadata.js';

/** So many bodies are held at once. */
const PAGE = 500;
const BODIES = `SELECT b.n, b.body FROM memory_bodies AS b JOIN memories AS m ON m.n = b.n WHERE m.present = 1 AND b.n > ? ORDER BY b.n LIMIT ${PAGE}`;

export const fillMetadata = procedure(import.meta.url, 'fillMetadata', (database, _args: null): void => {
  for (let page = database.all(BODIES, [0]); page.length > 0; page = database.all(BODIES, [page.at(-1)?.['n'] ?? 0])) {
    for (const { n, body } of page) {
      indexMetadata(database, { n: Number(n), memory: JSON.parse(String(body)) as Memory, before: null });
    }
  }
});
