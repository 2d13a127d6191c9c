/**
 * Tenants that import at full speed, for `bench:tenants`. The requests come from a thread of its own, because making
 * their bodies would otherwise delay the caller that is measured.
 */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { createHttpCaller } from '../../support/clients/http-caller.js';
import { seededRandom } from '../../support/fixtures/random.js';
import { corpusMemory } from '../corpus/corpus.js';
import { unitVector } from '../corpus/fill.js';

export type Import = {
  readonly url: string;
  /** One tenant for each key. */
  readonly keys: readonly string[];
  readonly hasVectors: boolean;
  /** Memories of one tenant; after them its import ends. */
  readonly limit: number;
};

export type Importing = {
  /** Resolves when the tenants have imported all of their memories. */
  readonly ended: Promise<number>;
  /** Ends the imports and resolves with the number of memories that were imported. */
  readonly stop: () => Promise<number>;
};

const BATCH = 500;
/** Requests of one tenant at a time: one is made while the service works on the other. */
const REQUESTS = 2;
/** Vectors are made before the first request; memories share them. */
const VECTORS = 200;

export function startImport(input: Import): Importing {
  const worker = new Worker(new URL(import.meta.url), { workerData: input });
  const ended = new Promise<number>((resolve, reject) => worker.once('message', resolve).once('error', reject));
  return {
    ended,
    stop: () => {
      worker.postMessage('end');
      return ended;
    },
  };
}

if (!isMainThread) {
  const { url, keys, hasVectors, limit } = workerData as Import;
  const random = seededRandom(7);
  const vectors = Array.from({ length: hasVectors ? VECTORS : 0 }, () => JSON.stringify(unitVector(random)));
  const now = new Date();
  let isEnded = false;
  parentPort?.once('message', () => (isEnded = true));

  const memoryText = (index: number): string => {
    const memory = JSON.stringify({ ...corpusMemory(random, index, now), id: crypto.randomUUID() });
    return hasVectors ? `${memory.slice(0, -1)},"embedding":${vectors[index % VECTORS] ?? ''}}` : memory;
  };

  /** Returns how many it has imported. */
  async function importAll(key: string): Promise<number> {
    const { request } = createHttpCaller(url, key);
    let [next, imported] = [0, 0];
    const send = async (): Promise<void> => {
      while (!isEnded && next < limit) {
        const first = next;
        next += BATCH;
        const memories = Array.from({ length: BATCH }, (_, index) => memoryText(first + index));
        const { status } = await request('POST', '/admin/import', { raw: `{"memories":[${memories.join(',')}]}` });
        if (status === 200) imported += BATCH;
        else if (status !== 429) throw new Error(`An import was answered with ${status}`);
      }
    };
    await Promise.all(Array.from({ length: REQUESTS }, send));
    return imported;
  }

  const counts = await Promise.all(keys.map(importAll));
  parentPort?.postMessage(counts.reduce((sum, count) => sum + count, 0));
  parentPort?.close();
}
