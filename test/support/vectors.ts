/** Points, filters and a plain reference search for the tests of vector indexes, and the adapters that they run over. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MemoryFilter } from '../../shared/contract/filter.js';
import type { MemoryId } from '../../shared/contract/memory.js';
import { createSqliteHost } from '../../shared/sqlite/create-sqlite-host.js';
import { createEmbeddedVectorIndex } from '../../shared/vectors/embedded/create-embedded-vector-index.js';
import { vectorMigrations } from '../../shared/vectors/embedded/migrations.js';
import type { QdrantConfig } from '../../shared/vectors/qdrant/qdrant-variables.js';
import type {
  Point,
  PointPayload,
  VectorHit,
  VectorIndexReader,
  VectorIndexWriter,
} from '../../shared/vectors/vectors.js';
import { dropCollections, openQdrantIndex, qdrantTestConfig } from './qdrant.js';
import { isServerWanted } from './servers.js';

export type OpenIndex = {
  readonly index: VectorIndexReader & VectorIndexWriter;
  /** The same points behind a new connection, as after a restart. The index opened before is closed. */
  readonly reopen: (dimension?: number) => Promise<OpenIndex>;
  /** Closes and throws everything away. */
  readonly close: () => Promise<void>;
};
export type VectorAdapter = { readonly name: string; readonly open: (dimension: number) => Promise<OpenIndex> };

/** An adapter of a real server joins by adding its entry. */
export const VECTOR_ADAPTERS: readonly VectorAdapter[] = [
  { name: 'embedded', open: openEmbedded },
  ...(isServerWanted('qdrant')
    ? [{ name: 'qdrant', open: (dimension: number) => openQdrant(qdrantTestConfig(), dimension) }]
    : []),
];

async function openEmbedded(dimension: number): Promise<OpenIndex> {
  const folder = await mkdtemp(join(tmpdir(), 'vectors-'));
  return openEmbeddedIn(folder, dimension).catch(async (error: unknown) => {
    await rm(folder, { recursive: true });
    throw error;
  });
}

async function openEmbeddedIn(folder: string, dimension: number): Promise<OpenIndex> {
  const host = await createSqliteHost({ file: join(folder, 'test.db'), readers: 1, migrations: [vectorMigrations] });
  const index = await createEmbeddedVectorIndex({ host, dimension }).catch(async (error: unknown) => {
    await host.close();
    throw error;
  });
  return {
    index,
    reopen: async (next = dimension) => {
      await host.close();
      return openEmbeddedIn(folder, next);
    },
    close: async () => {
      await host.close();
      await rm(folder, { recursive: true });
    },
  };
}

async function openQdrant(config: QdrantConfig, dimension: number): Promise<OpenIndex> {
  return {
    index: await openQdrantIndex(config, dimension),
    reopen: (next = dimension) => openQdrant(config, next),
    close: () => dropCollections(config),
  };
}

export function memoryId(number: number): MemoryId {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}` as MemoryId; // a UUID in lower case
}

export function point(
  number: number,
  overrides: Partial<Omit<Point, 'payload'>> & { readonly payload?: Partial<PointPayload> } = {},
): Point {
  return {
    id: memoryId(number),
    version: 1,
    vector: Float32Array.of(1, 0, 0),
    model: 'test',
    ...overrides,
    payload: {
      type: 'Context',
      importance: 0.5,
      confidence: 0.9,
      tags: [],
      tagPrefixes: [],
      timestamp: '2024-06-01T00:00:00+00:00',
      updatedAt: '2024-06-01T00:00:00+00:00',
      validFrom: null,
      validUntil: null,
      archived: false,
      ...overrides.payload,
    },
  };
}

export function filter(overrides: Partial<MemoryFilter> = {}): MemoryFilter {
  return {
    tags: null,
    excludeTags: [],
    start: null,
    end: null,
    excludedTypes: [],
    state: 'current',
    now: '2024-06-15T00:00:00+00:00',
    ...overrides,
  };
}

/** The port's promise in its plainest form: every point judged, every cosine computed, everything sorted. */
export function referenceSearch(
  points: readonly Point[],
  {
    vector,
    limit,
    filter: wanted,
  }: { readonly vector: Float32Array; readonly limit: number; readonly filter: MemoryFilter },
): readonly VectorHit[] {
  return points
    .filter(({ payload }) => admits(wanted, payload))
    .map(({ id, vector: other }) => ({ id, similarity: cosine(vector, other) }))
    .sort((a, b) => b.similarity - a.similarity || (a.id < b.id ? -1 : 1))
    .slice(0, limit);
}

function admits(wanted: MemoryFilter, payload: PointPayload): boolean {
  const whole = payload.tags.map((tag) => tag.toLowerCase());
  const { tags } = wanted;
  const holds = (value: string): boolean =>
    tags?.match === 'exact'
      ? whole.includes(value.toLowerCase())
      : payload.tagPrefixes.includes(value.toLowerCase().replaceAll('/', ':'));
  if (tags && !(tags.mode === 'any' ? tags.values.some(holds) : tags.values.every(holds))) return false;
  const keys = [...whole, ...payload.tagPrefixes];
  if (wanted.excludeTags.some((value) => keys.some((key) => key.startsWith(value.toLowerCase())))) return false;
  if (wanted.excludedTypes.includes(payload.type)) return false;
  if (wanted.start !== null && payload.timestamp < wanted.start) return false;
  if (wanted.end !== null && payload.timestamp > wanted.end) return false;
  const isValid =
    (payload.validFrom ?? '') <= wanted.now && (payload.validUntil === null || payload.validUntil > wanted.now);
  if (wanted.state === 'unarchived') return !payload.archived;
  return (wanted.state === 'current') === (!payload.archived && isValid);
}

function cosine(a: Float32Array, b: Float32Array): number {
  const dot = a.reduce((sum, component, index) => sum + component * (b[index] ?? 0), 0);
  return dot / (Math.hypot(...a) * Math.hypot(...b));
}
