/** Events for the tests of projectors, and an event source that delivers them when the test says so. */
import type { Activity, RecordedEvent } from '../../shared/contract/events.js';
import type { Memory, MemoryId } from '../../shared/contract/memory.js';
import type { EventSource, EventSubscription } from '../../shared/stream/stream.js';
import { memoryId } from './vectors.js';

export function memory(number: number, overrides: Partial<Memory> = {}): Memory {
  const time = '2024-06-01T00:00:00+00:00';
  return {
    id: memoryId(number),
    content: `memory ${number}`,
    type: 'Context',
    confidence: 0.9,
    tags: [],
    tag_prefixes: [],
    importance: 0.5,
    metadata: {},
    timestamp: time,
    updated_at: time,
    last_accessed: time,
    enriched: false,
    processed: false,
    ...overrides,
  };
}

const ENVELOPE = {
  schemaVersion: 1,
  revision: 1,
  time: '2024-06-01T00:00:00+00:00',
  actor: { name: 'test', tier: 'api', agent: null },
  correlationId: '00000000-0000-4000-8000-00000000c0de',
  causationId: null,
  traceparent: null,
  tenant: null,
} as const;

/** Ids and positions follow from the number of the memory and the version. */
export function stored(
  number: number,
  {
    version = 1,
    vectorRef = null,
    ...overrides
  }: Partial<Memory> & {
    readonly version?: number;
    readonly vectorRef?: string | null;
  } = {},
): RecordedEvent {
  return {
    ...ENVELOPE,
    ...identity(number, version),
    type: version === 1 ? 'memory.stored' : 'memory.updated',
    data: { memory: memory(number, overrides), vectorRef, changed: [] },
  };
}

export function deleted(number: number, version: number): RecordedEvent {
  return { ...ENVELOPE, ...identity(number, version), type: 'memory.deleted', data: {} };
}

/** The same event as the journal holds it after its memory was deleted. */
export function erased(event: RecordedEvent): RecordedEvent {
  return { ...event, data: null };
}

function identity(number: number, version: number) {
  const subject: MemoryId = memoryId(number);
  const position = number * 100 + version;
  return { id: memoryId(1_000_000 + position), subject, partitionKey: subject, version, position };
}

export type HandFedSource = EventSource & {
  /** Delivers one batch to the subscription; rejects as its handler does. */
  readonly deliver: (events: readonly RecordedEvent[]) => Promise<void>;
  readonly recall: (activities: readonly Activity[]) => Promise<void>;
  readonly isPaused: () => boolean;
};

/** Delivers what the test hands it, in batches as the test makes them; nothing is retried. */
export function createHandFedSource(): HandFedSource {
  let subscription: EventSubscription | undefined;
  let listener: ((activities: readonly Activity[]) => Promise<void>) | undefined;
  let last = 0;
  let isPaused = false;
  const turn = (paused: boolean) => (): void => {
    isPaused = paused;
  };
  const none = {
    position: () => last,
    settled: async () => undefined,
    pause: turn(true),
    resume: turn(false),
    close: async () => undefined,
  };
  return {
    takeoverMs: 2_000,
    subscribe: async (given) => {
      subscription = given;
      return none;
    },
    listen: async (_, handle) => {
      listener = handle;
      return none;
    },
    deliver: async (events) => {
      await subscription?.handle(events, new AbortController().signal);
      last = events.at(-1)?.position ?? last;
    },
    recall: async (activities) => listener?.(activities),
    isPaused: () => isPaused,
  };
}
