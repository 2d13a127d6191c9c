/**
 * Writes points and tombstones, never over a newer version. The guard is Qdrant's `update_filter`, which Qdrant
 * evaluates when it applies the write. The newest version wins in any order, so requests and replicas need no ordering.
 */
import type { QdrantClient, Schemas } from '@qdrant/js-client-rest';
import type { MemoryId } from '../../contract/memory.js';
import { rethrowWriteError } from './qdrant-errors.js';
import { notNewerThan } from './qdrant-filter.js';
import type { StoredPayload } from './qdrant-payload.js';

export type Write = {
  readonly id: MemoryId;
  readonly version: number;
  /** Null removes: the point stays without a vector, which no search finds. */
  readonly vector: Float32Array | null;
  readonly payload: StoredPayload;
};

/** Points in one request. */
const POINT_LIMIT = 500;
/** Qdrant accepts bodies of up to 32 MB. */
const BYTE_LIMIT = 16 * 1024 * 1024;
/** The longest text of a float32 written as a double in JSON, with a comma, for example `-0.0012345678715059161,`. */
const COMPONENT_BYTES = 24;
const POINT_BYTES = 200;

export async function writeQdrant(
  { client, collection }: { readonly client: QdrantClient; readonly collection: string },
  writes: readonly Write[],
): Promise<void> {
  for (const batch of batches(newest(writes))) {
    const operations = byVersion(batch).map(([version, group]) => ({
      upsert: { points: group.map(pointOf), update_filter: notNewerThan(version) },
    }));
    await client.batchUpdate(collection, { wait: true, operations }).catch((error: unknown) =>
      rethrowWriteError(
        error,
        batch.map(({ id }) => id),
      ),
    );
  }
}

/**
 * Keeps the newest write of each memory, because Qdrant does not apply the guard between points of the same request.
 */
function newest(writes: readonly Write[]): readonly Write[] {
  const found = new Map<MemoryId, Write>();
  for (const write of writes) {
    const other = found.get(write.id);
    if (other === undefined || write.version > other.version) found.set(write.id, write);
  }
  return [...found.values()];
}

function* batches(writes: readonly Write[]): Generator<readonly Write[]> {
  let batch: Write[] = [];
  let bytes = 0;
  for (const write of writes) {
    const size = sizeOf(write);
    if (batch.length > 0 && (batch.length >= POINT_LIMIT || bytes + size > BYTE_LIMIT)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(write);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

function sizeOf({ vector, payload }: Write): number {
  return POINT_BYTES + (vector?.length ?? 0) * COMPONENT_BYTES + Buffer.byteLength(JSON.stringify(payload));
}

/**
 * One operation for each version, because a guard belongs to a whole operation. Most memories of a batch have the same
 * version.
 */
function byVersion(writes: readonly Write[]): readonly (readonly [number, readonly Write[]])[] {
  const groups = new Map<number, Write[]>();
  for (const write of writes) {
    const group = groups.get(write.version);
    if (group === undefined) groups.set(write.version, [write]);
    else group.push(write);
  }
  return [...groups];
}

function pointOf({ id, vector, payload }: Write): Schemas['PointStruct'] {
  return { id, vector: vector === null ? {} : [...vector], payload };
}
