/** Starts the processes, and starts a crashed one again. */
import type { RunningProjector } from '../../../projectors/run-projector.js';
import { messageOf } from '../../../shared/kernel/errors.js';
import type { SimulatedProcess } from '../world/world.js';
import {
  type Engines,
  type RunningApi,
  type RunningQueryApi,
  startCommandApi,
  startIndexer,
  startQueryApi,
  startRelay,
} from './processes.js';

export interface Fleet {
  /** The command APIs that serve, apart from crashed ones. */
  readonly apis: () => readonly RunningApi[];
  readonly queryApis: () => readonly RunningQueryApi[];
  readonly indexers: () => readonly RunningProjector[];
  readonly processes: (kind: Kind) => readonly SimulatedProcess[];
  /** Crashes a process of this kind and starts its successor after the delay. */
  readonly crash: (process: SimulatedProcess, restartMs: number) => void;
}

export type Kind = 'api' | 'relay' | 'indexer' | 'query';
const COUNTS: Readonly<Record<Kind, number>> = { api: 2, relay: 2, indexer: 2, query: 2 };

/** How soon a process is started again that ended at its start. */
const RESTART_MS = 2_000;

type Entry = {
  readonly kind: Kind;
  readonly process: SimulatedProcess;
  api: RunningApi | null;
  query: RunningQueryApi | null;
  indexer: RunningProjector | null;
};

export function startFleet(engines: Engines): Fleet {
  const { world } = engines;
  const running: Entry[] = [];
  const numbers = new Map<Kind, number>();

  function start(kind: Kind): void {
    const number = (numbers.get(kind) ?? 0) + 1;
    numbers.set(kind, number);
    const process = world.startProcess(`${kind} ${number}`);
    const entry: Entry = { kind, process, api: null, query: null, indexer: null };
    running.push(entry);
    process.enter(() => {
      open(entry).catch((error: unknown) => {
        world.record(process.name, `ends at its start: ${messageOf(error)}`);
        crash(process, RESTART_MS);
      });
    });
  }

  /** Resolves when the process serves; never for one that crashes before. */
  async function open(entry: Entry): Promise<void> {
    const { process } = entry;
    switch (entry.kind) {
      case 'api':
        entry.api = await startCommandApi(engines, process);
        return;
      case 'relay':
        return startRelay(engines, process);
      case 'indexer':
        entry.indexer = await startIndexer(engines, process);
        return;
      case 'query':
        entry.query = startQueryApi(engines, process);
        return;
      default:
        return entry.kind satisfies never;
    }
  }

  function crash(process: SimulatedProcess, restartMs: number): void {
    const entry = running.find((other) => other.process === process);
    if (!entry || process.isCrashed()) return;
    process.crash();
    world.after(restartMs, () => start(entry.kind));
  }

  for (const kind of ['api', 'relay', 'indexer', 'query'] as const)
    for (let count = 0; count < COUNTS[kind]; count += 1) world.after(count + 1, () => start(kind));

  const alive = () => running.filter(({ process }) => !process.isCrashed());
  return {
    apis: () => alive().flatMap(({ api }) => api ?? []),
    queryApis: () => alive().flatMap(({ query }) => query ?? []),
    indexers: () => alive().flatMap(({ indexer }) => indexer ?? []),
    processes: (kind) =>
      alive()
        .filter((entry) => entry.kind === kind)
        .map(({ process }) => process),
    crash,
  };
}
