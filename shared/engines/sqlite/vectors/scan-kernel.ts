/**
 * One instance of the WebAssembly scan kernel and its memory: the query, one block of slot numbers and scores, then one
 * row for each slot. The kernel reads slots from a list even for a scan of all slots: 100,000 rows of 512 components
 * take 21 ms with or without a list, because memory bandwidth limits the speed.
 */
import { readFileSync } from 'node:fs';
import { DeadlineError } from '../../../kernel/errors.js';

const PAGE_BYTES = 65_536;
/** The limit of WebAssembly: 4 GiB, two million vectors of 512 components. */
const PAGE_LIMIT = 65_536;
/** Slots in one call of the kernel, so that the scores stay in the processor cache. */
const BLOCK_SLOTS = 4_096;
/** The address of the first row is a multiple of this. */
const ALIGNMENT_BYTES = 64;

/** The part of the global that this file uses. TypeScript declares it only together with the whole DOM. */
declare const WebAssembly: {
  readonly Memory: new (limits: { readonly initial: number; readonly maximum: number }) => Memory;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: { readonly env: { readonly memory: Memory } },
  ) => { readonly exports: object };
};

type Memory = { readonly buffer: ArrayBuffer; readonly grow: (pages: number) => void };
type Scan = (query: number, rows: number, stride: number, list: number, count: number, scores: number) => void;
type Kernel = { readonly scan: Scan; readonly scanHalves: Scan };

export type ScanKernel = {
  /** The address of the query. */
  readonly queryAt: number;
  /** The address of a slot's row. Creates slots beyond the last one. */
  readonly rowAt: (slot: number) => number;
  /** Ask for the buffer before each use, because growing the memory detaches it. */
  readonly buffer: () => ArrayBuffer;
  /**
   * Runs the kernel over these slots, block by block. `visit` reads the scores of a block, four bytes each, at
   * `scoresAt`.
   */
  readonly scan: (
    kernel: keyof Kernel,
    slots: Uint32Array,
    visit: (block: Uint32Array, scoresAt: number) => void,
  ) => void;
};

export function createScanKernel({
  queryBytes,
  rowBytes,
}: {
  readonly queryBytes: number;
  readonly rowBytes: number;
}): ScanKernel {
  // The kernel itself uses the first page.
  const queryAt = PAGE_BYTES;
  const listAt = queryAt + queryBytes;
  const scoresAt = listAt + BLOCK_SLOTS * 4;
  const rowsAt = Math.ceil((scoresAt + BLOCK_SLOTS * 4) / ALIGNMENT_BYTES) * ALIGNMENT_BYTES;
  const memory = new WebAssembly.Memory({ initial: Math.ceil(rowsAt / PAGE_BYTES), maximum: PAGE_LIMIT });
  const kernel = instantiate(memory);

  function reserve(bytes: number): void {
    const held = memory.buffer.byteLength / PAGE_BYTES;
    const needed = Math.ceil(bytes / PAGE_BYTES);
    if (needed <= held) return;
    const ample = Math.min(PAGE_LIMIT, Math.max(needed, Math.ceil(held * 1.25)));
    try {
      memory.grow(ample - held);
    } catch {
      throw new DeadlineError(
        `The vector index cannot grow beyond ${held * PAGE_BYTES} bytes: give the process more memory, or move to the distributed composition`,
        60,
      );
    }
  }

  return {
    queryAt,
    rowAt: (slot) => {
      const at = rowsAt + slot * rowBytes;
      reserve(at + rowBytes);
      return at;
    },
    buffer: () => memory.buffer,
    scan: (name, slots, visit) => {
      const list = new Uint32Array(memory.buffer, listAt, BLOCK_SLOTS);
      for (let start = 0; start < slots.length; start += BLOCK_SLOTS) {
        const block = slots.subarray(start, start + BLOCK_SLOTS);
        list.set(block);
        kernel[name](queryAt, rowsAt, rowBytes, listAt, block.length, scoresAt);
        visit(block, scoresAt);
      }
    },
  };
}

function instantiate(memory: Memory): Kernel {
  const module = new WebAssembly.Module(readFileSync(new URL('./scan.wasm', import.meta.url)));
  // The build creates exactly these exports from kernel/scan.ts.
  return new WebAssembly.Instance(module, { env: { memory } }).exports as Kernel;
}
