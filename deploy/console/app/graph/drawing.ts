/**
 * The drawing of the graph view: sigma.js over WebGL. The console loads this file when the view opens for the first
 * time; of the console it imports types, the layout and the labels alone, so that no code is loaded twice.
 */
import { MultiDirectedGraph } from 'graphology';
import Sigma from 'sigma';
import { EdgeArrowProgram, EdgeDoubleArrowProgram, EdgeLineProgram, EdgeRectangleProgram } from 'sigma/rendering';
import { type Colours, drawHover, LABEL_FONT } from './hover.js';
import { createPlacing } from './layout.js';
import type { PictureNode, Shown } from './picture.js';
import { type Label, type Place, placeLabels } from './place-labels.js';
import { SquareProgram } from './square.js';

export type Direction = 'up' | 'down' | 'left' | 'right';

export type Drawing = {
  readonly show: (shown: Shown) => void;
  /** Emphasises a node and its associations, and moves the camera to it. */
  readonly select: (id: string | null) => void;
  /** The neighbour of a node that is nearest to this direction; null without one. Without a node: the first one. */
  readonly neighbourTowards: (id: string | null, direction: Direction) => string | null;
  readonly zoom: (factor: number) => void;
  readonly fit: () => void;
  /** Reads the colours of the page again. */
  readonly recolour: () => void;
  readonly close: () => void;
};

type DrawingOptions = {
  readonly container: HTMLElement;
  readonly onPick: (id: string | null) => void;
  /** The layout began or ended. */
  readonly onMoving: (isMoving: boolean) => void;
};

type NodeAttributes = {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly color: string;
  readonly label: string;
  readonly type: PictureNode['shape'];
};
type EdgeAttributes = { readonly size: number; readonly color: string; readonly type: string; readonly zIndex: number };

const LABEL_LENGTH = 32;
const CAMERA_MS = 250;
/** Of the camera when it moves to a node of a picture with many nodes; 1 shows everything. */
const NEAR_RATIO = 0.4;
const MANY_NODES = 100;
/** A neighbour is in a direction when its angle differs by less: 80 degrees. */
const WIDEST_ANGLE = (80 / 180) * Math.PI;
/** More associations are drawn as lines of one pixel, and not at all while the picture moves. */
const MANY_EDGES = 1_000;
const ANGLES: Readonly<Record<Direction, number>> = { right: 0, up: Math.PI / 2, left: Math.PI, down: -Math.PI / 2 };

/** The ones with a meaning of their own: an arrow from the old to the new memory, or arrows at both ends. */
const ARROWS: Readonly<Record<string, string>> = {
  INVALIDATED_BY: 'arrow',
  EVOLVED_INTO: 'arrow',
  CONTRADICTS: 'double',
};

