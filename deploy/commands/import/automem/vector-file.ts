/**
 * The vectors of an archive in a temporary file, 32 bits a number, found by the id of their memory. They may be larger
 * than the RAM of this machine.
 */
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MemoryId } from '../../../../shared/contract/memory.js';

export type VectorFile = {
  readonly size: number;
  readonly add: (id: MemoryId, vector: readonly number[]) => Promise<void>;
  readonly get: (id: MemoryId) => Promise<readonly number[] | null>;
  readonly close: () => Promise<void>;
};

export async function openVectorFile(size: number): Promise<VectorFile> {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-import-'));
  const handle = await open(join(folder, 'vectors'), 'w+');
  const bytes = size * Float32Array.BYTES_PER_ELEMENT;
  const places = new Map<MemoryId, number>();
  return {
    size,
    add: async (id, vector) => {
      const place = places.get(id) ?? places.size;
      places.set(id, place);
      await handle.write(new Uint8Array(Float32Array.from(vector).buffer), 0, bytes, place * bytes);
    },
    get: async (id) => {
      const place = places.get(id);
      if (place === undefined) return null;
      const vector = new Float32Array(size);
      await handle.read(new Uint8Array(vector.buffer), 0, bytes, place * bytes);
      return Array.from(vector);
    },
    close: async () => {
      await handle.close();
      await rm(folder, { recursive: true });
    },
  };
}
