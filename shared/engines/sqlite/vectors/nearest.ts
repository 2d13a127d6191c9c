/** Keeps the best hits of a stream: a bounded heap with the worst hit on top. Ties by id ascending. */
import type { VectorHit } from '../../../ports/vectors.js';

export type Nearest = {
  readonly offer: (hit: VectorHit) => void;
  /** The smallest similarity that can still be kept, so that the caller creates no other hits. */
  readonly floor: () => number;
  /** Best first. */
  readonly hits: () => VectorHit[];
};

export function createNearest(limit: number): Nearest {
  const heap: VectorHit[] = [];

  function sink(): void {
    let parent = 0;
    for (;;) {
      let worst = parent;
      for (const child of [2 * parent + 1, 2 * parent + 2]) if (isWorse(heap[child], heap[worst])) worst = child;
      if (worst === parent) return;
      swap(parent, worst);
      parent = worst;
    }
  }

  function rise(): void {
    let child = heap.length - 1;
    while (child > 0) {
      const parent = (child - 1) >> 1;
      if (!isWorse(heap[child], heap[parent])) return;
      swap(child, parent);
      child = parent;
    }
  }

  function swap(a: number, b: number): void {
    const [left, right] = [heap[a], heap[b]];
    if (left === undefined || right === undefined) return;
    heap[a] = right;
    heap[b] = left;
  }

  return {
    floor: () => (heap.length < limit ? -Infinity : (heap[0]?.similarity ?? Infinity)),
    offer: (hit) => {
      if (heap.length < limit) {
        heap.push(hit);
        rise();
      } else if (isWorse(heap[0], hit)) {
        heap[0] = hit;
        sink();
      }
    },
    hits: () => [...heap].sort((a, b) => (isWorse(b, a) ? -1 : 1)),
  };
}

function isWorse(a: VectorHit | undefined, b: VectorHit | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  return a.similarity < b.similarity || (a.similarity === b.similarity && a.id > b.id);
}