/** Throws when the browser offers no WebGL. */
export function createDrawing({ container, onPick, onMoving }: DrawingOptions): Drawing {
  const motion = matchMedia('(prefers-reduced-motion: reduce)');
  let colours = readColours(container);
  let selected: string | null = null;
  let near: ReadonlySet<string> = new Set();
  /** The camera stays at the selected node until the user moves it. */
  let follows = false;
  let isArranging = false;
  /** Of the picture that is being drawn. */
  let labels: Label[] = [];
  /** Of the labels in the picture, by the key of their nodes. */
  let places: ReadonlyMap<string, Place> = new Map();
  let graph = new MultiDirectedGraph<NodeAttributes, EdgeAttributes>();
  const sigma = new Sigma<NodeAttributes, EdgeAttributes>(graph, container, {
    nodeProgramClasses: { square: SquareProgram },
    edgeProgramClasses: {
      thin: EdgeLineProgram,
      line: EdgeRectangleProgram,
      arrow: EdgeArrowProgram,
      double: EdgeDoubleArrowProgram,
    },
    allowInvalidContainer: true,
    labelRenderedSizeThreshold: 7,
    minCameraRatio: 0.01,
    maxCameraRatio: 4,
    stagePadding: 40,
    zIndex: true,
    // Drawn when all are known. sigma passes the key, too; its type lacks it.
    defaultDrawNodeLabel: (context, data) => {
      const { key, label, x, y, size, highlighted } = data as typeof data & { readonly key: string };
      if (label === null) return;
      context.font = LABEL_FONT;
      const { width } = context.measureText(label);
      labels.push({ key, text: label, width, x, y, size, isFirst: highlighted === true });
    },
    defaultDrawNodeHover: (context, data) => {
      drawLabels();
      const { key } = data as typeof data & { readonly key: string };
      drawHover(context, data, { colours, place: places.get(key), area: sigma.getDimensions() });
    },
    nodeReducer: (id, data) => {
      if (selected === null) return data;
      if (id === selected) return { ...data, highlighted: true, zIndex: 2 };
      return near.has(id) ? { ...data, zIndex: 1 } : { ...data, color: colours.line, label: null };
    },
    edgeReducer: (id, data) => {
      if (isArranging && graph.size > MANY_EDGES) return { ...data, hidden: true };
      if (selected === null || graph.extremities(id).includes(selected)) return data;
      return { ...data, color: colours.line, zIndex: 0 };
    },
  });
  sigma.on('beforeRender', () => {
    labels = [];
    places = new Map();
  });
  sigma.on('afterRender', () => drawLabels());
  /** Once for each picture; what is drawn over the labels draws them first. */
  function drawLabels(): void {
    const context = sigma.getCanvases()['labels']?.getContext('2d');
    if (!context || labels.length === 0) return;
    context.font = LABEL_FONT;
    context.fillStyle = colours.text;
    const placed = placeLabels(labels, sigma.getDimensions());
    for (const { text, left, baseline } of placed) context.fillText(text, left, baseline);
    places = new Map(placed.map((label) => [label.key, label]));
    labels = [];
  }
  const placing = createPlacing({
    isCalm: () => motion.matches,
    onMoved: (isDone) => {
      graph.updateEachNodeAttributes((id, old) => ({ ...old, ...placing.positions.get(id) }), {
        attributes: ['x', 'y'],
      });
      const place = follows ? placeOf(selected) : undefined;
      if (place !== undefined && !camera.isAnimated()) camera.setState({ x: place.x, y: place.y });
      if (!isDone) return;
      isArranging = false;
      sigma.refresh();
      onMoving(false);
    },
  });
  sigma.on('clickNode', ({ node }) => onPick(node));
  sigma.on('clickStage', () => onPick(null));
  const camera = sigma.getCamera();
  const move = (to: { readonly x?: number; readonly y?: number; readonly ratio: number }): void => {
    if (motion.matches) camera.setState(to);
    else void camera.animate(to, { duration: CAMERA_MS });
  };

  const placeOf = (id: string | null) => (id === null ? undefined : sigma.getNodeDisplayData(id));
  const release = (): void => {
    follows = false;
  };
  for (const event of ['pointerdown', 'wheel']) container.addEventListener(event, release, { passive: true });

  const emphasise = (id: string | null): void => {
    selected = id !== null && graph.hasNode(id) ? id : null;
    near = new Set(selected === null ? [] : graph.neighbors(selected));
  };
  return {
    show: (shown) => {
      const isNew = shown.nodes.some(({ id }) => !placing.positions.has(id));
      placing.place(shown);
      if (isNew) {
        isArranging = true;
        onMoving(true);
      }
      graph = graphOf(shown, placing.positions);
      emphasise(selected);
      sigma.setGraph(graph);
      sigma.setSetting('hideEdgesOnMove', graph.size > MANY_EDGES);
    },
    select: (id) => {
      emphasise(id);
      sigma.refresh({ skipIndexation: true });
      const place = placeOf(selected);
      follows = place !== undefined;
      if (place === undefined) return;
      const ratio = graph.order > MANY_NODES ? Math.min(camera.ratio, NEAR_RATIO) : camera.ratio;
      move({ x: place.x, y: place.y, ratio });
    },
    neighbourTowards: (id, direction) => {
      if (id === null || !graph.hasNode(id)) return graph.nodes()[0] ?? null;
      const from = graph.getNodeAttributes(id);
      const turns = graph.neighbors(id).map((other) => {
        const { x, y } = graph.getNodeAttributes(other);
        const turn = Math.atan2(y - from.y, x - from.x) - ANGLES[direction];
        return { other, turn: Math.abs(Math.atan2(Math.sin(turn), Math.cos(turn))) };
      });
      const best = turns
        .filter(({ other, turn }) => other !== id && turn < WIDEST_ANGLE)
        .sort((one, next) => one.turn - next.turn)[0];
      return best?.other ?? null;
    },
    zoom: (factor) => move({ ratio: camera.getBoundedRatio(camera.ratio / factor) }),
    fit: () => {
      release();
      move({ x: 0.5, y: 0.5, ratio: 1 });
    },
    recolour: () => {
      colours = readColours(container);
      sigma.refresh({ skipIndexation: true });
    },
    close: () => {
      placing.stop();
      for (const event of ['pointerdown', 'wheel']) container.removeEventListener(event, release);
      sigma.kill();
    },
  };
}

function graphOf(
  { nodes, edges }: Shown,
  positions: ReadonlyMap<string, { readonly x: number; readonly y: number }>,
): MultiDirectedGraph<NodeAttributes, EdgeAttributes> {
  const graph = new MultiDirectedGraph<NodeAttributes, EdgeAttributes>();
  for (const node of nodes) {
    const { x, y } = positions.get(node.id) ?? { x: 0, y: 0 };
    const { color, shape: type } = node;
    graph.addNode(node.id, { x, y, size: sizeOf(node), color, label: labelOf(node), type });
  }
  const line = edges.length > MANY_EDGES ? 'thin' : 'line';
  for (const { id, source, target, type, strength, color } of edges) {
    const arrow = ARROWS[type];
    const size = arrow === undefined ? 0.5 + 1.5 * strength : 3;
    graph.addEdgeWithKey(id, source, target, { size, color, type: arrow ?? line, zIndex: arrow === undefined ? 1 : 2 });
  }
  return graph;
}

function sizeOf({ importance }: PictureNode): number {
  return 4 + 6 * importance;
}

function labelOf({ content }: PictureNode): string {
  const characters = [...content];
  return characters.length > LABEL_LENGTH ? `${characters.slice(0, LABEL_LENGTH).join('')}…` : content;
}

function readColours(container: HTMLElement): Colours {
  const style = getComputedStyle(container);
  const read = (name: string): string => style.getPropertyValue(name).trim();
  return { text: read('--text'), back: read('--panel'), line: read('--line') };
}
