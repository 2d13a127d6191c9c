/** The service of the tests that merge entities and undo it. */
import { expect } from 'chai';
import type { MemoryId } from '../../../shared/contract/memory.js';
import { DependencyError } from '../../../shared/kernel/errors.js';
import { type Service, startService } from './service.js';

const TOKEN = 'admin-of-the-tests';
const HOUR_MS = 3_600_000;
export const ADMIN = { 'X-Admin-Token': TOKEN };

export type MergingService = Service & {
  /** Searches for memories by a tag that still work before one fails; Infinity: all. */
  readonly searches: { left: number };
  /** What the clock of the service is ahead of the true time, in hours. */
  readonly clock: { ahead: number };
  /** `then`: runs once, after the next read of records of entities and before its caller has them. */
  readonly records: { then: (() => Promise<unknown>) | undefined };
  /** Resolves with the id. */
  readonly store: (content: string, tags?: readonly string[]) => Promise<MemoryId>;
};

/** It enriches. */
export async function startMergingService(): Promise<MergingService> {
  const searches = { left: Infinity };
  const clock = { ahead: 0 };
  const records: MergingService['records'] = { then: undefined };
  const service = await startService({
    enriches: true,
    variables: { ADMIN_API_TOKEN: TOKEN },
    clock: { now: () => new Date(Date.now() + clock.ahead * HOUR_MS) },
    alter: (engines) => ({
      ...engines,
      graph: {
        ...engines.graph,
        entities: async (keys) => {
          const found = await engines.graph.entities(keys);
          const { then } = records;
          records.then = undefined;
          await then?.();
          return found;
        },
        idsByTag: (request) =>
          searches.left-- > 0
            ? engines.graph.idsByTag(request)
            : Promise.reject(new DependencyError('graph', 'switched off by the test')),
      },
    }),
  });
  return {
    ...service,
    searches,
    clock,
    records,
    store: async (content, tags = []) => {
      const reply = await service.request('POST', '/memory', { body: { content, tags } });
      expect(reply.status, JSON.stringify(reply.body)).to.equal(201);
      return reply.body.memory_id as MemoryId;
    },
  };
}
