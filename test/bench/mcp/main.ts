/**
 * `npm run bench:mcp`: measures the time that the bridge adds to a recall, and its start-up time. The same questions go
 * to one embedded service in four ways: by plain HTTP, through the bridge over stdio, through the bridge over HTTP, and
 * to `/mcp` on the service's own port. Each round uses all ways in turn, so other load on the machine affects them
 * equally.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connectMcp, connectTo, MCP_MAIN } from '../../support/clients/mcp.js';
import { startChild } from '../../support/processes/child-process.js';
import { INITIALIZE } from '../../support/processes/mcp-child.js';
import { corpusQuestion } from '../corpus/corpus.js';
import { createStoreWithVector } from '../corpus/fill.js';
import { untilEnriched } from '../measuring/background.js';
import { runBench, type Target } from '../measuring/run-bench.js';
import { delayRow, type Row } from '../measuring/timing.js';

/** Asked repeatedly: the service has their vectors cached, so the figures show the cost of a call. */
const QUESTIONS = 40;

type Way = {
  readonly name: string;
  readonly ask: (question: string) => Promise<unknown>;
  readonly close: () => Promise<void>;
};

await runBench({
  defaults: { memories: '1000', calls: '400', starts: '20' },
  variables: { MCP_ENABLED: 'true' },
  measure: async (target, { memories, calls, starts }, random) => {
    const store = createStoreWithVector(target, random);
    for (let index = 0; index < Number(memories); index += 1) await store(index);
    await untilEnriched(target);
    const questions = Array.from({ length: QUESTIONS }, () => corpusQuestion(random));
    return [
      ...(await measureWays(target, questions, Number(calls))),
      ...(await measureStartUp(target, Number(starts))),
    ];
  },
});

async function measureWays(target: Target, questions: readonly string[], calls: number): Promise<readonly Row[]> {
  const { url } = target;
  const ownPort = await connectTo(`${url}/mcp`);
  const ways = [
    plainHttp(target),
    await wayOf('over stdio', await connectMcp('stdio', { url })),
    await overHttp(target),
    await wayOf("on the service's own port", { client: ownPort, close: () => ownPort.close() }),
  ];
  for (const question of questions) for (const { ask } of ways) await ask(question);
  const durations = ways.map((): number[] => []);
  for (let round = 0; round < calls; round += 1) {
    for (let turn = 0; turn < ways.length; turn += 1) {
      const index = (round + turn) % ways.length; // rotates the order, so that no way is always the first
      const begin = performance.now();
      await ways[index]?.ask(questions[round % questions.length] ?? '');
      durations[index]?.push(performance.now() - begin);
    }
  }
  await Promise.all(ways.map(({ close }) => close()));
  const [plain = []] = durations;
  // The added time is the difference between a call and the plain call of the same round.
  const added = (taken: readonly number[]) => taken.map((duration, round) => duration - (plain[round] ?? Number.NaN));
  return ways.flatMap(({ name }, index) => [
    delayRow(name, durations[index] ?? []),
    ...(index === 0 ? [] : [delayRow(`added ${name}`, added(durations[index] ?? []))]),
  ]);
}

function plainHttp({ call }: Target): Way {
  return {
    name: 'GET /recall without the bridge',
    ask: (question) => call('GET', `/recall?${new URLSearchParams({ query: question })}`),
    close: async () => undefined,
  };
}

async function overHttp({ url, folder }: Target): Promise<Way> {
  const bridge = startChild({
    main: 'deploy/mcp/main.js',
    arguments: ['--http'],
    folder,
    variables: { AUTOMEM_API_URL: url, PORT: '0', MCP_ALLOW_ANONYMOUS: 'true', LOG_LEVEL: 'warn' },
  });
  const [mcpUrl] = await bridge.prints(/http:\/\/\S+\/mcp/u);
  const client = await connectTo(mcpUrl);
  const close = async () => {
    await client.close();
    await bridge.stop('SIGTERM');
  };
  return wayOf('over Streamable HTTP', { client, close });
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

/**
 * From the start of the bridge to its answer of `initialize`, and from the start of Node alone to its first output, in
 * turn.
 */
async function measureStartUp({ url, folder }: Target, starts: number): Promise<readonly Row[]> {
  const [bridge, bare]: [number[], number[]] = [[], []];
  const options = { cwd: folder, env: { PATH: process.env['PATH'], HOME: folder, AUTOMEM_API_URL: url } };
  for (let start = 0; start < starts; start += 1) {
    bridge.push(await timeToFirstOutput([MCP_MAIN], options));
    bare.push(await timeToFirstOutput(['--eval', 'console.log("ready")'], options));
  }
  return [delayRow('start over stdio to the answer of initialize', bridge), delayRow('start of Node alone', bare)];
}

async function timeToFirstOutput(
  line: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<number> {
  const begin = performance.now();
  const child = spawn(process.execPath, [...line], { ...options, stdio: ['pipe', 'pipe', 'ignore'] });
  child.stdin.on('error', () => undefined); // Node alone may exit before the write
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...INITIALIZE })}\n`);
  const exited = once(child, 'exit');
  await once(child.stdout, 'data');
  const elapsed = performance.now() - begin;
  child.stdin.end();
  child.stdout.resume();
  await exited;
  return elapsed;
}
