/**
 * The embedded engines for one enricher. A recorder replaces the command side: it keeps each enrichment command and
 * applies it to the graph.
 */
import { createEnricher } from '../../../projectors/enricher/enricher.js';
import { enricherConfig } from '../../../projectors/enricher/enricher-config.js';
import type { Projector } from '../../../projectors/projector.js';
import { createVectorIndexer } from '../../../projectors/vector-indexer/vector-indexer.js';
import type { EnrichmentCommand, EnrichmentOutcome, RecordEnrichments } from '../../../shared/contract/enrichment.js';
import type { EventBody, RecordedEvent, Watched } from '../../../shared/contract/events.js';
import type { Memory } from '../../../shared/contract/memory.js';
import type { GraphReader, GraphWriter } from '../../../shared/ports/graph.js';
import { memoryId } from '../fixtures/memories.js';
import { memory, stored } from '../fixtures/projector-events.js';
import { openProjections, type Projections } from './projections.js';
import { createWordHashEmbedder } from './word-hash-embedder.js';

export const NOON = '2024-06-10T12:00:00+00:00';
const DIMENSION = 64;

export type CommandRecorder = {
  readonly record: RecordEnrichments;
  /** The commands of each call, in order. */
  readonly calls: readonly (readonly EnrichmentCommand[])[];
  /** All commands of this kind. */
  readonly of: <K extends EnrichmentCommand['kind']>(
    kind: K,
  ) => readonly Extract<EnrichmentCommand, { readonly kind: K }>[];
};

export type EnrichmentTestDeployment = Projections & {
  readonly recorder: CommandRecorder;
  readonly frames: readonly Watched[];
  /** Applies the events to the graph and the index, as a commit and the vector indexer do. */
  readonly apply: (events: readonly RecordedEvent[]) => Promise<void>;
  readonly enricher: (
    overrides?: Partial<Parameters<typeof createEnricher>[0]>,
    variables?: Readonly<Record<string, string>>,
  ) => Projector;
  readonly index: (events: readonly RecordedEvent[]) => Promise<void>;
};

export async function openEnrichmentTestDeployment(): Promise<EnrichmentTestDeployment> {
  const projections = await openProjections({ dimension: DIMENSION });
  const embedder = createWordHashEmbedder(DIMENSION);
  const indexer = createVectorIndexer({ embedder, ...projections });
  const recorder = createCommandRecorder(projections);
  const frames: Watched[] = [];
  const index = (events: readonly RecordedEvent[]) => indexer.project(events, new AbortController().signal);
  return {
    ...projections,
    recorder,
    frames,
    index,
    apply: async (events) => {
      await projections.graphWriter.apply(events);
      await index(events);
    },
    enricher: (overrides = {}, variables = {}) =>
      createEnricher({
        ...projections,
        embedder,
        record: recorder.record,
        recordConsolidation: (commands) => Promise.resolve(commands.map(() => 'absent' as const)),
        clock: { now: () => new Date(NOON) },
        indexWaitMs: 0,
        config: enricherConfig({ ENRICHMENT_FAILURE_BACKOFF_SECONDS: '0', ...variables }),
        publisher: { notify: (activity) => void (activity.kind === 'watched' && frames.push(activity)) },
        ...overrides,
      }),
  };
}

/** A memory stored on 2024-06-10 at this minute after 08:00 UTC. */
export function storedAt(number: number, minute: number, overrides: Parameters<typeof stored>[1] = {}): RecordedEvent {
  return stored(number, { timestamp: `2024-06-10T08:${String(minute).padStart(2, '0')}:00+00:00`, ...overrides });
}

export function requested(number: number, version: number, overrides: Partial<Memory> = {}): RecordedEvent {
  return eventOf(memory(number, overrides), version, {
    type: 'memory.enrichment.requested',
    data: { memory: memory(number, overrides), vectorRef: null, changed: [], forced: true },
  });
}

function createCommandRecorder({
  graph,
  graphWriter,
}: {
  readonly graph: GraphReader;
  readonly graphWriter: GraphWriter;
}): CommandRecorder {
  const calls: (readonly EnrichmentCommand[])[] = [];

  async function write(command: EnrichmentCommand): Promise<EnrichmentOutcome> {
    const [loaded] = await graph.memories([command.id]);
    if (loaded === undefined && command.kind !== 'pattern') return 'absent';
    if ((loaded?.version ?? 0) !== command.expectedVersion) return 'outdated';
    const before = loaded?.memory ?? memory(0, { id: command.id, type: 'MetaPattern' });
    await graphWriter.apply([eventOf(before, command.expectedVersion + 1, bodyOf(command, before))]);
    return 'done';
  }

  return {
    calls,
    of: (kind) => calls.flat().filter((command) => command.kind === kind) as never, // `kind` decides the type
    record: async (commands) => {
      calls.push(commands);
      const outcomes: EnrichmentOutcome[] = [];
      for (const command of commands) outcomes.push(await write(command));
      return outcomes;
    },
  };
}

function bodyOf(command: EnrichmentCommand, before: Memory): EventBody {
  const rest = { vectorRef: null, changed: [] };
  switch (command.kind) {
    case 'enriched': {
      const { entities, summary, findings, derived } = command;
      const after = {
        ...before,
        entities: mutable(entities),
        metadata: { ...before.metadata, enrichment: findings },
        enriched: true,
        processed: true,
      };
      return {
        type: 'memory.enriched',
        data: { ...rest, memory: { ...after, ...(summary === null ? {} : { summary }) }, derived },
      };
    }
    case 'failed':
      return {
        type: 'memory.enrichment.failed',
        data: { ...rest, memory: before, attempts: command.attempts, error: command.error },
      };
    case 'pattern': {
      const { content, confidence, metadata } = command;
      return {
        type: 'memory.stored',
        data: { ...rest, memory: { ...before, content, confidence, metadata, enriched: true, processed: true } },
      };
    }
    default:
      return command satisfies never;
  }
}

function mutable(entities: Readonly<Record<string, readonly string[]>>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(entities).map(([category, names]) => [category, [...names]]));
}

function eventOf({ id }: Memory, version: number, body: EventBody): RecordedEvent {
  const { data: _data, type: _type, ...envelope } = stored(1);
  return { ...envelope, id: memoryId(900_000 + version), subject: id, partitionKey: id, version, ...body };
}
