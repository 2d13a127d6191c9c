/**
 * Replaces the driver with a new one when a call got no answer. Otherwise the pool would keep connections whose other
 * end is gone (TCP gives up after 15 minutes), until it has no usable connection. The old driver and its connections
 * close after its last call has ended.
 */
import type { Driver } from 'neo4j-driver';
import type { Logger } from '../../../kernel/logger.js';
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
    logger.warn({}, 'neo4j did not answer a call: new connections opened');
    retired.add(held);
    current = { driver: open(), calls: 0 };
  }

  function closeUnused(held: Held): void {
    if (held.calls > 0 || !retired.delete(held)) return;
    held.driver
      .close()
      .catch((error: unknown) => logger.warn({ err: error }, 'closing unanswered neo4j connections failed'));
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
