/**
 * GET /graph/snapshot: streams the most important memories and the associations between them. The speed of the client
 * bounds what is read ahead.
 */
import { SNAPSHOT_LIMIT } from '../../shared/contract/graph-views/whole-graph.js';
import type { Handler, ReplySink } from '../../shared/http/handler.js';
import { aborted } from '../../shared/kernel/concurrency/abort-signals.js';
import { DeadlineError, ValidationError } from '../../shared/kernel/errors.js';
import { parseTimestamp } from '../../shared/kernel/timestamps.js';
import type { GraphInspector, Selection } from '../../shared/ports/graph-inspector.js';
import { readSnapshot, type SnapshotPiece } from './read-snapshot.js';

const DEFAULT_LIMIT = 500;
/** The connection of a client that reads nothing for this time is closed. */
const STALL_MS = 30_000;
/** A snapshot reads the graph as fast as its client takes it, so few may run at the same time. */
const SNAPSHOTS_AT_ONCE = 8;
const RETRY_AFTER_SECONDS = 5;

export function createSnapshotGraph({
  inspector,
  archiveBelow,
}: {
  readonly inspector: GraphInspector;
  readonly archiveBelow: number;
}): Handler<'snapshotGraph'> {
  let running = 0;
  return async ({ query, context: { signal, startedAt } }) => {
    const selection = { minImportance: query.min_importance ?? 0, types: query.types ?? null, since: sinceOf(query) };
    const request = { ...selection, limit: limitOf(query), offset: offsetOf(query), startedAt, archiveBelow };
    if (running >= SNAPSHOTS_AT_ONCE)
      throw new DeadlineError(`${running} snapshots already run at this process: try again later`, RETRY_AFTER_SECONDS);
    running += 1;
    // Every request ends with this signal, also one that failed or that asks for the headers alone.
    void aborted(signal).then(() => (running -= 1));
    const pieces = readSnapshot(inspector, request)[Symbol.asyncIterator]();
    // Before the headers are sent, so that a graph that is down is 503.
    const first = await pieces.next();
    return {
      status: 200,
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
      cutOnFailure: true,
      stream: (sink) => send(pieces, first, sink),
    };
  };
}

type Pieces = AsyncIterator<SnapshotPiece, void, undefined>;

/** Throws when the client does not get the whole snapshot. */
async function send(pieces: Pieces, first: IteratorResult<SnapshotPiece, void>, sink: ReplySink): Promise<void> {
  for (let next = first; next.done !== true; next = await pieces.next()) {
    if (sink.gone.aborted) return;
    if (sink.stopping.aborted) throw new Error('The snapshot ended early, because the service stops');
    const outcome = await sink.write(next.value, STALL_MS);
    if (outcome === 'gone') return;
    if (outcome === 'stalled') throw new Error(`The client read nothing of its snapshot for ${STALL_MS} ms`);
  }
}

function limitOf({ limit = DEFAULT_LIMIT }: { readonly limit?: number }): number {
  if (limit < 0) throw new ValidationError('limit must be >= 0', 'limit');
  return limit === 0 ? SNAPSHOT_LIMIT : limit;
}

function offsetOf({ offset = 0 }: { readonly offset?: number }): number {
  if (offset < 0) throw new ValidationError('offset must be >= 0', 'offset');
  return offset;
}

function sinceOf({ since }: { readonly since?: string }): Selection['since'] {
  if (since === undefined) return null;
  const timestamp = parseTimestamp(since);
  if (timestamp === null) throw new ValidationError("'since' must be an ISO 8601 time", 'since');
  return timestamp;
}
