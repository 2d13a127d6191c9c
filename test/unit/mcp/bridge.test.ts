import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { expect } from 'chai';
import { createBridge, createBridgeClient, INSTRUCTIONS } from '../../../deploy/mcp/bridge.js';
import type { Tool } from '../../../deploy/mcp/tool.js';
import { type Logger, silentLogger } from '../../../shared/kernel/logger.js';
import { until } from '../../support/checks/until.js';
import { broken, failing, makeHeldTool, makeTool, steps, wrongShape } from '../../support/fixtures/mcp-tools.js';

const NOWHERE = 'http://127.0.0.1:9';
const CLIENT_LIMIT_BYTES = 2_048;

type Line = { readonly fields: Readonly<Record<string, unknown>>; readonly message: string };

async function connect(tools: readonly Tool[]) {
  const errors: Line[] = [];
  const logger: Logger = {
    ...silentLogger,
    error: (fields, message) => void errors.push({ fields: { ...fields }, message }),
  };
  const connection = createBridge({ tools, tokenBudget: 18_000, version: '1.2.3', logger }).connect(
    createBridgeClient({ baseUrl: NOWHERE, token: null, version: '1.2.3' }),
  );
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '0' });
  await Promise.all([connection.server.connect(ours), client.connect(theirs)]);
  await client.listTools(); // from now on the client validates answers against the output schemas
  return { client, errors, settled: connection.settled };
}

const textOf = (answer: object): string => JSON.stringify((answer as { content: unknown }).content);

describe('MCP bridge', () => {
  it('keeps its instructions below the size at which clients cut them', () => {
    expect(Buffer.byteLength(INSTRUCTIONS)).to.be.at.most(CLIENT_LIMIT_BYTES);
  });

  it('lists tools in order, with hints, without keywords of its own validator', async () => {
    const input = {
      type: 'object',
      additionalProperties: false,
      properties: {
        aliases: { type: 'string', accepts: 'any_case', enum: ['accepts'] },
        list: { type: 'array', items: { type: 'number', accepts: 'numeric' } },
      },
    } as const;
    const { client } = await connect([
      makeTool('store_memory', async () => ({ text: [] }), { inputSchema: input }),
      steps,
    ]);
    const {
      tools: [first, second],
    } = await client.listTools();
    expect(first?.inputSchema).to.deep.equal({
      type: 'object',
      additionalProperties: false,
      properties: {
        aliases: { type: 'string', enum: ['accepts'] },
        list: { type: 'array', items: { type: 'number' } },
      },
    });
    expect(first?.annotations).to.deep.equal({
      title: 'store_memory',
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    });
    expect([first?._meta, second?._meta]).to.deep.equal([{ 'anthropic/alwaysLoad': true }, undefined]);
    expect(second?.name).to.equal('steps');
  });

  it('answers text and structure, and reports increasing progress', async () => {
    const { client } = await connect([steps]);
    const reported: number[] = [];
    const answer = await client.callTool({ name: 'steps' }, undefined, {
      onprogress: ({ progress }) => reported.push(progress),
    });
    expect(answer).to.deep.equal({ content: [{ type: 'text', text: 'done' }], structuredContent: { message: 'done' } });
    expect(reported).to.deep.equal([1, 2, 3]);
  });

  it('logs the error of a tool that throws and hides it from the caller', async () => {
    const { client, errors } = await connect([broken]);
    const answer = await client.callTool({ name: 'broken' });
    expect(answer.isError).to.equal(true);
    expect(textOf(answer)).to.include('has a fault').and.not.include('nobody outside');
    expect(errors.map(({ fields }) => (fields['err'] as Error).message)).to.deep.equal([
      'a fault that nobody outside may read of',
    ]);
  });

  it('sends only the text, as an error, if the structure violates the output schema', async () => {
    const { client, errors } = await connect([wrongShape, failing]);
    const stored = await client.callTool({ name: 'shapeless' });
    expect(stored).to.include({ isError: true }).and.not.have.property('structuredContent');
    expect(textOf(stored)).to.include('It was stored.').and.include('was carried out');
    const refused = await client.callTool({ name: 'refusing' });
    expect(refused).to.deep.equal({ content: [{ type: 'text', text: 'Error: no' }], isError: true });
    expect(errors).to.have.lengthOf(2);
  });

  it('names the known tools for an unknown tool, and the unknown argument', async () => {
    const { client } = await connect([steps]);
    expect(textOf(await client.callTool({ name: 'recall' }))).to.include('Unknown tool: recall. The tools are steps');
    expect(textOf(await client.callTool({ name: 'steps', arguments: { tag: 'x' } }))).to.include('tag');
  });

  it('aborts a call that its client cancels, without a log line, and settles', async () => {
    const held = makeHeldTool();
    const { client, errors, settled } = await connect([held.tool]);
    const cancel = new AbortController();
    const refused = client.callTool({ name: 'held' }, undefined, { signal: cancel.signal }).catch(() => 'cancelled');
    await until('the call is running', () => held.calls() === 1);
    cancel.abort();
    expect(await refused).to.equal('cancelled');
    await settled();
    expect([held.aborted(), errors]).to.deep.equal([1, []]);
  });
});
