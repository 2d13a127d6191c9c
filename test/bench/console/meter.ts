/**
 * Measures the processor time that a service and its servers spend, apart from what they spend while idle: of the
 * embedded service, or of the programs that `npm run local` has started with the present LOCAL_DIR.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { localPrograms } from '../measuring/local-programs.js';
import { processorTime, treeTime } from '../measuring/processor-time.js';
import type { Target } from '../measuring/run-bench.js';

/** In ms. `servers`: Neo4j, Postgres, Qdrant and Kafka; 0 for the embedded service. */
export type Spent = { readonly service: number; readonly servers: number };
/** Runs the work and resolves with the processor time that was spent meanwhile. */
export type Meter = (work: () => Promise<unknown>) => Promise<Spent>;

/** While no request runs, projectors poll and servers tidy up. */
const IDLE_MS = 5_000;
/** Of one core, of an idle service. After its start, it loads its indexes. */
const IDLE_SHARE = { embedded: 0.1, local: 0.3 } as const;
const MOST_WAITS = 24;

/**
 * Restarts the service, so that it has nothing cached. Null where the system does not show processor times, and for a
 * service on another machine.
 */
export async function openMeter(target: Pick<Target, 'child' | 'restart' | 'adminToken'>): Promise<Meter | null> {
  if ((await processorTime(process.pid)) === null) return null;
  if (target.child !== null) await target.restart();
  const { child, adminToken } = target;
  const processes =
    child === null
      ? await localPrograms({ restarted: 'query-api', adminToken })
      : [{ pid: child.pid, isServer: false }];
  if (processes.length === 0) return null;
  const timeOf = async (isServer: boolean): Promise<number> => {
    const times = await Promise.all(
      processes.filter((one) => one.isServer === isServer).map(({ pid }) => treeTime(pid)),
    );
    return times.reduce<number>((sum, time) => sum + (time ?? 0), 0);
  };
  const measure = async (work: () => Promise<unknown>): Promise<Spent & { readonly elapsedMs: number }> => {
    const before = [await timeOf(false), await timeOf(true)] as const;
    const startedAt = performance.now();
    await work();
    const elapsedMs = performance.now() - startedAt;
    return { service: (await timeOf(false)) - before[0], servers: (await timeOf(true)) - before[1], elapsedMs };
  };
  const idleShare = IDLE_SHARE[child === null ? 'local' : 'embedded'];
  let idle = await measure(() => pause(IDLE_MS));
  for (let waits = 0; idle.service + idle.servers > idleShare * idle.elapsedMs; waits += 1) {
    if (waits === MOST_WAITS) throw new Error('The service is not idle: wait for its background work, or pause it');
    idle = await measure(() => pause(IDLE_MS));
  }
  return async (work) => {
    const { service, servers, elapsedMs } = await measure(work);
    const share = elapsedMs / idle.elapsedMs;
    return {
      service: Math.max(0, service - idle.service * share),
      servers: Math.max(0, servers - idle.servers * share),
    };
  };
}
