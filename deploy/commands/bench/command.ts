/** `palimpsest bench`: how fast a running service stores and recalls, in memories that it deletes afterwards. */
import { randomIds } from '../../../shared/kernel/clock.js';
import { messageOf } from '../../../shared/kernel/errors.js';
import { CommandError, type Define, examples, report, stopOnSignal, wholeNumberIn } from '../host.js';
import { addCallOptions, type CallOptions, callService } from '../service-client.js';

type Options = CallOptions & { readonly count: number; readonly concurrency: number };

/** The deletion of all memories is one call. */
const DELETE_TIMEOUT_MS = 300_000;
/** A recall waits up to a second for the index, and the bundled encoder makes over ten vectors a second. */
const INDEX_TRIES = 300;

export const define: Define = (command, host) =>
  addCallOptions(command)
    .description(
      'Store and recall memories with a tag of their own, print rates and times, and delete the memories. Recalls search these memories alone. The journal keeps that they were stored and deleted.',
    )
    .option('--count <number>', 'memories, and recalls', wholeNumberIn(1, 10_000), 200)
    .option('--concurrency <number>', 'calls at the same time', wholeNumberIn(1, 64), 4)
    .addHelpText('after', examples('bench', 'bench --count 1000 --concurrency 16 --json'))
    .action(async (options: Options) => {
      const { count, concurrency } = options;
      const tags = [`palimpsest-bench-${randomIds.uuid()}`];
      const signal = stopOnSignal();
      const recall = (query: string) => callService('recall', { query: { query, tags } }, { host, options });
      let stored = 0;
      const measured = async () => {
        const store = await measure({ count, concurrency, signal }, async (index) => {
          await callService('storeMemory', { body: { content: noteOf(index), tags } }, { host, options });
          stored += 1;
        });
        for (let tries = 0; tries < INDEX_TRIES; tries += 1) {
          signal.throwIfAborted();
          if ((await recall('is everything indexed')).consistency?.index ?? true) break;
        }
        return { store, recall: await measure({ count, concurrency, signal }, (index) => recall(questionOf(index))) };
      };
      const remove = async (): Promise<void> => {
        if (stored === 0) return;
        await callService('deleteByTag', { query: { tags } }, { host, options, timeoutMs: DELETE_TIMEOUT_MS }).catch(
          (error: unknown) => {
            const remedy = `delete them with DELETE /memory/by-tag?tags=${tags[0]}`;
            throw new CommandError(`${messageOf(error)}. ${stored} memories remain: ${remedy}`, { cause: error });
          },
        );
      };
      const results = await measured().finally(remove);
      report(host, options, { count, concurrency, tag: tags[0], ...results }, [
        `${count} memories stored, recalled and deleted, ${concurrency} calls at the same time`,
        ...Object.entries(results).map(([name, { per_second, p50_ms, p95_ms }]) =>
          [name.padEnd(6), `${per_second}/s`.padStart(9), `p50 ${p50_ms} ms`, `p95 ${p95_ms} ms`].join('  '),
        ),
      ]);
    });

type Results = { readonly per_second: number; readonly p50_ms: number; readonly p95_ms: number };

/** Rejects with the first failure, when no call runs any more. */
async function measure(
  { count, concurrency, signal }: Pick<Options, 'count' | 'concurrency'> & { readonly signal: AbortSignal },
  call: (index: number) => Promise<unknown>,
): Promise<Results> {
  const times: number[] = [];
  const failures: unknown[] = [];
  let next = 0;
  const client = async (): Promise<void> => {
    for (let index = next++; index < count && failures.length === 0; index = next++) {
      const began = performance.now();
      await call(index);
      times.push(performance.now() - began);
      signal.throwIfAborted();
    }
  };
  const began = performance.now();
  await Promise.all(
    Array.from({ length: concurrency }, () => client().catch((error: unknown) => void failures.push(error))),
  );
  const seconds = (performance.now() - began) / 1_000;
  if (failures.length > 0) throw failures[0];
  times.sort((a, b) => a - b);
  const at = (share: number): number => rounded(times[Math.ceil(times.length * share) - 1] ?? NaN);
  return { per_second: rounded(count / seconds), p50_ms: at(0.5), p95_ms: at(0.95) };
}

function rounded(value: number): number {
  return Number(value.toFixed(1));
}

const THINGS = ['lamp', 'ladder', 'kettle', 'drill', 'tent', 'atlas', 'violin'];
const PLACES = ['kitchen', 'cellar', 'office', 'garage', 'attic'];

/** Each text is another one, so that each is encoded. */
function noteOf(index: number): string {
  return `The ${thingOf(index)} is kept in the ${PLACES[index % PLACES.length]}, and was last used ${index + 1} days ago.`;
}

function questionOf(index: number): string {
  return `where did we put the ${thingOf(index)}`;
}

function thingOf(index: number): string {
  return `${THINGS[index % THINGS.length]} with number ${index + 1}`;
}
