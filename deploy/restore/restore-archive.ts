/**
 * Restores an archive into an empty deployment: checks the whole archive, then the deployment, and only then writes. The steps:
 *
 *   1  read every byte of the archive and compare it with its manifest
 *   2  refuse a deployment with content
 *   3  load the events, in the order of the archive, with their positions
 *   4  load the embeddings
 *   5  apply the present states to the graph
 *
 * The vector indexer fills the index when the service starts: a new index reads the events from the first one, and finds their embeddings.
 */
import { ArchiveError } from '../../shared/archive/archive-error.js';
import { type ArchiveManifest, type EmbeddingLine, PAGE_ROWS } from '../../shared/archive/archive-format.js';
import { cacheEntryOf } from '../../shared/archive/archive-pages.js';
import { readParts, verifyArchive } from '../../shared/archive/read-archive.js';
import type { JournalLoader } from '../../shared/commit/journal-loader.js';
import type { RecordedEvent } from '../../shared/contract/events.js';
import type { EmbeddingCache } from '../../shared/embedding/embedder.js';
import type { GraphMark } from '../../shared/graph/graph-mark.js';
import { type GraphReplay, replayGraph } from '../../shared/journal/replay/replay-graph.js';
import { RuleError } from '../../shared/kernel/errors.js';
import type { IndexMark } from '../../shared/vectors/index-mark.js';

export type RestoreTarget = Pick<GraphReplay, 'journal' | 'identity' | 'eraseRest'> & {
  readonly graph: GraphReplay['graph'] & Pick<GraphMark, 'hasSubjects'>;
  readonly index: Pick<IndexMark, 'read'>;
  readonly loader: JournalLoader;
  readonly cache: Pick<EmbeddingCache, 'put'>;
};

/** Throws ArchiveError or RuleError before anything is written. */
export async function restoreArchive({
  file,
  openTarget,
  signal,
}: {
  readonly file: string;
  /** Called once the archive was checked. */
  readonly openTarget: () => Promise<RestoreTarget>;
  readonly signal: AbortSignal;
}): Promise<ArchiveManifest> {
  const manifest = await verifyArchive(file);
  if (!manifest.parts.includes('states'))
    throw new ArchiveError('The archive has embeddings only: make a backup with `include=falkordb,qdrant`');
  const target = await openTarget();
  await requireEmpty(target);
  for await (const page of pagesOf(file, ['states', 'journal'], signal))
    await target.loader.load(page as readonly RecordedEvent[]);
  await target.loader.finish();
  for await (const page of pagesOf(file, ['embeddings'], signal))
    await target.cache.put((page as readonly EmbeddingLine[]).map(cacheEntryOf));
  await replayGraph({ ...target, signal });
  await requireWhole(target, manifest);
  return manifest;
}

/** The casts above are safe: the hashes show that these are the lines that the writer made. */
async function* pagesOf(file: string, kinds: Parameters<typeof readParts>[1], signal: AbortSignal) {
  for await (const { values } of readParts(file, kinds)) {
    for (let from = 0; from < values.length; from += PAGE_ROWS) {
      signal.throwIfAborted();
      yield values.slice(from, from + PAGE_ROWS);
    }
  }
}

async function requireEmpty({ identity, graph, index }: RestoreTarget): Promise<void> {
  const { head } = await identity.state();
  const advice = 'A restore needs an empty deployment: take another one, or remove its data first';
  if (head > 0) throw new RuleError(`The journal has events up to position ${head}. ${advice}`);
  if (await graph.hasSubjects()) throw new RuleError(`The graph has memories. ${advice}`);
  if ((await index.read()) !== null) throw new RuleError(`The vector index has points of another journal. ${advice}`);
}

/** The last event before P1 is the last one of its subject or comes after P0, so the archive has it. Later states have higher positions. */
async function requireWhole({ identity }: RestoreTarget, { p1 }: ArchiveManifest): Promise<void> {
  const { head } = await identity.state();
  if (head < p1)
    throw new RuleError(`The restored journal ends at position ${head}, the archive at ${p1}: do not use it`);
}
