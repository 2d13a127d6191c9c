/** Every statement that the simulated Postgres knows, by its name in production. */
import type { SimulatedStatements } from '../statement.js';
import { COMMIT_POINT } from './commit-point.js';
import { EARLIER_REQUESTS } from './earlier-requests.js';
import { EMBEDDING_CACHE, ERASURES } from './embedding-cache.js';
import { JOURNAL } from './journal.js';
import { OUTBOX } from './outbox.js';
import { PENDING } from './pending.js';
import { RECORDS } from './records.js';

export const STATEMENTS: SimulatedStatements = {
  ...COMMIT_POINT,
  ...EARLIER_REQUESTS,
  ...PENDING,
  ...OUTBOX,
  ...JOURNAL,
  ...RECORDS,
  ...EMBEDDING_CACHE,
  ...ERASURES,
};
