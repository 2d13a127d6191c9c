/** What the graph view has read so far, and the part of it that filters and limits let it draw. Pure. */
import { shorten } from '../parts/basics.js';

/** Of the picture; more are not read. */
export const NODES_LIMIT = 5_000;
export const EDGES_LIMIT = 20_000;
/** Associations that are drawn at one memory, the strongest ones. */
export const HUB_LIMIT = 50;
/** Characters of a memory in the picture; its panel has all of them. */
const CONTENT_LENGTH = 200;

/** An entity that a memory names, after the tag that enrichment gives to the memory. */
export const ENTITY = 'entity';
const ENTITY_TAG = /^entity:([^:]+):(.+)$/u;
/** Entities are left out of larger pictures unless the user adds them. */
const ENTITIES_FROM_THE_START = 1_000;

export type PictureNode = {
  readonly id: string;
  readonly content: string;
  readonly type: string;
  readonly importance: number;
  readonly tags: readonly string[];
  readonly timestamp: string;
  /** #RRGGBB, as the service gives it. */
  readonly color: string;
  readonly shape: 'circle' | 'square';
};

export type PictureEdge = {
  readonly id: string;
  readonly source: string;
  readonly target: string;
  readonly type: string;
  readonly strength: number;
  readonly color: string;
};

export type Picture = {
  /** By id, in the order in which they came. */
  readonly nodes: ReadonlyMap<string, PictureNode>;
  readonly edges: ReadonlyMap<string, PictureEdge>;
  /** A limit left something out. */
  readonly isFull: boolean;
};

export type Filters = {
  /** Types of memories and associations. */
  readonly hidden: ReadonlySet<string>;
  /** A whole tag; empty: all. */
  readonly tag: string;
  /** Days, inclusive; empty: no bound. */
  readonly since: string;
  readonly until: string;
  /** The smallest strength of an association. */
  readonly strength: number;
  /** Null: according to the size of the picture. */
  readonly entities: boolean | null;
};

/** What is drawn and listed. */
export type Shown = {
  /** Memories, and after them entities, whose type is ENTITY and whose id is their tag. */
  readonly nodes: readonly PictureNode[];
  /** Associations, strongest first, and after them one from each entity to each of its memories. */
  readonly edges: readonly PictureEdge[];
  /** Memories with more associations than are drawn. */
  readonly hubs: ReadonlySet<string>;
};

export const EMPTY_PICTURE: Picture = { nodes: new Map(), edges: new Map(), isFull: false };

export type PicturePart = {
  readonly nodes: readonly Omit<PictureNode, 'shape'>[];
  readonly edges: readonly PictureEdge[];
};

/** Adds what a route answered, up to the limits. Later answers replace what they have in common. */
export function withPart(picture: Picture, part: PicturePart): Picture {
  const nodes = new Map(picture.nodes);
  const edges = new Map(picture.edges);
  let { isFull } = picture;
  for (const { id, content, type, importance, tags, timestamp, color } of part.nodes) {
    if (nodes.size < NODES_LIMIT || nodes.has(id))
      nodes.set(id, {
        id,
        content: shorten(content, CONTENT_LENGTH),
        type,
        importance,
        tags,
        timestamp,
        color,
        shape: 'circle',
      });
    else isFull = true;
  }
  for (const { id, source, target, type, strength, color } of [...part.edges].sort(byStrength)) {
    if (!nodes.has(source) || !nodes.has(target)) continue;
    if (edges.size < EDGES_LIMIT || edges.has(id)) edges.set(id, { id, source, target, type, strength, color });
    else isFull = true;
  }
  return { nodes, edges, isFull };
}

/** Whether the picture has entities: as the user chose, and before that if it is small. */
export function hasEntities({ nodes }: Picture, { entities }: Filters): boolean {
  return entities ?? nodes.size <= ENTITIES_FROM_THE_START;
}

export function isEntity(id: string): boolean {
  return ENTITY_TAG.test(id);
}

export function shownOf(picture: Picture, filters: Filters): Shown {
  const shown = memoriesOf(picture, filters);
  return hasEntities(picture, filters) ? withEntities(shown) : shown;
}

/** Entities of memories that are shown; of an entity with more than HUB_LIMIT memories, the first ones. */
function withEntities({ nodes, edges, hubs }: Shown): Shown {
  const entities = new Map<string, PictureNode>();
  const names: PictureEdge[] = [];
  const degrees = new Map<string, number>();
  const crowded = new Set(hubs);
  for (const { id, tags, timestamp } of nodes)
    for (const tag of new Set(tags)) {
      const [, category = '', slug = ''] = ENTITY_TAG.exec(tag) ?? [];
      if (category === '') continue;
      if (!entities.has(tag)) {
        if (nodes.length + entities.size >= NODES_LIMIT) continue;
        const content = `${slug.replaceAll('-', ' ')} (${category})`;
        entities.set(tag, {
          ...{ id: tag, content, type: ENTITY, importance: 1, tags: [], timestamp },
          ...{ color: ENTITY_COLOR, shape: 'square' },
        });
      }
      const degree = degrees.get(tag) ?? 0;
      if (degree >= HUB_LIMIT || edges.length + names.length >= EDGES_LIMIT) {
        crowded.add(tag);
        continue;
      }
      degrees.set(tag, degree + 1);
      names.push({ id: `${tag} ${id}`, source: tag, target: id, type: ENTITY, strength: 0.2, color: ENTITY_COLOR });
    }
  return { nodes: [...nodes, ...entities.values()], edges: [...edges, ...names], hubs: crowded };
}

/** Has a contrast of 3 to 1 on both backgrounds. */
const ENTITY_COLOR = '#7C8594';

function memoriesOf({ nodes, edges }: Picture, filters: Filters): Shown {
  const isShown = ({ type, tags, timestamp }: PictureNode): boolean =>
    !filters.hidden.has(type) &&
    (filters.tag === '' || tags.includes(filters.tag)) &&
    (filters.since === '' || timestamp >= filters.since) &&
    (filters.until === '' || timestamp.slice(0, filters.until.length) <= filters.until);
  const shown = [...nodes.values()].filter(isShown);
  const degrees = new Map(shown.map(({ id }) => [id, 0]));
  const hubs = new Set<string>();
  const strongest = [...edges.values()]
    .filter(({ type, strength, source, target }) => {
      return !filters.hidden.has(type) && strength >= filters.strength && degrees.has(source) && degrees.has(target);
    })
    .sort(byStrength)
    .filter(({ source, target }) => {
      const crowded = [source, target].filter((id) => (degrees.get(id) ?? 0) >= HUB_LIMIT);
      for (const id of crowded) hubs.add(id);
      if (crowded.length > 0) return false;
      for (const id of [source, target]) degrees.set(id, (degrees.get(id) ?? 0) + 1);
      return true;
    });
  return { nodes: shown, edges: strongest, hubs };
}

function byStrength(one: PictureEdge, other: PictureEdge): number {
  return other.strength - one.strength || (one.id < other.id ? -1 : Number(one.id > other.id));
}
