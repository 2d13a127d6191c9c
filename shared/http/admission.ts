/**
 * Decides when the work of a request begins. Requests beyond the capacity of the process wait, each caller in a queue
 * of its own, and the queues take turns by cost: deficit round robin (Shreedhar and Varghese, 1995). So a
 * caller that sends much waits for itself. A caller with nothing at work does not wait for the work of others: there is
 * as much capacity again for such requests. While others send light requests, a heavy one keeps its capacity for some
 * time after its work: the servers behind the process share their cores among requests, and know no caller.
 */
import { availableParallelism } from 'node:os';
import type { Metrics } from '../kernel/metrics/metrics.js';
import { type Arrivals, NO_ARRIVALS } from './arrivals.js';
import { EdgeError } from './edge-state.js';

/**
 * Costs are in units; one unit is about a millisecond of a core. Light and heavy requests have separate capacities, so
 * that a recall or a store never waits for a scan, not even for one of the same caller.
 */
export type AdmissionLimits = {
  /** A request above this cost is heavy. */
  readonly heavyUnits: number;
  /** Units of all light requests at work, and of all heavy ones, for each core. One that costs more takes all of it. */
  readonly lightCapacity: number;
  readonly heavyCapacity: number;
  readonly cores: number;
  /** After this time at work a request gives its capacity back: it waits for a server more than it works. */
  readonly lightHoldMs: number;
  readonly heavyHoldMs: number;
  /** While others are active, a heavy request keeps its capacity for this many times the time of its work, after it. */
  readonly heavyRestFactor: number;
  /** Requests of one caller that wait. */
  readonly callerWaiting: number;
  /** How long a request waits. */
  readonly waitMs: number;
};

export const ADMISSION_LIMITS: AdmissionLimits = {
  heavyUnits: 50,
  lightCapacity: 50,
  heavyCapacity: 75,
  cores: Math.max(2, availableParallelism()),
  lightHoldMs: 1_000,
  heavyHoldMs: 3_000,
  heavyRestFactor: 2,
  callerWaiting: 2_000,
  waitMs: 30_000,
};

/** The capacity for callers with nothing at work, as a multiple of the capacity of all. */
const OPENED_CAPACITY = 2;

/** A caller counts as active for this time after it has sent a light request. */
const ACTIVE_MS = 1_000;

/** What a caller gains in each turn: a few light requests, or a part of a heavy one. */
const TURN_UNITS = 50;

export type Work = {
  /** Callers share the capacity fairly. */
  readonly caller: string;
  readonly units: number;
  /** Aborted when the client has disconnected. */
  readonly signal: AbortSignal;
};

/**
 * Resolves with the function to call when the work has ended. Throws an EdgeError: 429 when the caller has too much
 * waiting or has waited too long, 408 when the client has disconnected.
 */
export type Admit = (work: Work) => Promise<() => void>;

export function createAdmission(
  metrics: Metrics,
  limits: AdmissionLimits = ADMISSION_LIMITS,
  arrivals: Arrivals = NO_ARRIVALS,
): Admit {
  const { callerWaiting, waitMs, cores } = limits;
  const observe = (kind: string) => (seconds: number) =>
    metrics.observe('palimpsest_admission_wait_seconds', { room: kind }, seconds);
  const common = { callerWaiting, waitMs, arrivals };
  const light = createPool(
    { ...common, units: limits.lightCapacity * cores, holdMs: limits.lightHoldMs, restMs: () => 0 },
    observe('light'),
  );
  const active = createActiveCallers();
  const heavy = createPool(
    {
      ...common,
      units: limits.heavyCapacity * cores,
      holdMs: limits.heavyHoldMs,
      restMs: ({ caller, workedMs }) => (active.hasOther(caller) ? limits.heavyRestFactor * workedMs : 0),
    },
    observe('heavy'),
  );
  return (work) => {
    if (work.units > limits.heavyUnits) return heavy(work);
    active.note(work.caller);
    return light(work);
  };
}

/** Knows the last two callers, which is enough to say whether one is not alone. */
function createActiveCallers() {
  let last = { caller: '', at: -Infinity };
  let other = last;
  return {
    note: (caller: string): void => {
      if (caller !== last.caller) other = last;
      last = { caller, at: performance.now() };
    },
    hasOther: (caller: string): boolean => performance.now() - (caller === last.caller ? other : last).at < ACTIVE_MS,
  };
}

type PoolLimits = {
  readonly units: number;
  readonly holdMs: number;
  /** How long a request still has its capacity after its work. */
  readonly restMs: (ended: { readonly caller: string; readonly workedMs: number }) => number;
  readonly callerWaiting: number;
  readonly waitMs: number;
  readonly arrivals: Arrivals;
};

type Waiting = { readonly units: number; readonly begin: () => void };
type Queue = { readonly caller: string; deficit: number; readonly waiting: Waiting[] };

