/**
 * `npm run bench:console`: what each view of the console costs in a browser, opened alone in an empty tab, and what
 * each of its requests costs. `--memories 0` measures a service (`--url`) or a data folder (`--folder`) that is filled.
 */
import type { Browser } from 'playwright-core';
import { openBrowser, openConsole } from '../../support/processes/browser.js';
import { pauseEnricher } from '../measuring/background.js';
import { runBench, type Target } from '../measuring/run-bench.js';
import { printMarkdown, type Row, summarize } from '../measuring/timing.js';
import { fillViews } from './fill-views.js';
import { type Meter, openMeter, type Spent } from './meter.js';

/** No view costs more than this for its first picture: processor time of service and servers, and bytes. */
const [LIMIT_MS, LIMIT_BYTES] = [300, 1_000_000] as const;
/** Calls of each request, after the one that finds nothing cached. */
const CALLS = 5;

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
  readonly waitedMs: number;
  /** Paths of the requests to the API that read. */
  readonly reads: readonly string[];
  readonly spent: Spent | null;
};

await runBench({
  defaults: { memories: '2000', rounds: '3' },
  measure: async (target, options, random) => {
    const size = Number(options.memories);
    if (size > 0) {
      await pauseEnricher(target);
      await fillViews(target, random, size);
    }
    const meter = await openMeter(target);
    const browser = await openBrowser();
    /** One of each kind: the path with `ID` in place of ids, and the path. */
    const reads = new Map<string, string>();
    const views: string[][] = [];
    for (const hash of await addresses(browser, target)) {
      const pictures: Picture[] = [];
      for (let round = 0; round <= Number(options.rounds); round += 1)
        pictures.push(await open(browser, { target, hash, meter }));
      for (const path of pictures.flatMap((picture) => picture.reads)) reads.set(withoutIds(path), path);
      const cells = cellsOf(withoutIds(hash), pictures);
      process.stderr.write(`${cells.join(', ')}\n`);
      views.push(cells);
    }
    await browser.close();
    printMarkdown(
      [
        'view',
        'bytes',
        'requests',
        'interactive',
        'long tasks, the longest',
        'waited',
        `server of ${LIMIT_MS} ms: first, again`,
      ],
      views,
    );
    if (meter === null) return [];
    const rows: Row[] = [];
    for (const [, path] of [...reads].sort()) rows.push(await costOf(path, { target, meter }));
    return rows;
  },
});

/** Each view of the navigation, and those of a query, words, a tag and the most important memory. */
async function addresses(browser: Browser, target: Target): Promise<readonly string[]> {
  const tab = await openConsole(browser, tokensOf(target));
  await tab.open('');
  const views = await tab.views();
  await tab.close();
  const { nodes } = (await target.call('GET', '/graph/snapshot?limit=1')).body as { nodes: { id: string }[] };
  const id = nodes[0]?.id ?? '';
  const listed = ['sort=oldest', 'sort=importance', 'sort=updated', 'text=billing', 'tags=person%3Aalice'];
  return [
    ...views,
    ...listed.map((query) => `#/browse?${query}`),
    ...['#/recall?query=who+moved+to+Oslo', `#/memory/${id}`, `#/graph/${id}`],
  ];
}

/** A new context has no cache. */
async function open(
  browser: Browser,
  { target, hash, meter }: { readonly target: Target; readonly hash: string; readonly meter: Meter | null },
): Promise<Picture> {
  const tab = await openConsole(browser, tokensOf(target));
  await tab.page.addInitScript(OBSERVE_LONG_TASKS);
  const client = await tab.page.context().newCDPSession(tab.page);
  await client.send('Network.enable');
  let [bytes, requests] = [0, 0];
  const reads: string[] = [];
  client.on('Network.requestWillBeSent', ({ request, type }) => {
    requests += 1;
    if (type === 'Fetch' && request.method === 'GET') reads.push(request.url.slice(target.url.length));
  });
  client.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  const show = async (): Promise<void> => {
    await tab.open(hash);
    await tab.hasRead();
  };
  const spent = meter === null ? (await show(), null) : await meter(show);
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
    waitedMs: seen.waits.reduce((sum, wait) => sum + wait, 0),
    // The stream of events does not end.
    reads: reads.filter((path) => !path.startsWith('/stream')),
    spent,
  };
}

function tokensOf({ url, token, adminToken }: Target): Parameters<typeof openConsole>[1] {
  return { url, ...(token !== undefined && { token }), ...(adminToken !== undefined && { adminToken }) };
}

/** Medians over the rounds after the first one, and the processor time of the first one. */
function cellsOf(what: string, [first, ...later]: readonly Picture[]): string[] {
  const median = (figureOf: (picture: Picture) => number): number => summarize(later.map(figureOf)).p50;
  const ms = (figureOf: (picture: Picture) => number): string => `${median(figureOf).toFixed(0)} ms`;
  const bytes = median((picture) => picture.bytes);
  const again = median(({ spent }) => totalOf(spent));
  const most = Math.max(totalOf(first?.spent ?? null), again);
  return [
    what,
    `${(bytes / 1_000).toFixed(0)} KB${bytes > LIMIT_BYTES ? ', missed' : ''}`,
    String(median(({ requests }) => requests)),
    ms(({ interactiveMs }) => interactiveMs),
    `${median(({ longTasksMs }) => longTasksMs.length)}, ${ms(({ longTasksMs }) => Math.max(0, ...longTasksMs))}`,
    ms(({ waitedMs }) => waitedMs),
    first?.spent
      ? `${totalOf(first.spent).toFixed(0)}, ${again.toFixed(0)} ms${most > LIMIT_MS ? ', missed' : ''}`
      : '',
  ];
}

function withoutIds(text: string): string {
  return text.replaceAll(/[0-9a-f-]{36}/gu, 'ID');
}

function totalOf(spent: Spent | null): number {
  return spent === null ? Number.NaN : spent.service + spent.servers;
}

/** The processor time of one request, alone. */
async function costOf(
  path: string,
  { target, meter }: { readonly target: Target; readonly meter: Meter },
): Promise<Row> {
  const call = async (): Promise<void> => void (await target.request('GET', path));
  const calls = async (): Promise<void> => {
    for (let each = 0; each < CALLS; each += 1) await call();
  };
  const { service, servers } = await meter(calls);
  const { headers, body } = await target.request('GET', path);
  const bytes = Number(headers.get('content-length') ?? Buffer.byteLength(JSON.stringify(body)));
  const figure = `service ${(service / CALLS).toFixed(0)} ms, servers ${(servers / CALLS).toFixed(0)} ms, ${(bytes / 1_000).toFixed(0)} KB`;
  process.stderr.write(`${path}: ${figure}\n`);
  return { what: withoutIds(path), figure };
}
