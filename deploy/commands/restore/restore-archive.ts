/**
 * Restores an archive into an empty deployment: checks the whole archive, then the deployment, and only then writes.
 * The steps:
 *
 *   1  read every byte of the archive and compare it with its manifest; read the list of deletions
 *   2  refuse a deployment with content
 *   3  load the events, in the order of the archive, with their positions, and then the listed deletions
 *   4  load the embeddings
 *   5  apply the present states to the graph
 *
 * The vector indexer fills the index when the service starts: a new index reads the events from the first one, and
 * finds their embeddings.
 */
import type { RecordedEvent } from '../../../shared/contract/events.js';
import { ArchiveError } from '../../../shared/integrity/backup-format/archive-error.js';
import {
  type ArchiveManifest,
  type EmbeddingLine,
  PAGE_ROWS,
} from '../../../shared/integrity/backup-format/archive-format.js';
import { cacheEntryOf } from '../../../shared/integrity/backup-format/archive-pages.js';
import { readParts, verifyArchive } from '../../../shared/integrity/backup-format/read-archive.js';
import { type GraphReplay, replayGraph } from '../../../shared/integrity/replay/replay-graph.js';
import type { Ids } from '../../../shared/kernel/clock.js';
import { RuleError } from '../../../shared/kernel/errors.js';
import type { EmbeddingCache } from '../../../shared/ports/embedder.js';
import type { GraphMark } from '../../../shared/ports/graph-mark.js';
import type { IndexMark } from '../../../shared/ports/index-mark.js';
import type { JournalLoader } from '../../../shared/ports/journal-loader.js';
import { createListedDeletions, type Deletions, readDeletions } from './read-deletions.js';

export type RestoreTarget = Pick<GraphReplay, 'journal' | 'identity' | 'eraseRest'> & {
  readonly graph: GraphReplay['graph'] & Pick<GraphMark, 'hasSubjects'>;
  readonly index: Pick<IndexMark, 'read'>;
  readonly loader: JournalLoader;
  readonly cache: Pick<EmbeddingCache, 'put'>;
};

/** `deleted`: memories of the archive that the list deleted. */
export type RestoreResult = { readonly manifest: ArchiveManifest; readonly deleted: number };

/** Throws ArchiveError, ValidationError or RuleError before anything is written. */
export async function restoreArchive({
  file,
  deletionsFile,
  openTarget,
  ids,
  signal,
}: {
  readonly file: string;
  /** A list of memories that were deleted after the backup. */
  readonly deletionsFile?: string | undefined;
  /** Called once the archive was checked. */
  readonly openTarget: () => Promise<RestoreTarget>;
  readonly ids: Ids;
  readonly signal: AbortSignal;
}): Promise<RestoreResult> {
  const manifest = await verifyArchive(file);
  if (!manifest.parts.includes('states'))
    throw new ArchiveError('The archive has embeddings only: make a backup with `include=falkordb,qdrant`');
  const deletions = deletionsFile === undefined ? NONE : await readDeletions(deletionsFile, manifest);
  const listed = createListedDeletions({ deletions, ids });
  const target = await openTarget();
  await requireEmpty(target);
  for await (const page of pagesOf(file, ['states', 'journal'], signal))
    await target.loader.load(listed.erase(page as readonly RecordedEvent[]));
  const events = listed.events();
  for (let from = 0; from < events.length; from += PAGE_ROWS)
    await target.loader.load(events.slice(from, from + PAGE_ROWS));
  await target.loader.finish();
  for await (const page of pagesOf(file, ['embeddings'], signal))
    await target.cache.put(listed.keep((page as readonly EmbeddingLine[]).map(cacheEntryOf)));
  await replayGraph({ ...target, signal });
  await requireWhole(target, manifest);
  return { manifest, deleted: events.length };
}

const NONE: Deletions = new Map();

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

/** The archive has the last event before P1, and later states have higher positions. */
async function requireWhole({ identity }: RestoreTarget, { p1 }: ArchiveManifest): Promise<void> {
  const { head } = await identity.state();
  if (head < p1)
    throw new RuleError(`The restored journal ends at position ${head}, the archive at ${p1}: do not use it`);
}
