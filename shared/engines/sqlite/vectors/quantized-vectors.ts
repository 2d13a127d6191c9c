/**
 * The unit vectors quantized to one byte for each component, as two planes: the upper halves of all codes and the lower
 * halves. The speed of a scan is limited by memory bandwidth, so it reads only the upper halves, an eighth of the
 * float32, and the lower halves of the slots that may be near. Their products select the slots whose exact vectors may
 * be among the nearest.
 */
import { createScanKernel, type ScanKernel } from './scan-kernel.js';

/** The kernel processes 32 components, 16 bytes, in one step. */
const BLOCK = 32;
/**
 * The largest code of a row, 16 x 7 + 7, and of the query. With these, the sums over 4,000 components fit into 31 bits.
 */
const ROW_CODE = 119;
const QUERY_CODE = 4_095;
/** A half is stored with this added, so that it is not negative. */
const HALF_OFFSET = 8;
/** The largest difference between dot products of floats because of the order of additions. */
const ROUNDING = 1e-4;
/**
 * How far the product of the upper halves may be from that of the whole codes, in code steps. The lower half of a
 * component is at most 8 steps, so the standard deviation is at most 8 steps for a query of unit length, and 4.6 steps
 * where the halves are spread evenly. Larger errors are possible but unlikely, and errors do not grow towards near
 * vectors, because the scale of a row makes its product with itself exact, as in RaBitQ. 200 searches of 100,000
 * vectors and 1,260 recalls missed nothing. Vectors built to defeat the allowance can be missed, which harms only the
 * caller who stored them. A proven bound (Cauchy-Schwarz) would admit nearly every row.
 */
const HALF_ERROR_STEPS = 32;

/**
 * The most candidates of one search, or four for each wanted hit. Reached where thousands of vectors are nearly equal,
 * as those of copies are: the exact vectors of 30,000 copies take a second to read. Then the largest products remain.
 */
const CANDIDATES_LIMIT = 2_000;
const CANDIDATES_PER_HIT = 4;

export type QuantizedVectors = {
  /** Writes a unit vector to a slot. Creates slots beyond the last one. */
  readonly write: (slot: number, vector: Float32Array) => void;
  /** The slots that may be among the `limit` nearest to the query, which has unit length. In the order of `slots`. */
  readonly candidates: (query: Float32Array, slots: Uint32Array, limit: number) => Uint32Array;
};

