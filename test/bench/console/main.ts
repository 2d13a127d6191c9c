/**
 * `npm run bench:console`: what each view of the console costs in a browser, opened alone in an empty tab.
 * `--memories 0` measures a running service (`--url`) that is filled.
 */
import type { Browser } from 'playwright-core';
import { openBrowser, openConsole } from '../../support/processes/browser.js';
import { associateAll, fill } from '../corpus/fill.js';
import { runBench, type Target } from '../measuring/run-bench.js';
import { type Row, summarize } from '../measuring/timing.js';

/** From the first script of a page on. */
const OBSERVE_LONG_TASKS = `
  window.longTasks = [];
  new PerformanceObserver((list) => window.longTasks.push(...list.getEntries().map(({ startTime, duration }) => [startTime, duration])))
    .observe({ type: 'longtask', buffered: true });`;

type Picture = {
  /** Of the answers with their headers, as the network carries them. */
  readonly bytes: number;
  readonly requests: number;
  /** From the request of the page until the view has read its content and the last long task has ended. */
  readonly interactiveMs: number;
  readonly longTasksMs: readonly number[];
  /** The sum of the times that requests to the API waited for their first byte. */
  readonly serverMs: number;
};

await runBench({
  defaults: { memories: '2000', encoded: '0', associations: '3', rounds: '5' },
  measure: async (target, options, random) => {
    const size = Number(options.memories);
    if (size > 0) {
      await fill(target, random, { size, encoded: Number(options.encoded) });
      await associateAll(target, random, Number(options.associations));
    }
    const browser = await openBrowser();
    const rows: Row[] = [];
    for (const hash of await addresses(browser, target)) {
      const pictures: Picture[] = [];
      for (let round = 0; round < Number(options.rounds); round += 1) pictures.push(await open(browser, target, hash));
      rows.push(rowOf(hash.replace(/[0-9a-f-]{36}/u, 'ID'), pictures));
    }
    await browser.close();
    return rows;
  },
});

/** Each view of the navigation, and those of a query, a tag and the most important memory. */
async function addresses(browser: Browser, target: Target): Promise<readonly string[]> {
  const tab = await openConsole(browser, tokensOf(target));
  await tab.open('');
  const views = await tab.views();
  await tab.close();
  const { nodes } = (await target.call('GET', '/graph/snapshot?limit=1')).body as { nodes: { id: string }[] };
  const id = nodes[0]?.id ?? '';
  return [...views, '#/recall?query=who+moved+to+Oslo', `#/memory/${id}`, `#/graph/${id}`];
}

/** A new context has no cache. */
async function open(browser: Browser, target: Target, hash: string): Promise<Picture> {
  const tab = await openConsole(browser, tokensOf(target));
  await tab.page.addInitScript(OBSERVE_LONG_TASKS);
  const client = await tab.page.context().newCDPSession(tab.page);
  await client.send('Network.enable');
  let [bytes, requests] = [0, 0];
  client.on('Network.requestWillBeSent', () => (requests += 1));
  client.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  await tab.open(hash);
  await tab.hasRead();
  const seen = await tab.page.evaluate<{ now: number; longTasks: [number, number][]; waits: number[] }>(`({
    now: performance.now(),
    longTasks: window.longTasks,
    waits: performance.getEntriesByType('resource')
      .filter(({ initiatorType }) => initiatorType === 'fetch')
      .map(({ requestStart, responseStart }) => Math.max(0, responseStart - requestStart)),
  })`);
  await tab.close();
  return {
    bytes,
    requests,
    interactiveMs: Math.max(seen.now, ...seen.longTasks.map(([start, duration]) => start + duration)),
    longTasksMs: seen.longTasks.map(([, duration]) => duration),
    serverMs: seen.waits.reduce((sum, wait) => sum + wait, 0),
  };
}

function tokensOf({ url, token, adminToken }: Target): Parameters<typeof openConsole>[1] {
  return { url, ...(token !== undefined && { token }), ...(adminToken !== undefined && { adminToken }) };
}

/** Medians over the rounds. */
function rowOf(what: string, pictures: readonly Picture[]): Row {
  const median = (figureOf: (picture: Picture) => number): number => summarize(pictures.map(figureOf)).p50;
  const figure = [
    `${(median(({ bytes }) => bytes) / 1_000).toFixed(0)} KB`,
    `${median(({ requests }) => requests)} requests`,
    `interactive ${median(({ interactiveMs }) => interactiveMs).toFixed(0)} ms`,
    `${median(({ longTasksMs }) => longTasksMs.length)} long tasks, the longest ${median(({ longTasksMs }) => Math.max(0, ...longTasksMs)).toFixed(0)} ms`,
    `server ${median(({ serverMs }) => serverMs).toFixed(0)} ms`,
  ].join(', ');
  process.stderr.write(`${what}: ${figure}\n`);
  return { what, figure };
}
