/** Measures the time from the start of the bridge to its first answer, next to the time of Node alone to its first output. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { MCP_MAIN } from '../../support/clients/mcp.js';
import { INITIALIZE } from '../../support/processes/mcp-child.js';
import { type Row, summarize } from '../measuring/timing.js';

type Start = { readonly url: string; readonly folder: string; readonly starts: number };

/** Starts both in turn, so that other load on the machine affects them equally. */
export async function measureStartUp({ url, folder, starts }: Start): Promise<readonly Row[]> {
  const [bridge, bare]: [number[], number[]] = [[], []];
  const env = { PATH: process.env['PATH'], HOME: folder, AUTOMEM_API_URL: url };
  for (let start = 0; start < starts; start += 1) {
    bridge.push(await timeToFirstOutput([MCP_MAIN], { cwd: folder, env }));
    bare.push(await timeToFirstOutput(['--eval', 'console.log("ready")'], { cwd: folder, env }));
  }
  const [ours, node] = [summarize(bridge, 1), summarize(bare, 1)];
  return [
    {
      what: 'from the start over stdio to the answer of initialize',
      figure: `p50 ${ours.p50.toFixed(0)} ms, p95 ${ours.p95.toFixed(0)} ms`,
      floor: `Node alone p50 ${node.p50.toFixed(0)} ms`,
    },
  ];
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
