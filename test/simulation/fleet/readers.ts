/** Readers that use the receipts of acknowledged writes: a reply that says `graph: true` must show the write. */
import type { MemoryId } from '../../../shared/contract/memory.js';
import type { SimulatedServer } from '../postgres/simulated-server.js';
import type { World } from '../world/world.js';
import type { Callers } from './callers.js';
import type { Fleet } from './fleet.js';
import { request } from './request.js';

/** A reply that says more than is true. */
export type WrongRead = {
  readonly startedAt: number;
  readonly at: number;
  readonly id: string;
  readonly position: number;
  readonly wanted: number;
  readonly found: number;
};

const READERS = 2;
/** Receipts that a reader chooses from: callers use them soon, and at times much later. */
const RECENT = 5;

export function startReaders({
  world,
  fleet,
  server,
  callers,
}: {
  readonly world: World;
  readonly fleet: Fleet;
  readonly server: SimulatedServer;
  readonly callers: Callers;
}): { readonly wrong: readonly WrongRead[]; readonly stop: () => void } {
  const wrong: WrongRead[] = [];
  const { random } = world;
  let isStopped = false;

  async function readOnce(reader: ReturnType<World['startProcess']>): Promise<void> {
    const stores = callers.acknowledged.filter(({ operation }) => operation !== 'associate');
    const chosen = random.next() < 0.5 ? stores.slice(-RECENT) : stores;
    const [api] = fleet.queryApis();
    if (chosen.length === 0 || !api) return;
    const { subject, position } = random.pick(chosen);
    const wanted = server.committed('journal').find((row) => row.position === position && row.subject === subject);
    if (!wanted) return;
    const startedAt = world.now();
    const step = `read ${subject.slice(0, 8)} consistent with ${position}`;
    const { isGraphShown, version } = await request({ world, from: reader, to: api.process, step }, () =>
      api.read(subject as MemoryId, position),
    );
    if (!isGraphShown || version >= wanted.version) return;
    world.record(
      reader.name,
      `gets graph: true for position ${position} of ${subject.slice(0, 8)} and version ${version}`,
    );
    wrong.push({ startedAt, at: world.now(), id: subject, position, wanted: wanted.version, found: version });
  }

  for (let number = 1; number <= READERS; number += 1) {
    const reader = world.startProcess(`reader ${number}`);
    const run = async (): Promise<void> => {
      while (!isStopped) {
        await readOnce(reader).catch(() => undefined /* a read may fail */);
        await new Promise((resolve) => setTimeout(resolve, 100 + random.below(400)));
      }
    };
    world.after(500 + number, () => reader.enter(() => void run()));
  }
  return {
    wrong,
    stop: () => {
      isStopped = true;
    },
  };
}
