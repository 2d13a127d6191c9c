/** The unit vectors as they are, in the memory of the scan kernel: their products are what the index answers with. */
import { createKernelMemory } from './kernel-memory.js';

/** The kernel takes sixteen components in one step. */
const STRIDE_BYTES = 64;

export type VectorMemory = {
  /** Puts a unit vector into a slot; slots beyond the last one are made. */
  readonly write: (slot: number, vector: Float32Array) => void;
  /** Calls `visit` with the dot product of the query and each of these slots. */
  readonly score: (query: Float32Array, slots: Uint32Array, visit: (slot: number, product: number) => void) => void;
};

export function createVectorMemory(dimension: number): VectorMemory {
  const stride = Math.ceil((dimension * 4) / STRIDE_BYTES) * STRIDE_BYTES;
  const memory = createKernelMemory({ queryBytes: stride, rowBytes: stride });
  return {
    write: (slot, vector) => {
      const at = memory.rowAt(slot);
      new Float32Array(memory.buffer(), at, dimension).set(vector);
    },
    score: (query, slots, visit) => {
      new Float32Array(memory.buffer(), memory.queryAt, dimension).set(query);
      memory.scan('scan', slots, (block, scoresAt) => {
        const scores = new Float32Array(memory.buffer(), scoresAt, block.length);
        for (let index = 0; index < block.length; index += 1) visit(block[index] ?? 0, scores[index] ?? 0);
      });
    },
  };
}
