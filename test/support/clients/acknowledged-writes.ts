/** Stores one memory after the other while a store fails, and keeps the ids of those that the service acknowledged. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { HttpCaller } from './http-caller.js';

/** Without it a writer that is refused at once takes a core. */
const PAUSE_MS = 20;

export type Writer = {
  /** Ends the writes. Resolves with the acknowledged ids. */
  readonly stop: () => Promise<readonly string[]>;
};

export function startWriter(caller: HttpCaller): Writer {
  const acknowledged: string[] = [];
  let isStopped = false;
  const running = (async () => {
    for (let number = 1; !isStopped; number += 1) {
      const { status, body } = await caller.request('POST', '/memory', { body: { content: `Written ${number}` } });
      if (status === 201) acknowledged.push(body.memory_id);
      else expect(status).to.equal(503);
      await pause(PAUSE_MS);
    }
  })();
  running.catch(() => undefined /* reported by `stop` */);
  return {
    stop: async () => {
      isStopped = true;
      await running;
      return acknowledged;
    },
  };
}
