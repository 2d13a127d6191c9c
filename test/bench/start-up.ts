/** How long a client that starts the bridge waits for its first answer, beside what Node alone takes to say a word. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { MCP_MAIN } from '../support/mcp.js';
import { INITIALIZE } from '../support/mcp-child.js';
import { summarize, type Row } from './measure.js';

type Start = { readonly url: string; readonly folder: string; readonly starts: number };

/** Both in turn, so that the machine treats them alike. */
export async function measureStartUp({ url, folder, starts }: Start): Promise<readonly Row[]> {
  const [bridge, bare]: [number[], number[]] = [[], []];
  const env = { PATH: process.env['PATH'], HOME: folder, AUTOMEM_API_URL: url };
  for (let start = 0; start < starts; start += 1) {
    bridge.push(await untilFirstWord([MCP_MAIN], { cwd: folder, env }));
    bare.push(await untilFirstWord(['--eval', 'console.log("ready")'], { cwd: folder, env }));
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

async function untilFirstWord(
  line: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<number> {
  const begin = performance.now();
  const child = spawn(process.execPath, [...line], { ...options, stdio: ['pipe', 'pipe', 'ignore'] });
  child.stdin.on('error', () => undefined); // one that says its word at once may be gone before it is asked
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...INITIALIZE })}\n`);
  const exited = once(child, 'exit');
  await once(child.stdout, 'data');
  const elapsed = performance.now() - begin;
  child.stdin.end();
  child.stdout.resume();
  await exited;
  return elapsed;
}
