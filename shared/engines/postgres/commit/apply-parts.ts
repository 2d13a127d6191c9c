/** Applies the events of a group for which the graph failed, in smaller and smaller parts. */
import type { RecordedEvent } from '../../../contract/events.js';
import { DeadlineError, DependencyError, toError } from '../../../kernel/errors.js';
import type { EventAddress } from '../../../ports/outbox.js';

/** Parts of a group that failed which are applied at the same time. */
export const PARTS_CONCURRENCY = 8;
/**
 * A group that failed is divided into so many parts, and so is each part that fails, until a subject is alone. A server
 * that has just started may need longer for its first large group than a transaction may take. 500 transactions with
 * one event each then took half a minute. An event of 500 that never ends delays some of the others by 12 s: 19 s with
 * two parts, and with eight parts each has too little time.
 */
const PARTS = 4;
/** The events that the graph did not apply, by position, each with its id and the error. */
export type Rejected = ReadonlyMap<number, { readonly id: EventAddress['id']; readonly error: unknown }>;

/** Some of the events of one call. `rejected` fails with DependencyError when the graph goes down meanwhile. */
export type AppliedPart = { readonly events: readonly RecordedEvent[]; readonly rejected: Promise<Rejected> };

export const NONE_REJECTED: Rejected = new Map();

type Started = AppliedPart & { readonly settle: (rejected: Promise<Rejected>) => void };

/**
 * Begins to apply the events of several subjects in parts. The parts of one that failed are next, so that an event
 * which the graph cannot apply is soon alone, and a graph that refuses every event is soon found.
 */
export function startParts(
  subjects: readonly (readonly RecordedEvent[])[],
  calls: {
    readonly applyTogether: (events: readonly RecordedEvent[]) => Promise<void>;
    readonly applyOneByOne: (ofSubject: readonly RecordedEvent[]) => Promise<Rejected>;
  },
): readonly AppliedPart[] {
  const started = subjects.map((events): Started => {
    let settle: Started['settle'] = () => undefined;
    const rejected = new Promise<Rejected>((resolve) => (settle = resolve));
    rejected.catch(() => undefined /* the caller of the part gets it */);
    return { events, rejected, settle };
  });
  const waiting = divide(started);
  let running = 0;

  async function applyPart(part: readonly Started[]): Promise<void> {
    const [first] = part;
    if (first && part.length === 1) {
      first.settle(calls.applyOneByOne(first.events));
      return void (await first.rejected.catch(() => undefined));
    }
    try {
      await calls.applyTogether(part.flatMap(({ events }) => events));
      for (const { settle } of part) settle(Promise.resolve(NONE_REJECTED));
    } catch (error) {
      if (isDown(error)) for (const { settle } of part) settle(Promise.reject(toError(error)));
      else waiting.unshift(...divide(part));
    }
  }

  function startNext(): void {
    while (running < PARTS_CONCURRENCY) {
      const part = waiting.shift();
      if (!part) return;
      running += 1;
      void applyPart(part).finally(() => {
        running -= 1;
        startNext();
      });
    }
  }

  startNext();
  return started;
}

function divide<T>(items: readonly T[]): (readonly T[])[] {
  const size = Math.ceil(items.length / PARTS);
  return Array.from({ length: Math.ceil(items.length / size) }, (_, part) =>
    items.slice(part * size, (part + 1) * size),
  );
}

/**
 * The failure concerns every call, not the events of this one: the server is down or cut off, or too many calls wait
 * for it.
 */
export function isDown(error: unknown): boolean {
  return error instanceof DeadlineError || (error instanceof DependencyError && !error.isReachable);
}