export function createQuantizedVectors(dimension: number): QuantizedVectors {
  const components = Math.ceil(dimension / BLOCK) * BLOCK;
  const stride = components / 2;
  const openPlane = () => createScanKernel({ queryBytes: 2 * components, rowBytes: stride });
  const [upper, lower] = [openPlane(), openPlane()];
  /** By slot: the value of one code step, and of one step of the upper half. */
  let steps = new Float32Array(0);
  let upperSteps = new Float32Array(0);
  /** The largest distance between any vector and its codes so far. */
  let rowError = 0;
  const rowCodes = new Int8Array(dimension);
  const queryCodes = new Int16Array(components);

  /** The largest difference between the dot product of the codes and that of the vectors. */
  function margin(queryError: number): number {
    return rowError + queryError * (1 + rowError) + ROUNDING;
  }

  /** The dot products of `queryCodes` and these rows of a plane. */
  function dotsOf(plane: ScanKernel, slots: Uint32Array): Int32Array {
    new Int16Array(plane.buffer(), plane.queryAt, components).set(queryCodes);
    const dots = new Int32Array(slots.length);
    let next = 0;
    plane.scan('scanHalves', slots, (block, scoresAt) => {
      dots.set(new Int32Array(plane.buffer(), scoresAt, block.length), next);
      next += block.length;
    });
    const offset = HALF_OFFSET * queryCodes.reduce((sum, code) => sum + code, 0);
    for (let index = 0; index < dots.length; index += 1) dots[index] = (dots[index] ?? 0) - offset;
    return dots;
  }

  return {
    write: (slot, vector) => {
      const { step, error } = encode(vector, rowCodes, ROW_CODE);
      const [upperAt, lowerAt] = [upper.rowAt(slot), lower.rowAt(slot)];
      const upperRow = new Uint8Array(upper.buffer(), upperAt, stride).fill(0);
      const lowerRow = new Uint8Array(lower.buffer(), lowerAt, stride).fill(0);
      let along = 0;
      for (let index = 0; index < dimension; index += 1) {
        const shifted = (rowCodes[index] ?? 0) + HALF_OFFSET;
        const half = shifted >> 4; // rounded: the lower half is -8 to 7
        along += half * (vector[index] ?? 0);
        storeHalf(upperRow, index, half + HALF_OFFSET);
        storeHalf(lowerRow, index, shifted & 15);
      }
      if (slot >= steps.length) {
        const length = Math.max(1_024, slot + 1, steps.length * 2);
        [steps, upperSteps] = [enlarged(steps, length), enlarged(upperSteps, length)];
      }
      steps[slot] = step;
      // The product of a vector with itself is exact, so the error does not depend on the vector's own direction. Idea:
      // RaBitQ, SIGMOD 2024.
      upperSteps[slot] = along > 0 ? 1 / along : 0;
      rowError = Math.max(rowError, error);
    },
    candidates: (query, slots, limit) => {
      const { step: queryStep, error } = encode(query, queryCodes, QUERY_CODE);
      const upperDots = dotsOf(upper, slots);
      const estimates = new Float32Array(slots.length);
      for (let index = 0; index < slots.length; index += 1)
        estimates[index] = (upperDots[index] ?? 0) * (upperSteps[slots[index] ?? 0] ?? 0) * queryStep;
      // A vector among the nearest has a code product at most one margin below the exact product of the last of them,
      // and that exact product is at most one margin below the last of the largest code products. The estimates of both
      // may be wrong by the error of the halves.
      const margins = 2 * margin(error);
      const lowest = largest(estimates, limit) - margins;
      const near = new Uint32Array(slots.length);
      let count = 0;
      for (let index = 0; index < slots.length; index += 1) {
        const step = steps[slots[index] ?? 0] ?? 0;
        if ((estimates[index] ?? 0) + 2 * HALF_ERROR_STEPS * step >= lowest) near[count++] = index;
      }
      const nearSlots = new Uint32Array(count);
      for (let at = 0; at < count; at += 1) nearSlots[at] = slots[near[at] ?? 0] ?? 0;
      const products = new Float32Array(count);
      const lowerDots = dotsOf(lower, nearSlots);
      for (let at = 0; at < count; at += 1) {
        const dot = 16 * (upperDots[near[at] ?? 0] ?? 0) + (lowerDots[at] ?? 0);
        products[at] = dot * (steps[nearSlots[at] ?? 0] ?? 0) * queryStep;
      }
      const most = Math.max(CANDIDATES_LIMIT, CANDIDATES_PER_HIT * limit);
      const floor = largest(products, limit) - margins;
      const last = largest(products, most);
      let equal = most - products.filter((product) => product > last).length;
      return nearSlots.filter((_, at) => {
        const found = products[at] ?? 0;
        return found >= floor && (found > last || (found === last && equal-- > 0));
      });
    },
  };
}

/** Writes a value from 0 to 15 to a row of zeros, where `scanHalves` expects it. */
function storeHalf(row: Uint8Array, index: number, half: number): void {
  const [group, lane] = [(index >> 3) & 3, index & 7];
  const at = (index >> 5) * (BLOCK / 2) + 2 * lane + (group >> 1);
  row[at] = (row[at] ?? 0) | (half << (4 * (group & 1)));
}

/**
 * Writes the components as multiples of `step`, which is scaled to the largest component. `error` is the distance
 * between vector and codes.
 */
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

/**
 * The `rank`-th largest value, from 1; -Infinity if there are fewer values. Uses a heap with the smallest of the
 * largest values on top.
 */
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
