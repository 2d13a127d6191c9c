/**
 * The unit vectors, in the memory of the scan kernel: one row for each slot, and before the rows the query and one block of slot
 * numbers and scores. The kernel reads slots from a list even when all are wanted: 100,000 rows of 512 take 21 ms either way, because
 * it waits for the memory and not for the list.
 */
import { readFileSync } from 'node:fs';
import { DeadlineError } from '../../kernel/errors.js';

const PAGE_BYTES = 65_536;
/** WebAssembly's own limit: 4 GiB, two million vectors of 512. */
const PAGE_LIMIT = 65_536;
/** Slots in one call of the kernel; keeps the scores in the processor's cache. */
const BLOCK_SLOTS = 4_096;
/** The kernel takes sixteen components in one step. */
const STRIDE_BYTES = 64;

/** What this file uses of the global; TypeScript's own declaration comes only with the whole DOM. */
declare const WebAssembly: {
  readonly Memory: new (limits: { readonly initial: number; readonly maximum: number }) => KernelMemory;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: { readonly env: { readonly memory: KernelMemory } }) => { readonly exports: object };
};

type KernelMemory = { readonly buffer: ArrayBuffer; readonly grow: (pages: number) => void };
type Kernel = { readonly scan: (query: number, rows: number, stride: number, list: number, count: number, scores: number) => void };

export type VectorMemory = {
  /** Puts a unit vector into a slot; slots beyond the last one are made. */
  readonly write: (slot: number, vector: Float32Array) => void;
  /** Calls `visit` with the dot product of the query and each of these slots. */
  readonly score: (query: Float32Array, slots: Uint32Array, visit: (slot: number, product: number) => void) => void;
};

export function createVectorMemory(dimension: number): VectorMemory {
  const stride = Math.ceil((dimension * 4) / STRIDE_BYTES) * STRIDE_BYTES;
  // The first page is the kernel's own.
  const queryAt = PAGE_BYTES;
  const listAt = queryAt + stride;
  const scoresAt = listAt + BLOCK_SLOTS * 4;
  const rowsAt = Math.ceil((scoresAt + BLOCK_SLOTS * 4) / STRIDE_BYTES) * STRIDE_BYTES;
  const memory = new WebAssembly.Memory({ initial: Math.ceil(rowsAt / PAGE_BYTES), maximum: PAGE_LIMIT });
  const kernel = instantiate(memory);

  // Growing detaches every view, so views are made where they are used.
  function reserve(bytes: number): void {
    const held = memory.buffer.byteLength / PAGE_BYTES;
    const needed = Math.ceil(bytes / PAGE_BYTES);
    if (needed <= held) return;
    const ample = Math.min(PAGE_LIMIT, Math.max(needed, Math.ceil(held * 1.25)));
    try {
      memory.grow(ample - held);
    } catch {
      throw new DeadlineError(
        `The vector index cannot grow beyond ${held * PAGE_BYTES} bytes: give the process more memory, or move to the distributed composition`, 60,
      );
    }
  }

  return {
    write: (slot, vector) => {
      const at = rowsAt + slot * stride;
      reserve(at + stride);
      new Float32Array(memory.buffer, at, dimension).set(vector);
    },
    score: (query, slots, visit) => {
      new Float32Array(memory.buffer, queryAt, dimension).set(query);
      const list = new Uint32Array(memory.buffer, listAt, BLOCK_SLOTS);
      const scores = new Float32Array(memory.buffer, scoresAt, BLOCK_SLOTS);
      for (let start = 0; start < slots.length; start += BLOCK_SLOTS) {
        const block = slots.subarray(start, start + BLOCK_SLOTS);
        list.set(block);
        kernel.scan(queryAt, rowsAt, stride, listAt, block.length, scoresAt);
        for (let index = 0; index < block.length; index += 1) visit(block[index] ?? 0, scores[index] ?? 0);
      }
    },
  };
}

function instantiate(memory: KernelMemory): Kernel {
  const module = new WebAssembly.Module(readFileSync(new URL('./scan.wasm', import.meta.url)));
  // The build makes exactly this export from kernel/scan.ts.
  return new WebAssembly.Instance(module, { env: { memory } }).exports as Kernel;
}
