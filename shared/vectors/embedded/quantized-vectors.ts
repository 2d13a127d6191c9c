/**
 * The unit vectors quantized to one byte for each component. The speed of a scan is limited by memory bandwidth, and these codes need a quarter
 * of it, so they select the slots that may be among the nearest. Their largest error is known, so the selection misses none of the nearest.
 */
import { createScanKernel } from './scan-kernel.js';

/** The kernel processes 16 components in one step. */
const STRIDE = 16;
/** The largest code of a row and of the query. With these, the sum over 4,000 components fits into 31 bits. */
const ROW_CODE = 127;
const QUERY_CODE = 4_095;
/** The largest difference between dot products of floats because of the order of additions. */
const ROUNDING = 1e-4;

export type QuantizedVectors = {
  /** Writes a unit vector to a slot. Creates slots beyond the last one. */
  readonly write: (slot: number, vector: Float32Array) => void;
  /** The slots that may be among the `limit` nearest to the query, which has unit length. In the order of `slots`. */
  readonly candidates: (query: Float32Array, slots: Uint32Array, limit: number) => Uint32Array;
};

export function createQuantizedVectors(dimension: number): QuantizedVectors {
  const stride = Math.ceil(dimension / STRIDE) * STRIDE;
  const memory = createScanKernel({ queryBytes: 2 * stride, rowBytes: stride });
  /** By slot: the value of one code step. */
  let steps = new Float32Array(0);
  /** The largest distance between any vector and its codes so far. */
  let rowError = 0;

  /** The largest difference between the dot product of the codes and that of the vectors. */
  function margin(queryError: number): number {
    return rowError + queryError * (1 + rowError) + ROUNDING;
  }

  function productsOf(slots: Uint32Array, queryStep: number): Float32Array {
    const products = new Float32Array(slots.length);
    let next = 0;
    memory.scan('scanCodes', slots, (block, scoresAt) => {
      const scores = new Int32Array(memory.buffer(), scoresAt, block.length);
      for (let index = 0; index < block.length; index += 1)
        products[next++] = (scores[index] ?? 0) * (steps[block[index] ?? 0] ?? 0) * queryStep;
    });
    return products;
  }

  return {
    write: (slot, vector) => {
      const at = memory.rowAt(slot);
      const { step, error } = encode(vector, new Int8Array(memory.buffer(), at, dimension), ROW_CODE);
      if (slot >= steps.length) steps = enlarged(steps, Math.max(1_024, slot + 1, steps.length * 2));
      steps[slot] = step;
      rowError = Math.max(rowError, error);
    },
    candidates: (query, slots, limit) => {
      const { step, error } = encode(query, new Int16Array(memory.buffer(), memory.queryAt, dimension), QUERY_CODE);
      const products = productsOf(slots, step);
      // A vector among the nearest has a code product at most one margin below the exact product of the last of them, and that exact product
      // is at most one margin below the last of the largest code products.
      const floor = largest(products, limit) - 2 * margin(error);
      const promising = new Uint32Array(slots.length);
      let count = 0;
      for (let index = 0; index < slots.length; index += 1)
        if ((products[index] ?? 0) >= floor) promising[count++] = slots[index] ?? 0;
      return promising.subarray(0, count);
    },
  };
}

/** Writes the components as multiples of `step`, which is scaled to the largest component. `error` is the distance between vector and codes. */
function encode(
  vector: Float32Array,
  into: Int8Array | Int16Array,
  most: number,
): { readonly step: number; readonly error: number } {
  let widest = 0;
  for (const value of vector) widest = Math.max(widest, Math.abs(value));
  const step = Math.fround(widest / most) || 1;
  let squares = 0;
  for (let index = 0; index < vector.length; index += 1) {
    const value = vector[index] ?? 0;
    const code = Math.max(-most, Math.min(most, Math.round(value / step)));
    into[index] = code;
    const missed = value - code * step;
    squares += missed * missed;
  }
  return { step, error: Math.sqrt(squares) };
}

/** The `rank`-th largest value, from 1; -Infinity if there are fewer values. Uses a heap with the smallest of the largest values on top. */
function largest(values: Float32Array, rank: number): number {
  if (values.length < rank) return -Infinity;
  const heap = values.slice(0, rank).sort();
  for (let index = rank; index < values.length; index += 1) {
    const value = values[index] ?? -Infinity;
    if (value > (heap[0] ?? Infinity)) replaceTop(heap, value);
  }
  return heap[0] ?? -Infinity;
}

function replaceTop(heap: Float32Array, value: number): void {
  let at = 0;
  for (let child = 1; child < heap.length; child = 2 * at + 1) {
    const smaller = child + 1 < heap.length && (heap[child + 1] ?? 0) < (heap[child] ?? 0) ? child + 1 : child;
    const below = heap[smaller] ?? Infinity;
    if (below >= value) break;
    heap[at] = below;
    at = smaller;
  }
  heap[at] = value;
}

function enlarged(values: Float32Array<ArrayBuffer>, length: number): Float32Array<ArrayBuffer> {
  const larger = new Float32Array(length);
  larger.set(values);
  return larger;
}