function createPool(
  { units: capacity, holdMs, restMs, callerWaiting, waitMs, arrivals }: PoolLimits,
  observeWait: (seconds: number) => void,
): Admit {
  let atWork = 0;
  /** Units that began in this turn of the event loop. Work that ends in its turn would else be followed by more. */
  let begunInTurn = 0;
  /** The requests at work of each caller that has any. */
  const working = new Map<string, number>();
  /** The callers with waiting requests. The order of the map is the order of their turns. */
  const queues = new Map<string, Queue>();

  const fits = (units: number, most = capacity): boolean =>
    !arrivals.isBurst() &&
    (atWork === 0 || atWork + units <= most) &&
    (begunInTurn === 0 || begunInTurn + units <= capacity);

  const opens = (caller: string, units: number): boolean =>
    !working.has(caller) && fits(units, OPENED_CAPACITY * capacity);

  function beginsAtOnce(caller: string, units: number): boolean {
    if (queues.has(caller)) return false;
    return opens(caller, units) || (queues.size === 0 && fits(units));
  }

  function count(caller: string, change: number): void {
    const requests = (working.get(caller) ?? 0) + change;
    if (requests === 0) working.delete(caller);
    else working.set(caller, requests);
  }

  function endTurn(): void {
    begunInTurn = 0;
    beginWaiting();
  }

  function begin(caller: string, units: number): () => void {
    if (begunInTurn === 0) setImmediate(endTurn);
    begunInTurn += units;
    atWork += units;
    count(caller, 1);
    const begunAt = performance.now();
    let hasEnded = false;
    const giveBack = (): void => {
      atWork -= units;
      count(caller, -1);
      beginWaiting();
    };
    const end = (): void => {
      if (hasEnded) return;
      hasEnded = true;
      clearTimeout(timer);
      const rest = restMs({ caller, workedMs: performance.now() - begunAt });
      if (rest > 0) setTimeout(giveBack, rest).unref();
      else giveBack();
    };
    const timer = setTimeout(end, holdMs).unref();
    return end;
  }

  function beginWaiting(): void {
    for (let queue = first(queues); queue !== undefined; queue = first(queues)) {
      const [next] = queue.waiting;
      if (next === undefined) queues.delete(queue.caller);
      else if (!fits(next.units)) return;
      else if (queue.deficit >= next.units) {
        queue.deficit -= next.units;
        queue.waiting.shift();
        next.begin();
      } else {
        queue.deficit += TURN_UNITS;
        queues.delete(queue.caller);
        queues.set(queue.caller, queue);
      }
    }
  }

  function endBurst(): void {
    for (const queue of [...queues.values()]) {
      const [next] = queue.waiting;
      if (next === undefined || !opens(queue.caller, next.units)) continue;
      queue.waiting.shift();
      queues.delete(queue.caller);
      queues.set(queue.caller, queue);
      next.begin();
    }
    beginWaiting();
  }
  arrivals.onEnd(endBurst);

  return ({ caller, units: asked, signal }) => {
    if (signal.aborted) return Promise.reject(disconnected());
    const units = Math.min(asked, capacity);
    if (beginsAtOnce(caller, units)) return Promise.resolve(begin(caller, units));
    const queue = queues.get(caller) ?? { caller, deficit: 0, waiting: [] };
    if (queue.waiting.length >= callerWaiting)
      return Promise.reject(tooMuch(units, `${callerWaiting} of your requests wait`));
    queues.set(caller, queue);
    const arrivedAt = performance.now();
    return new Promise((resolve, reject) => {
      const leave = (error: EdgeError): void => {
        queue.waiting.splice(queue.waiting.indexOf(waiting), 1);
        settle();
        reject(error);
        beginWaiting(); // a lighter request may be next now
      };
      const hangUp = (): void => leave(disconnected());
      const late = setTimeout(() => leave(tooMuch(units, `it waited ${waitMs / 1_000} s`)), waitMs).unref();
      const settle = (): void => {
        clearTimeout(late);
        signal.removeEventListener('abort', hangUp);
        observeWait((performance.now() - arrivedAt) / 1_000);
      };
      const waiting: Waiting = {
        units,
        begin: () => {
          settle();
          resolve(begin(caller, units));
        },
      };
      queue.waiting.push(waiting);
      signal.addEventListener('abort', hangUp, { once: true });
    });
  };
}

const first = (queues: ReadonlyMap<string, Queue>): Queue | undefined => queues.values().next().value;

const RETRY_AFTER_SECONDS = 1;

export function disconnected(): EdgeError {
  return new EdgeError(408, 'The client closed the connection before the work began');
}

function tooMuch(units: number, why: string): EdgeError {
  const text = `This request costs ${Math.ceil(units)} units of work, and ${why}: send fewer requests at the same time`;
  return new EdgeError(429, text, { 'retry-after': String(RETRY_AFTER_SECONDS) });
}
