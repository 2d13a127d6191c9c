/** Where the nodes of the graph view are: remembered for the tab's picture, and moved by a worker. */
import type { Shown } from './picture.js';

/** What the worker gets. */
export type Layout = {
  readonly run: number;
  /** x and y of each node. */
  readonly positions: Float32Array;
  /** Of each edge: the indices of its two nodes, and its weight. */
  readonly edges: Float32Array;
  readonly iterations: number;
  /** Between two answers; null: only the last one. */
  readonly everyMs: number | null;
};

/** What the worker answers. */
export type Placed = { readonly run: number; readonly positions: Float32Array; readonly isDone: boolean };

export type Position = { readonly x: number; readonly y: number };

const ITERATIONS = 400;
/** More nodes are drawn less often while they move: each time costs the page some 50 ms. */
const MANY_NODES = 1_000;
const EVERY_MS = { few: 60, many: 1_000 } as const;
/** The angle between two leaves of a plant: neighbours in the spiral are far from each other. */
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));
const SPIRAL_STEP = 12;
const NEAR = 20;

export type Placing = {
  /** Of each node that was placed once. */
  readonly positions: Map<string, Position>;
  /** Gives new nodes a position next to a neighbour that has one, and lets the worker move them all. */
  readonly place: (shown: Shown) => void;
  readonly stop: () => void;
};

/** `onMoved` is called after each answer of the worker. */
export function createPlacing({
  isCalm,
  onMoved,
}: {
  /** Shows the end of the movement alone. */ readonly isCalm: () => boolean;
  readonly onMoved: (isDone: boolean) => void;
}): Placing {
  const positions = new Map<string, Position>();
  // Next to the page, as a file of its own: the policy allows neither `blob:` nor `data:`.
  const worker = new Worker('layout-worker.js', { type: 'module' });
  let run = 0;
  let ids: readonly string[] = [];
  worker.addEventListener('message', ({ data }: MessageEvent<Placed>) => {
    if (data.run !== run) return; // of an older picture
    for (const [index, id] of ids.entries())
      positions.set(id, { x: data.positions[2 * index] ?? 0, y: data.positions[2 * index + 1] ?? 0 });
    onMoved(data.isDone);
  });
  // Without the worker, the nodes stay where they began.
  worker.addEventListener('error', () => onMoved(true));

  return {
    positions,
    place: (shown) => {
      if (shown.nodes.every(({ id }) => positions.has(id))) return;
      placeNew(shown, positions);
      run += 1;
      ids = shown.nodes.map(({ id }) => id);
      const indices = new Map(ids.map((id, index) => [id, index]));
      const layout: Layout = {
        run,
        positions: new Float32Array(ids.flatMap((id) => [positions.get(id)?.x ?? 0, positions.get(id)?.y ?? 0])),
        edges: new Float32Array(
          shown.edges.flatMap(({ source, target, strength }) => [
            indices.get(source) ?? 0,
            indices.get(target) ?? 0,
            0.1 + strength,
          ]),
        ),
        iterations: ITERATIONS,
        everyMs: isCalm() ? null : ids.length > MANY_NODES ? EVERY_MS.many : EVERY_MS.few,
      };
      worker.postMessage(layout);
    },
    stop: () => worker.terminate(),
  };
}

function placeNew({ nodes, edges }: Shown, positions: Map<string, Position>): void {
  const anchors = new Map<string, Position>();
  for (const { source, target } of edges)
    for (const [one, other] of [
      [source, target],
      [target, source],
    ] as const) {
      const known = positions.get(one);
      if (known !== undefined && !positions.has(other)) anchors.set(other, known);
    }
  for (const { id } of nodes) {
    if (positions.has(id)) continue;
    const angle = positions.size * GOLDEN_ANGLE;
    const anchor = anchors.get(id);
    const distance = anchor === undefined ? SPIRAL_STEP * Math.sqrt(positions.size) : NEAR;
    const { x, y } = anchor ?? { x: 0, y: 0 };
    positions.set(id, { x: x + distance * Math.cos(angle), y: y + distance * Math.sin(angle) });
  }
}
