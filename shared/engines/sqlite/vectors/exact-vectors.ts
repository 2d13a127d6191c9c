/**
 * The unit vectors as float32. Their dot products are the similarities of the hits. The memory of the scan kernel has
 * those that recent searches needed; the others are read from the database. The codes leave few slots to a search, so
 * few vectors are read.
 */
import { LRUCache } from 'lru-cache';
import { createScanKernel } from './scan-kernel.js';

/** The kernel processes 16 components in one step. */
const STRIDE_BYTES = 64;
/** 32 MB for vectors of 512 components. */
const CACHED_BYTES = 32 * 1024 * 1024;
/** The cache takes space for all of its rows at once, which for short vectors would be half a million. */
const CACHED_ROWS = 32_768;

export type ExactVectors = {
  /** Forgets the vector of a slot, because another one was written or the slot has another point. */
  readonly forget: (slot: number) => void;
  /**
   * Calls `visit` with the dot product of the query and each of these slots. A slot whose vector is gone is left out.
   */
  readonly score: (query: Float32Array, slots: Uint32Array, visit: (slot: number, product: number) => void) => void;
};

export function createExactVectors(
  dimension: number,
  {
    read,
    cachedRows,
  }: {
    /** The stored unit vector of a slot; null when it is gone. */
    readonly read: (slot: number) => Float32Array | null;
    readonly cachedRows?: number;
  },
): ExactVectors {
  const stride = Math.ceil((dimension * 4) / STRIDE_BYTES) * STRIDE_BYTES;
  const memory = createScanKernel({ queryBytes: stride, rowBytes: stride });
  const most = cachedRows ?? Math.min(CACHED_ROWS, Math.floor(CACHED_BYTES / stride));
  const free: number[] = [];
  let used = 0;
  /** Slot -> row in the memory of the kernel. */
  const rows = new LRUCache<number, number>({ max: most, dispose: (row) => void free.push(row) });

  /**
   * The row of a slot, read if it is not cached; null when its vector is gone. Loading more than `most` rows drops the
   * first ones.
   */
  function load(slot: number): number | null {
    const cached = rows.get(slot);
    if (cached !== undefined) return cached;
    const vector = read(slot);
    if (vector === null) return null;
    if (rows.size >= most) rows.pop();
    const row = free.pop() ?? used++;
    const at = memory.rowAt(row);
    new Float32Array(memory.buffer(), at, dimension).set(vector);
    rows.set(slot, row);
    return row;
  }

  function scoreSome(slots: Uint32Array, visit: (slot: number, product: number) => void): void {
    const present: number[] = [];
    const loaded: number[] = [];
    for (const slot of slots) {
      const row = load(slot);
      if (row === null) continue;
      present.push(slot);
      loaded.push(row);
    }
    let next = 0;
    memory.scan('scan', Uint32Array.from(loaded), (block, scoresAt) => {
      const scores = new Float32Array(memory.buffer(), scoresAt, block.length);
      for (let index = 0; index < block.length; index += 1) visit(present[next++] ?? 0, scores[index] ?? 0);
    });
  }

  return {
    forget: (slot) => void rows.delete(slot),
    score: (query, slots, visit) => {
      new Float32Array(memory.buffer(), memory.queryAt, dimension).set(query);
      for (let start = 0; start < slots.length; start += most) scoreSome(slots.subarray(start, start + most), visit);
    },
  };
}
