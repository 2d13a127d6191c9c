/**
 * Readers that use the receipts of acknowledged writes: a reply that says `graph: true` must show the write. For a
 * write that a failover lost, no reply may say so.
 */
import { isDeepStrictEqual } from 'node:util';
import { isStateEvent } from '../../../shared/contract/events.js';
import type { MemoryId } from '../../../shared/contract/memory.js';
import { recordedEvent } from '../../../shared/engines/sql/recorded-event.js';
import type { SimulatedServer } from '../postgres/simulated-server.js';
import type { JournalRow } from '../postgres/tables.js';
import type { World } from '../world/world.js';
import type { Callers } from './callers.js';
import type { Fleet } from './fleet.js';
import type { ReceiptRead } from './processes.js';
import { request } from './request.js';

/** A reply that says more than is true. */
export type WrongRead = {
  readonly startedAt: number;
  readonly at: number;
  readonly id: string;
  readonly position: number;
  /** In words. */
  readonly wanted: string;
  readonly found: string;
  /** The journal lacked the event when the read began. */
  readonly isLost: boolean;
  /** The journal had the name of some lost event then, which all processes read. */
  readonly isLossSaved: boolean;
  /** The reply shows nothing, and the journal has the deletion of the memory, which erased what the write said. */
  readonly isErased: boolean;
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
    const apis = fleet.queryApis();
    if (chosen.length === 0 || apis.length === 0) return;
    const api = random.pick(apis);
    const { subject, position } = random.pick(chosen);
    const row = server.committed('journal').find((one) => one.position === position && one.subject === subject);
    const isLossSaved = server.committed('journal_identity').some(({ lost_position: lost }) => lost !== null);
    const startedAt = world.now();
    const step = `read ${subject.slice(0, 8)} consistent with ${position}`;
    const shown = await request({ world, from: reader, to: api.process, step }, () =>
      api.read(subject as MemoryId, position),
    );
    if (!shown.isGraphShown) return;
    const wanted = row ? missingIn(shown, row) : 'no event, because a failover lost it';
    if (wanted === null) return;
    const found = `version ${shown.version}${shown.memory ? ` with "${shown.memory.content}"` : ''}`;
    world.record(reader.name, `gets graph: true for position ${position} of ${subject.slice(0, 8)} and ${found}`);
    const isErased =
      shown.version === 0 &&
      server
        .committed('journal')
        .some((one) => one.subject === subject && one.type === 'memory.deleted' && one.position > position);
    const read = { startedAt, at: world.now(), id: subject, position, wanted, found };
    wrong.push({ ...read, isLost: row === undefined, isLossSaved, isErased });
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

/** What the event says and the reply does not show, in words. A later version may have another content. */
function missingIn({ version, memory }: ReceiptRead, row: JournalRow): string | null {
  const event = recordedEvent(row);
  if (version !== event.version) return version > event.version ? null : `version ${event.version}`;
  if (!isStateEvent(event)) return memory === null ? null : `version ${version} without a memory`;
  if (event.data === null || isDeepStrictEqual(memory, event.data.memory)) return null;
  return `version ${version} with "${event.data.memory.content}"`;
}
