/**
 * Refuses a pooler that gives each transaction another connection to the server (transaction pooling). Advisory locks
 * then belong to a connection that others use too, so that two relays would lead and a dead process would count as
 * alive.
 */
import { ConfigurationError } from '../../../kernel/config/config.js';
import type { Postgres, Session } from './postgres.js';

/** A pooler may give a session the same connection by chance, but not so often. */
const ROUNDS = 8;

/**
 * Two sessions take turns. Without a pooler, or with session pooling, each one keeps its own process of the server.
 * Works with every pooler, because it asks the server. Throws ConfigurationError.
 */
export async function requireSessions(postgres: Pick<Postgres, 'session'>): Promise<void> {
  const first = await postgres.session();
  try {
    const second = await postgres.session();
    try {
      await requireOwnProcesses(first, second);
    } finally {
      await second.close();
    }
  } finally {
    await first.close();
  }
}

async function requireOwnProcesses(first: Session, second: Session): Promise<void> {
  const known = [await processOf(first), await processOf(second)] as const;
  let isPooled = known[0] === known[1];
  // The first session twice: a pooler with two connections that takes turns would give each session always the same
  // one.
  for (let round = 0; round < ROUNDS && !isPooled; round += 1) {
    const seen = [await processOf(first), await processOf(first), await processOf(second)] as const;
    isPooled = seen[0] !== known[0] || seen[1] !== known[0] || seen[2] !== known[1];
  }
  if (!isPooled) return;
  throw new ConfigurationError([
    'POSTGRES_URL leads to a pooler with transaction pooling, which breaks advisory locks: write the address of Postgres itself, or set the ' +
      'pooler to session pooling for this database (PgBouncer: pool_mode=session)',
  ]);
}

async function processOf(session: Session): Promise<number | undefined> {
  const { rows } = await session.query<{ process: number }>('SELECT pg_backend_pid() AS process');
  return rows[0]?.process;
}
