/** Puts the replay of the journal in Postgres into the graph in Neo4j together. */
import type { Neo4jPorts } from '../shared/engines/neo4j/open.js';
import type { PostgresPorts } from '../shared/engines/postgres/open.js';
import type { GraphRebuilderDeps } from '../shared/integrity/replay/graph-rebuilder.js';
import { type GraphReplay, replayGraph, type ReplayResult } from '../shared/integrity/replay/replay-graph.js';
import { throttled } from '../shared/kernel/concurrency/throttled.js';

export type OpenGraphReplay = Pick<GraphRebuilderDeps, 'hold'> & {
  readonly replay: (options: ReplayOptions) => Promise<ReplayResult>;
};

export type ReplayOptions = Pick<GraphReplay, 'signal' | 'onProgress' | 'onlyIfBehind'> & {
  /** The pause after each batch, in percent of its time, so that callers have the graph meanwhile. */
  readonly pausePercent?: number;
};

export function openGraphReplay(
  { journal, identity, outbox, lock, eraseRest }: PostgresPorts,
  {
    graphWriter,
    graphMark,
    ensureSchema,
  }: Pick<Neo4jPorts, 'graphMark' | 'ensureSchema'> & {
    readonly graphWriter: Pick<Neo4jPorts['graphWriter'], 'applyReplayed'>;
  },
): OpenGraphReplay {
  return {
    hold: () => lock.take('rebuild-graph'),
    replay: ({ pausePercent = 0, ...options }) =>
      replayGraph({
        ...options,
        journal,
        identity,
        unapplied: outbox.unapplied,
        graph: {
          ...graphMark,
          apply: (events) =>
            throttled({ pausePercent, signal: options.signal }, () => graphWriter.applyReplayed(events)),
          prepare: ensureSchema,
        },
        eraseRest,
      }),
  };
}
