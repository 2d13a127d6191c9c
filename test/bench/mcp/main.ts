/**
 * `npm run bench:mcp`: measures the time that the bridge adds to a recall, and its start-up time. The same questions go to one embedded service
 * in four ways: by plain HTTP, through the bridge over stdio, through the bridge over HTTP, and to `/mcp` on the service's own port. Each round
 * uses all ways in turn, so other load on the machine affects them equally.
 */
import { parseArgs } from 'node:util';
import { connectMcp, connectTo } from '../../support/clients/mcp.js';
import { seededRandom } from '../../support/fixtures/random.js';
import { startChild } from '../../support/processes/child-process.js';
import type { ChildService } from '../../support/processes/child-service.js';
import { corpusQuestion } from '../corpus/corpus.js';
import { createStoreWithVector } from '../corpus/store-with-vector.js';
import { waitUntilEnriched } from '../measuring/enricher.js';
import { printTable, type Row, summarize } from '../measuring/timing.js';
import { withService } from '../measuring/with-service.js';
import { measureStartUp } from './start-up.js';

const { values: options } = parseArgs({
  options: {
    memories: { type: 'string', default: '1000' },
    // Calls of each way.
    calls: { type: 'string', default: '400' },
    starts: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
  },
});

/** Asked repeatedly: the service has their vectors cached, so the figures show the cost of a call. */
const QUESTIONS = 40;

type Way = {
  readonly name: string;
  readonly ask: (question: string) => Promise<void>;
  readonly close: () => Promise<void>;
};

const random = seededRandom(Number(options.seed));
await withService(
  async (service, folder) => {
    await fillWith(service, Number(options.memories));
    const rows = await measureWays({
      service,
      folder,
      questions: Array.from({ length: QUESTIONS }, () => corpusQuestion(random)),
    });
    printTable(
      `recall_memory with a query, limit 5, ${options.memories} memories, ${options.calls} calls of each way in turn`,
      rows,
    );
    printTable(
      `${options.starts} starts`,
      await measureStartUp({ url: service.url, folder, starts: Number(options.starts) }),
    );
  },
  { MCP_ENABLED: 'true' },
);

async function fillWith(service: ChildService, count: number): Promise<void> {
  const store = createStoreWithVector(service, random);
  for (let index = 0; index < count; index += 1) await store(index);
  await waitUntilEnriched(service);
}

async function measureWays({
  service,
  folder,
  questions,
}: {
  readonly service: ChildService;
  readonly folder: string;
  readonly questions: readonly string[];
}): Promise<readonly Row[]> {
  const ways = await Promise.all([
    plainHttp(service),
    overStdio(service.url),
    overHttp(service.url, folder),
    onOwnPort(service.url),
  ]);
  for (const question of questions) for (const { ask } of ways) await ask(question);
  const durations = ways.map((): number[] => []);
  for (let round = 0; round < Number(options.calls); round += 1) {
    for (let turn = 0; turn < ways.length; turn += 1) {
      const index = (round + turn) % ways.length; // rotates the order, so that no way is always the first
      const begin = performance.now();
      await ways[index]?.ask(questions[round % questions.length] ?? '');
      durations[index]?.push(performance.now() - begin);
    }
  }
  await Promise.all(ways.map(({ close }) => close()));
  const [plain = []] = durations;
  return ways.map(({ name }, index) => wayRow(name, durations[index] ?? [], plain));
}

/** The added time is the difference between a call and the plain call of the same round. */
function wayRow(name: string, durations: readonly number[], plain: readonly number[]): Row {
  const { p50, p95 } = summarize(durations, 1);
  const figure = `p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`;
  if (durations === plain) return { what: name, figure };
  const added = summarize(
    durations.map((duration, round) => duration - (plain[round] ?? Number.NaN)),
    1,
  );
  return {
    what: name,
    figure: `${figure}; added p50 ${added.p50.toFixed(1)} ms`,
    floor: `without the bridge p50 ${summarize(plain, 1).p50.toFixed(1)} ms`,
  };
}

async function plainHttp({ request }: ChildService): Promise<Way> {
  return {
    name: 'GET /recall without the bridge',
    ask: async (question) => {
      const { status } = await request('GET', `/recall?${new URLSearchParams({ query: question })}`);
      if (status !== 200) throw new Error(`GET /recall answered ${status}`);
    },
    close: async () => undefined,
  };
}

async function overStdio(url: string): Promise<Way> {
  return wayOf('over stdio', await connectMcp('stdio', { url }));
}

async function overHttp(url: string, folder: string): Promise<Way> {
  const bridge = startChild({
    main: 'deploy/mcp/main.js',
    arguments: ['--http'],
    folder,
    variables: { AUTOMEM_API_URL: url, PORT: '0', MCP_ALLOW_ANONYMOUS: 'true', LOG_LEVEL: 'warn' },
  });
  const [mcpUrl] = await bridge.prints(/http:\/\/\S+\/mcp/u);
  const client = await connectTo(mcpUrl);
  return wayOf('over Streamable HTTP', {
    client,
    close: async () => {
      await client.close();
      await bridge.stop('SIGTERM');
    },
  });
}

async function onOwnPort(url: string): Promise<Way> {
  const client = await connectTo(`${url}/mcp`);
  return wayOf("over Streamable HTTP on the service's own port", { client, close: () => client.close() });
}

async function wayOf(name: string, { client, close }: Awaited<ReturnType<typeof connectMcp>>): Promise<Way> {
  await client.listTools(); // as every client does; from now on the client validates answers against the output schemas
  return {
    name,
    ask: async (question) => {
      const { isError, content } = await client.callTool({ name: 'recall_memory', arguments: { query: question } });
      if (isError) throw new Error(JSON.stringify(content));
    },
    close,
  };
}
