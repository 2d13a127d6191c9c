/** Keeps the words of memories that were stored before they were kept: a step of the migrations. */
import type { Memory } from '../../contract/memory.js';
import { procedure } from '../../sqlite/host.js';
import { keepWords } from './keep-words.js';

/** So many bodies are held at once. */
const PAGE = 500;
const BODIES = `SELECT b.n, b.body FROM memory_bodies AS b JOIN memories AS m ON m.n = b.n
  WHERE m.present = 1 AND b.n > ? ORDER BY b.n LIMIT ${PAGE}`;

export const fillWords = procedure(import.meta.url, 'fillWords', (database, _args: null): void => {
  for (let page = database.all(BODIES, [0]); page.length > 0; page = database.all(BODIES, [page.at(-1)?.['n'] ?? 0])) {
    for (const { n, body } of page) keepWords(database, Number(n), JSON.parse(String(body)) as Memory);
  }
});
