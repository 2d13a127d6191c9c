/**
 * The callers of the simulated deployment. Each sends one request after the other to some command API, repeats it with
 * its Idempotency-Key when it gets no answer, and remembers what was acknowledged.
 */
import { createHash } from 'node:crypto';
import type { MemoryId } from '../../../shared/contract/memory.js';
import type { BodyReply, RequestContext } from '../../../shared/http/handler.js';
import { PalimpsestError } from '../../../shared/kernel/errors.js';
import type { SimulatedProcess, World } from '../world/world.js';
import type { Fleet } from './fleet.js';
import type { RunningApi } from './processes.js';
import { request } from './request.js';

/** A write with an answer. */
export type Acknowledged = {
  readonly at: number;
  readonly caller: string;
  readonly operation: Operation['kind'];
  readonly subject: string;
  readonly position: number;
};

type Operation =
  /** The reply says which id the memory got. */
  | { readonly kind: 'store'; readonly id: ''; readonly content: string }
  | { readonly kind: 'update'; readonly id: MemoryId; readonly content: string }
  | { readonly kind: 'delete'; readonly id: MemoryId }
  | { readonly kind: 'associate'; readonly id: MemoryId; readonly other: MemoryId };

export interface Callers {
  readonly acknowledged: readonly Acknowledged[];
  /** Answers that were refusals or failures, by their message. */
  readonly refused: ReadonlyMap<string, number>;
  readonly stop: () => void;
}

/** The position in the receipt, and the memory. */
type Answer = { readonly position: number; readonly id: MemoryId };

const TIMEOUT_MS = 15_000;
const MOST_TRIES = 4;
const CALLERS = 4;
/** Callers use the last memories, so that their requests meet each other. */
const RECENT = 12;

export function startCallers({
  world,
  fleet,
  onAcknowledged,
}: {
  readonly world: World;
  readonly fleet: Fleet;
  readonly onAcknowledged: (write: Acknowledged) => void;
}): Callers {
  const acknowledged: Acknowledged[] = [];
  const refused = new Map<string, number>();
  /** Memories that were stored and not deleted, as far as the callers know. */
  const known: MemoryId[] = [];
  const { random } = world;
  let isStopped = false;
  let numbers = 0;

  /** No text is a part of another one. */
  const words = (): string => `words ${(numbers += 1)}.`;

  function choose(): Operation {
    const chance = random.next();
    if (known.length < 3 || chance < 0.4) return { kind: 'store', id: '', content: words() };
    const recent = known.slice(-RECENT);
    const id = random.pick(recent);
    if (chance < 0.65) return { kind: 'update', id, content: words() };
    if (chance < 0.85) {
      known.splice(known.indexOf(id), 1);
      return { kind: 'delete', id };
    }
    return { kind: 'associate', id, other: random.pick(recent.filter((other) => other !== id)) };
  }

  /** Traffic comes in bursts: in a lull the background work finishes what it can. */
  let isLull = false;
  const turn = (): void => {
    isLull = !isLull && random.next() < 0.7;
    if (!isStopped) world.after(isLull ? 800 + random.below(1_500) : 500 + random.below(2_500), turn);
  };
  world.after(2_000, turn);

  async function run(caller: SimulatedProcess): Promise<void> {
    while (!isStopped) {
      if (isLull) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        continue;
      }
      await act(caller, choose());
      await new Promise((resolve) => setTimeout(resolve, 20 + random.below(150)));
    }
  }

  async function act(caller: SimulatedProcess, operation: Operation): Promise<void> {
    const key = random.next() < 0.7 ? crypto.randomUUID() : null;
    for (let attempt = 1; attempt <= MOST_TRIES && !isStopped; attempt += 1) {
      const apis = fleet.apis();
      if (apis.length > 0) {
        const answer = await send(caller, random.pick(apis), operation, key);
        if (answer !== 'no answer') {
          if (answer !== null) remember(caller, operation, answer);
          return;
        }
      }
      await new Promise((resolve) => setTimeout(resolve, 200 * attempt));
    }
  }

  function remember(caller: SimulatedProcess, operation: Operation, { position, id }: Answer): void {
    if (operation.kind === 'store') known.push(id);
    const subject = operation.kind === 'associate' ? `${id}|RELATES_TO|${operation.other}` : id;
    const write = { at: world.now(), caller: caller.name, operation: operation.kind, subject, position };
    acknowledged.push(write);
    onAcknowledged(write);
  }

  /** Null for a refusal; `no answer` when the caller may repeat the request. */
  function send(
    caller: SimulatedProcess,
    api: RunningApi,
    operation: Operation,
    key: string | null,
  ): Promise<Answer | null | 'no answer'> {
    const ended = new AbortController();
    const step = `${operation.kind} ${operation.id.slice(0, 8)} at ${api.process.name}`;
    const answer = request({ world, from: caller, to: api.process, step }, () =>
      handle(api, operation, contextOf(operation, key, ended.signal)),
    );
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        ended.abort();
        resolve('no answer');
      }, TIMEOUT_MS);
      answer.then(
        (reply) => {
          clearTimeout(timer);
          if (ended.signal.aborted) return;
          world.after(1, () => api.process.enter(() => reply.onSent?.()));
          const { receipt: position } = reply;
          const { memory_id: id } = reply.body as { readonly memory_id?: MemoryId };
          resolve(position === undefined ? null : { position, id: id ?? (operation.id as MemoryId) });
        },
        (error: unknown) => {
          clearTimeout(timer);
          resolve(afterFailure(error));
        },
      );
    });
  }

  function afterFailure(error: unknown): null | 'no answer' {
    const message = error instanceof Error ? error.message : String(error);
    refused.set(message, (refused.get(message) ?? 0) + 1);
    if (!(error instanceof PalimpsestError)) return 'no answer';
    return error.isRetryable ? 'no answer' : null;
  }

  for (let number = 1; number <= CALLERS; number += 1) {
    const caller = world.startProcess(`caller ${number}`);
    world.after(100 + number, () => caller.enter(() => void run(caller)));
  }
  return {
    acknowledged,
    refused,
    stop: () => {
      isStopped = true;
    },
  };
}

function handle({ handlers }: RunningApi, operation: Operation, context: RequestContext): Promise<BodyReply> {
  // The bodies of the contract; the edge, which checks them, is not part of the simulation.
  const requestOf = (params: object, body: object): never => ({ params, body, query: {}, context }) as never;
  switch (operation.kind) {
    case 'store':
      return handlers.storeMemory(requestOf({}, { content: operation.content, type: 'Context' }));
    case 'update':
      return handlers.updateMemory(requestOf({ id: operation.id }, { content: operation.content }));
    case 'delete':
      return handlers.deleteMemory(requestOf({ id: operation.id }, {}));
    case 'associate':
      return handlers.associate(
        requestOf({}, { memory1_id: operation.id, memory2_id: operation.other, type: 'RELATES_TO', strength: 0.5 }),
      );
    default:
      return operation satisfies never;
  }
}

function contextOf(operation: Operation, key: string | null, signal: AbortSignal): RequestContext {
  const requestHash = createHash('sha256').update(JSON.stringify(operation)).digest('hex');
  return {
    requestId: crypto.randomUUID(),
    actor: { name: 'caller', tier: 'api', agent: null },
    scopes: null,
    tag: null,
    traceparent: null,
    commandKey: key,
    requestHash,
    fingerprint: requestHash,
    ifMatch: null,
    lastEventId: null,
    cursorOf: String,
    querystring: '',
    startedAt: performance.now(),
    signal,
    endWork: () => undefined,
  };
}
