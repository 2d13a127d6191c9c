/** Checks the MCP documentation: runs its transcript against a service and connects with each of its configurations. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect } from 'chai';
import { REPOSITORY } from '../support/checks/source-files.js';
import { until } from '../support/checks/until.js';
import { callOverMcp, connectMcp, connectTo, type McpClient } from '../support/clients/mcp.js';
import { createTempFolder, type TempFolder } from '../support/fixtures/temp-folder.js';
import { type ChildService, startChildService } from '../support/processes/child-service.js';

const TOKEN = 'your-token';
const CHECKOUT = '/path/to/palimpsest';
const TOOLS = [
  'store_memory',
  'recall_memory',
  'associate_memories',
  'update_memory',
  'delete_memory',
  'check_database_health',
];

type Started = {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
};
type Remote = { readonly url: string; readonly headers: Readonly<Record<string, string>> };

describe('the MCP documentation', () => {
  let folder: TempFolder;
  let page: string;
  let service: ChildService;
  before(async () => {
    folder = await createTempFolder();
    page = await readFile(join(REPOSITORY, 'deploy/docs/mcp.md'), 'utf8');
    service = await startChildService({
      dataFolder: folder.path,
      variables: { MCP_ENABLED: 'true', SERVICE_API_TOKEN: TOKEN },
    });
  });
  after(async () => {
    await service.stop('SIGTERM');
    await folder.remove();
  });

  const blocks = (language: string): readonly string[] =>
    [...page.matchAll(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, 'gu'))].map(([, text = '']) => text);
  /** Replaces the placeholders for the checkout and the service by those of the test. */
  const withTestAddresses = (text: string): string =>
    text
      .replaceAll(CHECKOUT, REPOSITORY.replace(/\/$/u, ''))
      .replaceAll(/http:\/\/(?:localhost|127\.0\.0\.1):8001/gu, service.url);

  async function connectStarted({ command, args, env }: Started): Promise<McpClient> {
    const client = new Client({ name: 'palimpsest-test', version: '0.0.0' });
    await client.connect(
      new StdioClientTransport({
        command: command === 'node' ? process.execPath : command,
        args: [...args],
        env: { ...env },
        stderr: 'ignore',
      }),
    );
    return { client, close: () => client.close() };
  }

  async function expectServed(mcp: McpClient): Promise<void> {
    expect((await mcp.client.listTools()).tools.map(({ name }) => name)).to.deep.equal(TOOLS);
    const { isError, text } = await callOverMcp(mcp, 'recall_memory', { query: 'anything' });
    expect(isError, text).to.equal(false);
    await mcp.close();
  }

  it('has working JSON configurations', async () => {
    const servers = blocks('json')
      .filter((text) => text.includes('mcpServers'))
      .map(
        (text) =>
          (JSON.parse(withTestAddresses(text)) as { mcpServers: { palimpsest: Started | Remote } }).mcpServers
            .palimpsest,
      );
    expect(servers).to.have.length(3);
    for (const server of servers) {
      if ('command' in server) await expectServed(await connectStarted(server));
      else {
        const client = await connectTo(server.url, server.headers);
        await expectServed({ client, close: () => client.close() });
      }
    }
  });

  it('has working Codex configurations', async () => {
    const [started = '', remote = '', ...others] = blocks('toml').map(withTestAddresses);
    expect(others).to.deep.equal([]);
    const valueOf = (toml: string, name: string): string => new RegExp(`^${name} = (.*)$`, 'mu').exec(toml)?.[1] ?? '';
    const env = Object.fromEntries(
      [...valueOf(started, 'env').matchAll(/"(\w+)" = "([^"]*)"/gu)].map(([, name = '', value = '']) => [name, value]),
    );
    await expectServed(
      await connectStarted({
        command: JSON.parse(valueOf(started, 'command')),
        args: JSON.parse(valueOf(started, 'args')),
        env,
      }),
    );
    const client = await connectTo(JSON.parse(valueOf(remote, 'url')), {
      authorization: `Bearer ${env[JSON.parse(valueOf(remote, 'bearer_token_env_var'))] ?? ''}`,
    });
    await expectServed({ client, close: () => client.close() });
  });

  it('has working Claude Code commands', async () => {
    const [started = '', remote = ''] = blocks('sh')
      .flatMap((text) => text.split('\n'))
      .filter((line) => line.startsWith('claude mcp add'))
      .map(withTestAddresses);
    const [options = '', line = ''] = started.split(' palimpsest -- ');
    // The shell splits the command, as it does for a reader.
    const words = await promisify(execFile)('sh', ['-c', `printf '%s\\n' ${line}`]);
    const [command = '', ...args] = words.stdout.trimEnd().split('\n');
    await expectServed(
      await connectStarted({
        command,
        args,
        env: Object.fromEntries(
          [...options.matchAll(/--env (\w+)=(\S+)/gu)].map(([, name = '', value = '']) => [name, value]),
        ),
      }),
    );
    const [, url = '', name = '', value = ''] = /palimpsest (\S+) --header "([^:]+): ([^"]+)"/u.exec(remote) ?? [];
    const client = await connectTo(url, { [name]: value });
    await expectServed({ client, close: () => client.close() });
  });

  it('shows the texts of both prompts', async () => {
    const { client, close } = await connectMcp('stdio', { url: service.url, token: TOKEN });
    try {
      const { prompts } = await client.listPrompts();
      expect(prompts.map(({ name }) => name)).to.deep.equal(['session_start', 'session_end']);
      for (const { name } of prompts) {
        const [, shown] =
          new RegExp(`<!-- prompt: ${name}[^>]*-->\\s*\`\`\`text\\n([^]*?)\\n\`\`\``, 'u').exec(page) ?? [];
        const [message] = (await client.getPrompt({ name })).messages;
        expect(message?.content).to.deep.equal({ type: 'text', text: shown });
      }
    } finally {
      await close();
    }
  });

  it('shows a transcript that equals the real replies', async () => {
    const transcript = /<!-- transcript[^>]*-->\s*```text\n([\s\S]*?)```/u.exec(page)?.[1];
    if (transcript === undefined) throw new Error('mcp.md has no block marked "transcript": add the marker before it');
    const mcp = await connectMcp('stdio', { url: service.url, token: TOKEN });
    /** The real id for each shortened id. */
    const idOf = new Map<string, string>();
    for (const { tool, given, answer } of stepsIn(transcript)) {
      const { text } = await callOverMcp(
        mcp,
        tool,
        JSON.parse(given.replaceAll(SHORTENED, (shown) => idOf.get(shown) ?? shown)) as object,
      );
      const real = [...text.matchAll(WHOLE)].map(([id]) => id);
      [...answer.matchAll(SHORTENED)].forEach(([shown], index) =>
        idOf.set(shown, idOf.get(shown) ?? real[index] ?? shown),
      );
      expect(withoutTimes(text)).to.equal(
        withoutTimes(answer.replaceAll(SHORTENED, (shown) => idOf.get(shown) ?? shown)),
      );
      await until('all memories are indexed and enriched', async () => {
        const { in_flight: inFlight, enrichment } = (await service.request('GET', '/health')).body;
        return inFlight === 0 && enrichment.pending === 0 && enrichment.inflight === 0;
      });
    }
    await mcp.close();
    expect(idOf.size).to.equal(2);
  });
});

const SHORTENED = /[0-9a-f]{8}…/gu;
const WHOLE = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/gu;

type Step = { readonly tool: string; readonly given: string; readonly answer: string };

function stepsIn(transcript: string): readonly Step[] {
  return transcript
    .split(/^> /mu)
    .slice(1)
    .map((step) => {
      const [, tool = '', given = '', answer = ''] = /^(\w+) (.*)\n([\s\S]*)$/u.exec(step.trimEnd()) ?? [];
      return { tool, given, answer };
    });
}

/** Removes times and scores, because a score depends on the age of a memory. */
function withoutTimes(text: string): string {
  return text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+\+00:00/gu, '<time>').replaceAll(/score=\d\.\d{3}/gu, 'score=<score>');
}
