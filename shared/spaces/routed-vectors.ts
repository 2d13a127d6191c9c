/**
 * One embedder and one index for callers, over the spaces that are open. A call with the name of a model goes to the
 * space with vectors of this model, so work that began before a switch of the active space ends in the space where it
 * began: vectors of two models never meet.
 */
import type { Embedder } from '../ports/embedder.js';
import type { IndexMark } from '../ports/index-mark.js';
import { SUPPLIED_MODEL } from '../ports/point-payload.js';
import type { Point, VectorIndexReader, VectorIndexWriter } from '../ports/vectors.js';
import type { SpaceFollower } from './space-follower.js';

type WithVectors = { readonly vectors: VectorIndexReader };

/** `dimension`: before the first space is open, the expected one. */
export function routedReader<Expected extends number | null>(
  follower: Pick<SpaceFollower<WithVectors>, 'current' | 'opened' | 'ofModel'>,
  expected: Expected,
): Omit<VectorIndexReader, 'dimension'> & { readonly dimension: number | Expected } {
  const vectors = () => follower.opened().index.vectors;
  return {
    get dimension() {
      const current = follower.current();
      return current === null ? expected : current.index.vectors.dimension;
    },
    ping: async () => vectors().ping(),
    search: async (request) => follower.ofModel(request.model).index.vectors.search(request),
    versions: async (ids) => vectors().versions(ids),
    count: async (request) => vectors().count(request),
    points: async (ids) => vectors().points(ids),
    vectors: async (ids) => vectors().vectors(ids),
    scan: async (request) => vectors().scan(request),
  };
}

/** Assigned, not spread: the dimension changes with the space. */
export function routedIndex(
  follower: Pick<
    SpaceFollower<{ readonly vectors: VectorIndexReader & VectorIndexWriter }>,
    'current' | 'opened' | 'ofModel'
  >,
  expected: number,
): VectorIndexReader & VectorIndexWriter {
  return Object.assign(routedReader(follower, expected), routedWriter(follower));
}

/** Points that callers supplied go to the space of `options.model`, whose dimension they must have. */
export function routedWriter(
  follower: Pick<SpaceFollower<{ readonly vectors: VectorIndexWriter }>, 'opened' | 'ofModel'>,
): VectorIndexWriter {
  return {
    upsert: async (points, options) => {
      const groups = new Map<VectorIndexWriter, Point[]>();
      for (const point of points) {
        const { vectors } = follower.ofModel(point.model === SUPPLIED_MODEL ? options?.model : point.model).index;
        const group = groups.get(vectors);
        if (group) group.push(point);
        else groups.set(vectors, [point]);
      }
      for (const [vectors, group] of groups) await vectors.upsert(group, options);
    },
    remove: async (removals) => follower.opened().index.vectors.remove(removals),
  };
}

export function routedEmbedder(
  follower: Pick<SpaceFollower<{ readonly embedder: Embedder }>, 'current' | 'opened' | 'ofModel'>,
  expectedDimension: number,
): Embedder {
  return {
    get model() {
      return follower.opened().index.embedder.model;
    },
    get dimension() {
      return follower.current()?.index.embedder.dimension ?? expectedDimension;
    },
    embed: async (texts, options) => follower.ofModel(options.model).index.embedder.embed(texts, options),
    close: async () => undefined, // each space closes its own
  };
}

export function routedMark(follower: Pick<SpaceFollower<{ readonly mark: IndexMark }>, 'opened'>): IndexMark {
  return {
    read: async () => follower.opened().index.mark.read(),
    advance: async (mark) => follower.opened().index.mark.advance(mark),
  };
}
