/**
 * The layout of the graph view, in a worker of its own: ForceAtlas2 in slices, so that a newer picture replaces the
 * one at work. The policy of the console allows a worker from a file of the service alone.
 */
import iterate from 'graphology-layout-forceatlas2/iterate.js';
import type { Layout, Placed } from './layout.js';

/** Numbers of one node and of one edge in the form that `iterate` reads. */
const NODE_NUMBERS = 10;
const EDGE_NUMBERS = 3;
const MASS = 6;
const CONVERGENCE = 7;
const SIZE = 8;

const SLICE_MS = 40;
/** From this many nodes on, the approximation by Barnes and Hut is faster. */
const APPROXIMATED_NODES = 500;

let current: { readonly layout: Layout; readonly nodes: Float32Array; readonly edges: Float32Array } | null = null;
let sentAt = 0;
let iterations = 0;

addEventListener('message', ({ data }: MessageEvent<Layout>) => {
  const isIdle = current === null;
  current = { layout: data, ...matricesOf(data) };
  iterations = 0;
  sentAt = performance.now();
  if (isIdle) setTimeout(work);
});

function work(): void {
  if (current === null) return;
  const { layout, nodes, edges } = current;
  const order = nodes.length / NODE_NUMBERS;
  const settings = {
    linLogMode: false,
    outboundAttractionDistribution: false,
    adjustSizes: false,
    edgeWeightInfluence: 1,
    scalingRatio: 10,
    strongGravityMode: true,
    gravity: 0.05,
    slowDown: 1 + Math.log(order),
    barnesHutOptimize: order > APPROXIMATED_NODES,
    barnesHutTheta: 0.6,
  };
  for (const until = performance.now() + SLICE_MS; performance.now() < until && iterations < layout.iterations;) {
    iterate(settings, nodes, edges);
    iterations += 1;
  }
  const isDone = iterations >= layout.iterations;
  if (isDone || (layout.everyMs !== null && performance.now() - sentAt >= layout.everyMs)) {
    sentAt = performance.now();
    const placed: Placed = { run: layout.run, positions: positionsOf(nodes), isDone };
    postMessage(placed);
  }
  if (isDone) current = null;
  else setTimeout(work);
}

function matricesOf({ positions, edges: given }: Layout) {
  const nodes = new Float32Array((positions.length / 2) * NODE_NUMBERS);
  for (let node = 0; node < positions.length / 2; node += 1) {
    const at = node * NODE_NUMBERS;
    nodes[at] = positions[2 * node] ?? 0;
    nodes[at + 1] = positions[2 * node + 1] ?? 0;
    nodes[at + MASS] = 1;
    nodes[at + CONVERGENCE] = 1;
    nodes[at + SIZE] = 1;
  }
  const edges = new Float32Array(given);
  for (let at = 0; at < edges.length; at += EDGE_NUMBERS) {
    for (const end of [at, at + 1]) {
      edges[end] = (edges[end] ?? 0) * NODE_NUMBERS;
      const mass = (edges[end] ?? 0) + MASS;
      nodes[mass] = (nodes[mass] ?? 0) + (edges[at + 2] ?? 0);
    }
  }
  return { nodes, edges };
}

function positionsOf(nodes: Float32Array): Float32Array {
  const positions = new Float32Array((nodes.length / NODE_NUMBERS) * 2);
  for (let node = 0; node < positions.length / 2; node += 1) {
    positions[2 * node] = nodes[node * NODE_NUMBERS] ?? 0;
    positions[2 * node + 1] = nodes[node * NODE_NUMBERS + 1] ?? 0;
  }
  return positions;
}
