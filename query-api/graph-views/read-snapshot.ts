/** Makes the text of a snapshot piece by piece. In memory are one page, and the ids of the memories that were sent. */
import type { Association, AssociationKey } from '../../shared/contract/association.js';
import { drawingKeysOf } from '../../shared/contract/graph-views/drawing.js';
import type { MemoryId } from '../../shared/contract/memory.js';
import { createPacer, mapPaced } from '../../shared/kernel/concurrency/paced.js';
import type { GraphInspector, ImportanceCursor, Selection } from '../../shared/ports/graph-inspector.js';
import { rounded } from '../recall/present/rounded.js';
import { drawAssociation, drawMemory, isAmong } from './draw.js';

export type SnapshotPiece = string;

/** Memories in one read, and memories whose associations one read returns. */
const PAGE = 500;
/** Memories in one piece, whose text may have 64 KB each. */
const PIECE = 50;
/** Associations in one read. */
const ASSOCIATION_PAGE = 1_000;
/** Associations in one snapshot. */
const ASSOCIATION_LIMIT = 250_000;

type Request = Selection & {
  readonly limit: number;
  /** The first memories, which the client has: they are not sent, and neither are the associations among them. */
  readonly offset: number;
  readonly startedAt: number;
  readonly archiveBelow: number;
};
type Inspector = Pick<GraphInspector, 'mostImportant' | 'associationsWithin' | 'totals'>;
/** What was sent so far. `ids` and `known`: in addition, the memories that the client has. */
type Sent = {
  readonly ids: Set<MemoryId>;
  readonly known: Set<MemoryId>;
  last: ImportanceCursor | null;
  associations: number;
  isCut: boolean;
};

/** The first piece comes after the first read of the graph. */
export async function* readSnapshot(inspector: Inspector, request: Request): AsyncGenerator<SnapshotPiece, void> {
  const totals = await inspector.totals();
  const sent: Sent = { ids: new Set(), known: new Set(), last: null, associations: 0, isCut: false };
  yield* memories(inspector, request, sent);
  yield '],"edges":[';
  yield* associations(inspector, request, sent);
  const [nodes, edges] = [sum(totals.memories), sum(totals.associations)];
  const returned = sent.ids.size - sent.known.size;
  const stats = {
    total_nodes: nodes,
    total_edges: edges,
    returned_nodes: returned,
    returned_edges: sent.associations,
    sampled: sent.isCut,
    sample_ratio: nodes === 0 ? 1 : rounded(Math.min(1, returned / nodes), 4),
  };
  const { startedAt, archiveBelow } = request;
  const meta = drawingKeysOf({ queryTimeMs: rounded(performance.now() - startedAt, 2), archiveBelow });
  yield `],"stats":${JSON.stringify(stats)},"meta":${JSON.stringify(meta)}}`;
}

/** Reads one memory more than the limit, to know whether there is one. */
async function* memories(
  { mostImportant }: Inspector,
  { limit, offset, ...request }: Request,
  sent: Sent,
): AsyncGenerator<SnapshotPiece, void> {
  const pacer = createPacer(); // one for all pieces, because a piece alone is shorter than a slice
  let begin = '{"nodes":[';
  for (;;) {
    const wanted = Math.min(PAGE, limit + 1 - sent.ids.size);
    const page = await mostImportant({ ...selectionOf(request), after: sent.last, limit: wanted });
    const drawn = page.slice(0, limit - sent.ids.size);
    sent.isCut ||= page.length > drawn.length;
    const unknown = drawn.slice(Math.max(0, offset - sent.ids.size));
    for (const { id } of drawn) {
      if (sent.ids.size < offset) sent.known.add(id);
      sent.ids.add(id);
    }
    sent.last = drawn.at(-1) ?? sent.last;
    for (let at = 0; at < unknown.length; at += PIECE) {
      const piece = unknown.slice(at, at + PIECE);
      const texts = await mapPaced(piece, (memory) => JSON.stringify(drawMemory(memory)), pacer);
      yield begin + texts.join();
      begin = ',';
    }
    if (page.length < wanted || sent.isCut) break;
  }
  if (sent.ids.size === sent.known.size) yield begin;
}

/** A graph that changes meanwhile may have associations with memories that were not sent, which are left out. */
async function* associations(
  { associationsWithin }: Inspector,
  request: Request,
  sent: Sent,
): AsyncGenerator<SnapshotPiece, void> {
  const { last } = sent;
  if (last === null) return;
  const all = [...sent.ids];
  const isPresent = isAmong(sent.ids);
  const isKnown = isAmong(sent.known);
  for (let start = 0; start < all.length; start += PAGE) {
    const ids = all.slice(start, start + PAGE);
    for (let after: AssociationKey | null = null; ;) {
      const page: readonly Association[] = await associationsWithin({
        ...selectionOf(request),
        ids,
        last,
        after,
        limit: ASSOCIATION_PAGE,
      });
      const drawn = page
        .filter((association) => isPresent(association) && !isKnown(association))
        .slice(0, ASSOCIATION_LIMIT - sent.associations);
      const begin = sent.associations === 0 ? '' : ',';
      sent.associations += drawn.length;
      yield drawn.length === 0 ? '' : begin + (await mapPaced(drawn, drawnText)).join();
      if (sent.associations >= ASSOCIATION_LIMIT) {
        sent.isCut = true;
        return;
      }
      if (page.length < ASSOCIATION_PAGE) break;
      after = page.at(-1) ?? null;
    }
  }
}

function drawnText(association: Association): string {
  return JSON.stringify({ ...drawAssociation(association), properties: association.properties });
}

function selectionOf({ minImportance, types, since }: Selection): Selection {
  return { minImportance, types, since };
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, each) => total + each, 0);
}
