/**
 * A memory with its neighbours: those by associations on the inner ring, those by meaning on the outer one. Each is a
 * link.
 */
import type { ReplyOf } from '../../../../shared/contract/operations.js';
import { hrefOf } from '../service/route.js';
import { shorten } from './basics.js';

type Neighbours = ReplyOf<'listNeighbours'>;
type Drawn = Neighbours['graph_neighbors'][number];

/** Nodes of the drawing. */
const NODES_LIMIT = 50;
const SIZE = 420;
const CENTER = SIZE / 2;
const RINGS = { association: 110, meaning: 175 } as const;
const LABEL_LENGTH = 60;
/** More nodes would have labels over each other. */
const LABELLED = 16;

type Placed = { readonly node: Drawn; readonly x: number; readonly y: number; readonly ring: keyof typeof RINGS };

export function Neighbourhood({ neighbours }: { readonly neighbours: Neighbours }) {
  const { center, graph_neighbors: associated, semantic_neighbors: similar, edges } = neighbours;
  const known = new Set(associated.map(({ id }) => id));
  const inner = associated.slice(0, NODES_LIMIT - 1);
  const outer = similar.filter(({ id }) => !known.has(id)).slice(0, NODES_LIMIT - 1 - inner.length);
  const placed = [...ring(inner, 'association'), ...ring(outer, 'meaning')];
  if (placed.length === 0) return <p>It has no neighbours yet.</p>;
  const hidden = associated.length + similar.length - placed.length - similar.filter(({ id }) => known.has(id)).length;
  const positions = new Map<string, { x: number; y: number }>([
    [center.id, { x: CENTER, y: CENTER }],
    ...placed.map(({ node, x, y }) => [node.id, { x, y }] as const),
  ]);
  return (
    <figure class="neighbourhood">
      <svg viewBox={`0 0 ${SIZE} ${SIZE}`} aria-label={`${placed.length} neighbours`} role="group">
        {edges.map(({ id, source, target, type }) => {
          const from = positions.get(source);
          const to = positions.get(target);
          if (from === undefined || to === undefined) return null;
          return (
            <line key={id} x1={from.x} y1={from.y} x2={to.x} y2={to.y}>
              <title>{type}</title>
            </line>
          );
        })}
        {placed
          .filter((each) => each.ring === 'meaning')
          .map(({ node, x, y }) => (
            <line key={node.id} class="meaning" x1={CENTER} y1={CENTER} x2={x} y2={y} />
          ))}
        <circle class="center" cx={CENTER} cy={CENTER} r="12" />
        {placed.map((each) => (
          <Node key={each.node.id} {...each} isLabelled={placed.length <= LABELLED} />
        ))}
      </svg>
      <figcaption>
        Inner ring: associations. Outer ring, dashed: similar meaning.
        {hidden > 0 && ` ${hidden} more are not drawn.`}
      </figcaption>
    </figure>
  );
}

function Node({ node, x, y, ring: kind, isLabelled }: Placed & { readonly isLabelled: boolean }) {
  const name = shorten(node.content, LABEL_LENGTH);
  return (
    <a href={hrefOf('memory', node.id)}>
      <title>{name}</title>
      <circle class={kind} cx={x} cy={y} r={6 + 5 * node.importance} />
      {isLabelled && (
        <text x={x} y={y > CENTER ? y + 24 : y - 16} text-anchor="middle" aria-hidden="true">
          {shorten(node.content, 16)}
        </text>
      )}
    </a>
  );
}

function ring(nodes: readonly Drawn[], kind: keyof typeof RINGS): readonly Placed[] {
  const turn = kind === 'meaning' ? Math.PI / Math.max(1, nodes.length) : 0;
  return nodes.map((node, index) => {
    const angle = turn + (2 * Math.PI * index) / nodes.length;
    return {
      node,
      ring: kind,
      x: CENTER + RINGS[kind] * Math.sin(angle),
      y: CENTER - RINGS[kind] * Math.cos(angle),
    };
  });
}
