/**
 * Reads with the receipt of a write, again and again, while a graph loses its data and gets it back. A reply with
 * `graph: true` must show the memory.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { HttpCaller } from './http-caller.js';

/** Without it the reads take the cores from the rebuild that they watch. */
const PAUSE_MS = 50;

export type WrittenMemory = {
  readonly id: string;
  /** No other memory has it. */
  readonly tag: string;
  readonly receipt: string;
};

/** Each method throws after a reply with `graph: true` lacked the memory. */
export type ReceiptReads = {
  /** The replies so far with `graph: false`. */
  readonly withoutGraph: () => number;
  /** The replies so far with `graph: true`. */
  readonly withGraph: () => number;
  readonly stop: () => Promise<void>;
};

/** Starts after the graph lost its data: a read that began earlier may show the graph of before. */
export function startReceiptReads(caller: HttpCaller, { id, tag, receipt }: WrittenMemory): ReceiptReads {
  const replies = { withGraph: 0, withoutGraph: 0 };
  let isStopped = false;

  async function read(path: string, idsIn: (body: Body) => readonly Shown[]): Promise<void> {
    const { status, body } = await caller.request('GET', `${path}&consistent_with=${receipt}`);
    if (status !== 200) return;
    if (body.consistency.graph !== true) {
      replies.withoutGraph += 1;
      return;
    }
    replies.withGraph += 1;
    expect(idsIn(body), `${path} says ${JSON.stringify(body.consistency)}`).to.deep.include({ id });
    expect((await caller.request('GET', `/memory/${id}`)).status, `memory after ${path}`).to.equal(200);
  }

  async function readOn(): Promise<void> {
    while (!isStopped) {
      await read(`/recall?query=${tag}&tags=${tag}`, ({ results }) => results.map(idOf));
      await read(`/memory/by-tag?tags=${tag}`, ({ memories }) => memories.map(idOf));
      await pause(PAUSE_MS);
    }
  }

  const failures: unknown[] = [];
  const running = readOn().catch((error: unknown) => void failures.push(error));
  function requireNoFailure(): void {
    for (const failure of failures) throw failure;
  }
  return {
    withoutGraph: () => {
      requireNoFailure();
      return replies.withoutGraph;
    },
    withGraph: () => {
      requireNoFailure();
      return replies.withGraph;
    },
    stop: async () => {
      isStopped = true;
      await running;
      requireNoFailure();
    },
  };
}

type Shown = { readonly id: string };
type Body = { readonly results: readonly Shown[]; readonly memories: readonly Shown[] };

const idOf = ({ id }: Shown): Shown => ({ id });
