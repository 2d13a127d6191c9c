/**
 * The official client sends every option of every tool over both transports: it arrives at the service, and the answer
 * matches the output schema.
 */
import { expect } from 'chai';
import { callOverMcp, connectMcp, type McpClient, type McpReply, TRANSPORTS } from '../../../support/clients/mcp.js';
import {
  openRecordingProxy,
  type RecordedRequest,
  type RecordingProxy,
} from '../../../support/clients/recording-proxy.js';
import { type Service, startService } from '../../../support/processes/service.js';
import { store } from '../../memories/memory-fixtures.js';
import { type Cast, type Row, rowsOf } from './options.js';

for (const transport of TRANSPORTS) {
  describe(`MCP tools over ${transport}`, () => {
    let service: Service;
    let tap: RecordingProxy;
    let mcp: McpClient;
    let cast: Cast;
    let listed: Awaited<ReturnType<McpClient['client']['listTools']>>['tools'];
    before(async () => {
      service = await startService();
      tap = await openRecordingProxy(service.url);
      mcp = await connectMcp(transport, { url: tap.url });
      listed = (await mcp.client.listTools()).tools; // from now on the client validates every answer against the output schema
      cast = {
        one: await store(service, { tags: ['harbour'] }),
        two: await store(service, { tags: ['harbour'] }),
        third: await store(service),
      };
    });
    beforeEach(() => void tap.takeRequests()); // the bridge over HTTP also checks the health of the service by itself
    after(async () => {
      await mcp.close();
      await tap.close();
      await service.close();
    });

    /** Rejects if the answer violates the output schema of the tool. */
    async function call({ tool, given }: Pick<Row, 'tool' | 'given'>): Promise<McpReply> {
      const reply = await callOverMcp(mcp, tool, given);
      expect(reply.isError, `${tool} ${JSON.stringify(given)}: ${reply.text}`).to.equal(false);
      return reply;
    }

    it('list every tool with its hints, and schemas in plain JSON Schema', () => {
      const hints = listed.map(
        ({ name, annotations: { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = {} }) => [
          name,
          readOnlyHint,
          destructiveHint,
          idempotentHint,
          openWorldHint,
        ],
      );
      expect(hints).to.deep.equal([
        ['store_memory', false, false, false, false],
        ['recall_memory', true, false, true, false],
        ['associate_memories', false, false, true, false],
        ['update_memory', false, false, true, false],
        ['delete_memory', false, true, true, false],
        ['check_database_health', true, false, true, false],
      ]);
      expect(JSON.stringify(listed)).to.not.match(/"(?:accepts|aliases)":/u);
      expect(JSON.stringify(listed), 'lists of types').to.not.contain('"type":[');
      for (const { description = '', outputSchema } of listed) {
        expect(Buffer.byteLength(description)).to.be.within(1, 2_048);
        expect(outputSchema).to.have.property('type', 'object');
      }
    });

    for (const tool of [
      'store_memory',
      'recall_memory',
      'associate_memories',
      'update_memory',
      'check_database_health',
    ]) {
      it(`forward every option of ${tool}, answer by schema`, async () => {
        const rows = rowsOf(cast).filter((row) => row.tool === tool);
        for (const row of rows) {
          tap.takeRequests();
          await call(row);
          expectReceived(tap.takeRequests(), row);
        }
        const { inputSchema } = listed.find(({ name }) => name === tool) ?? {};
        expect([...new Set(rows.flatMap(({ given }) => Object.keys(given)))]).to.have.members(
          Object.keys(inputSchema?.properties ?? {}),
        );
      });
    }

    it('forward every option of delete_memory, answer by schema', async () => {
      const [byTags] = rowsOf(cast).filter(({ tool }) => tool === 'delete_memory');
      const byId: Row = {
        tool: 'delete_memory',
        given: { memory_id: await store(service) },
        received: [{ route: 'DELETE /memory/:id' }],
      };
      for (const row of [byTags ?? byId, byId]) {
        await call(row);
        expectReceived(tap.takeRequests(), row);
      }
    });

    it('store, supersede, associate, correct, recall and delete', async () => {
      const { fields: old } = await call({
        tool: 'store_memory',
        given: { content: 'The lighthouse is painted red', tags: ['lighthouse'] },
      });
      const { fields: fresh } = await call({
        tool: 'store_memory',
        given: {
          content: 'The lighthouse is painted white',
          tags: ['lighthouse'],
          supersedes_memory_id: old['memory_id'],
        },
      });
      await call({
        tool: 'associate_memories',
        given: { memory1_id: fresh['memory_id'], memory2_id: cast.one, type: 'PART_OF' },
      });
      await call({ tool: 'update_memory', given: { memory_id: fresh['memory_id'], importance: 0.9 } });
      // Without its vector it would be shown as the replacement of the old memory, without its own associations.
      await service.settled();

      const { text, fields } = await call({
        tool: 'recall_memory',
        given: { query: 'what colour is the lighthouse painted', tags: ['lighthouse'], format: 'detailed' },
      });
      expect(fields).to.include({ count: 1 }).and.have.nested.property('results[0].memory_id', fresh['memory_id']);
      expect(text)
        .to.include('painted white')
        .and.include('importance: 0.9')
        .and.include('PART_OF')
        .and.not.include('painted red');

      expect((await call({ tool: 'delete_memory', given: { tags: ['lighthouse'] } })).fields).to.include({
        deleted_count: 2,
      });
      expect((await call({ tool: 'recall_memory', given: { tags: ['lighthouse'] } })).fields).to.deep.include({
        count: 0,
        results: [],
      });
    });

    it('send a different idempotency key with each command', async () => {
      for (let times = 0; times < 2; times += 1)
        await call({ tool: 'store_memory', given: { content: 'The buoy is green' } });
      const keys = tap.takeRequests().map(({ headers }) => headers['idempotency-key']);
      expect(keys).to.have.length(2);
      expect(new Set(keys).size).to.equal(2);
    });
  });
}

/** Reads may be repeated, and the bridge over HTTP checks the health of the service by itself. */
function expectReceived(passed: readonly RecordedRequest[], { given, received: heard }: Row): void {
  const isHealthAsked = heard.some(({ route }) => route === 'GET /health');
  const tapped = isHealthAsked ? passed.slice(-1) : passed.filter(({ route }) => route !== 'GET /health');
  const what = JSON.stringify(given).slice(0, 300);
  expect(
    tapped.map(({ route }) => route),
    what,
  ).to.deep.equal(heard.map(({ route }) => route));
  heard.forEach(({ query = {}, body = {} }, index) => {
    expect(tapped[index]?.query, what).to.deep.include(query);
    if (Object.keys(body).length > 0) expect(tapped[index]?.body, what).to.deep.include(body);
  });
}
