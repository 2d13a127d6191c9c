/** Reads the lines of each kind of part, page by page. */
import { type EventType, OWNING_EVENTS, type RecordedEvent, STATE_EVENTS } from '../../contract/events.js';
import { throttled } from '../../kernel/concurrency/throttled.js';
import type { CacheEntry } from '../../ports/embedder.js';
import type { JournalReader } from '../../ports/journal.js';
import { withPositionAlone } from '../replay/replay-states.js';
import { type EmbeddingLine, PAGE_ROWS } from './archive-format.js';
import type { ArchiveSource } from './archive-source.js';

/** After each page. */
const PAUSE = { pausePercent: 100 };

/**
 * The last event of each subject. Three earlier events of a memory are added: the last one with the associations that
 * it owns; its last deletion, because associations ended with it; and without `history`, which has it whole, its
 * `memory.stored` without data, for its position.
 */
export async function* readStates(
  { journal }: Pick<ArchiveSource, 'journal'>,
  { history }: { readonly history: boolean },
): AsyncGenerator<readonly RecordedEvent[]> {
  const types = [...OWNING_EVENTS, 'memory.deleted', ...(history ? [] : ['memory.stored' as const])] as const;
  for (let after = ''; ;) {
    const page = await throttled(PAUSE, () => journal.states({ after, limit: PAGE_ROWS }));
    const last = page.at(-1);
    if (last === undefined) return;
    yield [...page, ...(await earlierEvents(page, types, journal))];
    after = last.subject;
  }
}

async function earlierEvents(
  page: readonly RecordedEvent[],
  types: readonly EventType[],
  journal: Pick<JournalReader, 'lastOf'>,
): Promise<readonly RecordedEvent[]> {
  const subjects = page.filter(mayHaveEarlierEvents).map(({ subject }) => subject);
  if (subjects.length === 0) return [];
  const found = await journal.lastOf({ subjects, types });
  const known = new Set(page.map(({ position }) => position));
  return found.filter(({ position }) => !known.has(position)).map(withPositionAlone);
}

function mayHaveEarlierEvents({ type, version }: RecordedEvent): boolean {
  return version > 1 && (STATE_EVENTS as readonly string[]).includes(type);
}

/** The events after one position, up to another. */
export async function* readJournal(
  { journal }: Pick<ArchiveSource, 'journal'>,
  { after, through }: { readonly after: number; readonly through: number },
): AsyncGenerator<readonly RecordedEvent[]> {
  for (let from = after; from < through;) {
    const page = await throttled(PAUSE, () => journal.read({ after: from, through, limit: PAGE_ROWS }));
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    from = last.position;
  }
}

export async function* readEmbeddings({
  embeddings,
}: Pick<ArchiveSource, 'embeddings'>): AsyncGenerator<readonly CacheEntry[]> {
  for (let after: CacheEntry | null = null; ;) {
    const page: readonly CacheEntry[] = await throttled(PAUSE, () => embeddings.scan({ after, limit: PAGE_ROWS }));
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = last;
  }
}

export function embeddingLine({ ref, memoryId, vector }: CacheEntry): EmbeddingLine {
  const bytes = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
  return { ref, memoryId, vector: bytes.toString('base64') };
}

export function cacheEntryOf({ ref, memoryId, vector }: EmbeddingLine): CacheEntry {
  // Copied: the bytes can start anywhere in a larger buffer, and a Float32Array must start at a multiple of four.
  const bytes = Uint8Array.from(Buffer.from(vector, 'base64'));
  return { ref, memoryId: memoryId as CacheEntry['memoryId'], vector: new Float32Array(bytes.buffer) };
}
