/**
 * Migration steps that index memories stored by a release without that index: their searched metadata, and their words.
 */
import type { Memory } from '../../../../contract/memory.js';
import { analyze } from '../../../../text/analyzer.js';
import { procedure } from '../../threads/host.js';
import { indexMetadata } from '../applying/index-metadata.js';

/** The columns that the table has at this step. */
const WRITE_WORDS = 'INSERT OR REPLACE INTO memory_words (n, content, tags) VALUES (?, ?, ?)';
/** Bodies that a step reads into memory at a time. */
const PAGE = 500;
const BODIES = `SELECT b.n, b.body FROM memory_bodies AS b JOIN memories AS m ON m.n = b.n WHERE m.present = 1 AND b.n > ? ORDER BY b.n LIMIT ${PAGE}`;

export const backfillMetadata = procedure(import.meta.url, 'backfillMetadata', (database, _args: null): void => {
  for (let page = database.all(BODIES, [0]); page.length > 0; page = database.all(BODIES, [page.at(-1)?.['n'] ?? 0])) {
    for (const { n, body } of page) {
      indexMetadata(database, { n: Number(n), memory: JSON.parse(String(body)) as Memory, before: null });
    }
  }
});

export const backfillWords = procedure(import.meta.url, 'backfillWords', (database, _args: null): void => {
  for (let page = database.all(BODIES, [0]); page.length > 0; page = database.all(BODIES, [page.at(-1)?.['n'] ?? 0])) {
    for (const { n, body } of page) {
      const { content, tags } = JSON.parse(String(body)) as Memory;
      const words = tags.flatMap((tag) => analyze(tag)).join(' ');
      database.run(WRITE_WORDS, [n ?? null, analyze(content).join(' '), words]);
    }
  }
});
