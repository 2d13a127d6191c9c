/**
 * The driver, replaced by a new one when a call through it got no answer: the pool would wait for the answers of connections whose other
 * end is gone (for 15 minutes, by TCP's own patience), until none is left. The old driver is closed when its last call has ended, and with it those.
 */
import type { Driver } from 'neo4j-driver';
import type { Logger } from '../../kernel/logger.js';
import { NoAnswerError } from './neo4j-errors.js';

export interface ReplaceableDriver {
  use<R>(work: (driver: Driver) => Promise<R>): Promise<R>;
  close(): Promise<void>;
}

type Held = { readonly driver: Driver; calls: number };

export function createReplaceableDriver({
  open,
  logger,
}: {
  readonly open: () => Driver;
  readonly logger: Logger;
}): ReplaceableDriver {
  let current: Held = { driver: open(), calls: 0 };
  const retired = new Set<Held>();

  function retire(held: Held): void {
    if (held !== current) return;
    logger.warn({}, 'Neo4j accepted a call and did not answer: later calls get new connections');
    retired.add(held);
    current = { driver: open(), calls: 0 };
  }

  function closeUnused(held: Held): void {
    if (held.calls > 0 || !retired.delete(held)) return;
    held.driver
      .close()
      .catch((error: unknown) =>
        logger.warn({ err: error }, 'Connections that Neo4j no longer answers on could not be closed'),
      );
  }

  return {
    async use(work) {
      const held = current;
      held.calls += 1;
      try {
        return await work(held.driver);
      } catch (error) {
        if (error instanceof NoAnswerError) retire(held);
        throw error;
      } finally {
        held.calls -= 1;
        closeUnused(held);
      }
    },
    async close() {
      await Promise.all([current, ...retired].map(({ driver }) => driver.close()));
    },
  };
}
