/** The unit vectors as float32 in the memory of the scan kernel. Their dot products are the similarities of the hits. */
import { createScanKernel } from './scan-kernel.js';

/** The kernel processes 16 components in one step. */
const STRIDE_BYTES = 64;

export type ExactVectors = {
  /** Writes a unit vector to a slot. Creates slots beyond the last one. */
  readonly write: (slot: number, vector: Float32Array) => void;
  /** Calls `visit` with the dot product of the query and each of these slots. */
  readonly score: (query: Float32Array, slots: Uint32Array, visit: (slot: number, product: number) => void) => void;
};

export function createExactVectors(dimension: number): ExactVectors {
  const stride = Math.ceil((dimension * 4) / STRIDE_BYTES) * STRIDE_BYTES;
  const memory = createScanKernel({ queryBytes: stride, rowBytes: stride });
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
