/**
 * Guarantees of the bridge beyond a single answer, over both transports: retries, one memory for one call, the caller's
 * key, the token budget, progress.
 */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { callOverMcp, connectMcp, type McpClient, type McpOptions, TRANSPORTS } from '../../../support/clients/mcp.js';
import { openFailingProxy } from '../../../support/faults/failing-proxy.js';
import { type Service, startService } from '../../../support/processes/service.js';
import { openStubInstance } from '../../../support/servers/stub-instance.js';
import { idsByTag, read, store } from '../../memories/memory-fixtures.js';

const KEY = 'of-the-service';
const AUTHORIZED = { authorization: `Bearer ${KEY}` };
/** The sum of the bridge's first two pauses between retries. */
const TWO_PAUSES_MS = 1_500;
const NARROW_BUDGET = 1_200;
const CHARACTERS_PER_TOKEN = 2.5;

for (const transport of TRANSPORTS) {
  describe(`MCP bridge over ${transport}`, function () {
    let service: Service;
    let narrow: McpClient;
    const open: McpClient[] = [];
    before(async () => {
      service = await startService();
      narrow = await connectMcp(transport, {
        url: service.url,
        variables: { AUTOMEM_RECALL_TOKEN_BUDGET: String(NARROW_BUDGET) },
      });
      await narrow.client.listTools(); // from now on the client validates every answer against the output schema
    });
    afterEach(async () => {
      await Promise.all(open.splice(0).map((mcp) => mcp.close()));
    });
    after(async () => {
      await narrow.close();
      await service.close();
    });

    async function connect(options: McpOptions): Promise<McpClient> {
      const mcp = await connectMcp(transport, options);
      open.push(mcp);
      return mcp;
    }

    it('stores one memory for one call whose first answers are lost', async () => {
      const proxy = await openFailingProxy(service.url);
      let tries = 0;
      proxy.failWhen(({ route }) => (route === 'POST /memory' && (tries += 1) < 3 ? 'unanswered' : null));
      const mcp = await connect({ url: proxy.url });
      const begin = performance.now();

      const { isError, text, fields } = await callOverMcp(mcp, 'store_memory', {
        content: 'The tide turns at noon',
        tags: ['once'],
      });

      expect(isError, text).to.equal(false);
      expect(performance.now() - begin).to.be.at.least(TWO_PAUSES_MS);
      const keys = proxy.requests
        .filter(({ route }) => route === 'POST /memory')
        .map(({ idempotencyKey }) => idempotencyKey);
      expect([keys.length, new Set(keys).size]).to.deep.equal([3, 1]);
      expect(await idsByTag(service, 'once')).to.deep.equal([fields.memory_id]);
      await proxy.close();
    });

    for (const format of ['text', 'items', 'detailed', 'json']) {
      it(`keeps its token budget as ${format}, fetches cut memories whole`, async () => {
        const contentOf = (number: number): string =>
          `Logbook ${number} as ${format}. ${`On day ${number} all was calm at sea. `.repeat(50)}`.trim();
        for (const number of [1, 2, 3])
          await store(service, {
            content: contentOf(number),
            tags: [`logbook-${format}`],
            importance: number / 10,
            metadata: { note: 'x'.repeat(1_000) },
          });

        const cut = await callOverMcp(narrow, 'recall_memory', { tags: [`logbook-${format}`], format });

        expect(cut.fields).to.deep.include({
          count: 1,
          truncation: { applied: true, omitted_results: 2, reason: 'response_token_budget' },
        });
        expect((cut.text.length + JSON.stringify(cut.fields).length) / CHARACTERS_PER_TOKEN).to.be.at.most(
          NARROW_BUDGET,
        );
        expect(cut.text).to.include('left out to stay within about');
        const whole = await callOverMcp(narrow, 'recall_memory', {
          memory_id: cut.fields.results[0].memory_id,
          format,
        });
        expect(whole.fields.results[0].content).to.equal(contentOf(3));
        expect(whole.text).to.include(contentOf(3).slice(-200));
      });
    }

    it('reports the progress of a superseding call', async () => {
      const old = await store(service);
      const steps: unknown[] = [];
      await narrow.client.callTool(
        { name: 'store_memory', arguments: { content: 'Deploys go by hand', supersedes_memory_id: old } },
        undefined,
        {
          onprogress: ({ progress, total, message }) => steps.push([progress, total, message]),
        },
      );
      const all = [
        [1, 4, 'The old memory is read'],
        [2, 4, 'The new memory is stored'],
        [3, 4, 'The old memory is marked as superseded'],
        [4, 4, 'The two are associated'],
      ];
      // The client of the SDK drops a report that arrives in one chunk with the answer.
      expect(steps).to.deep.equal(all.slice(0, Math.max(3, steps.length)));
      expect((await read(service, old)).relations).to.have.length(1);
    });

    it('aborts its request when the client cancels the call', async () => {
      const stub = await openStubInstance('service');
      const { client } = await connect({ url: stub.url });
      const taken = new Promise<ServerResponse>((resolve) =>
        stub.respondWith((request, response) =>
          request.url?.startsWith('/recall') ? resolve(response) : response.end('{}'),
        ),
      );
      const cancel = new AbortController();
      const called = client
        .callTool({ name: 'recall_memory', arguments: { query: 'x' } }, undefined, { signal: cancel.signal })
        .catch(() => 'cancelled');
      const closed = once(await taken, 'close');
      // Without sessions a cancel notification reaches another server than the call: over HTTP, closing the connection
      // cancels.
      if (transport === 'stdio') cancel.abort();
      else await client.close();
      expect(await called).to.equal('cancelled');
      await closed;
      await stub.close();
    });

    // Last, because over real engines the second service closes the first.
    it('sends the key of its caller, and says how to correct a wrong one', async () => {
      const guarded = await startService({ variables: { SERVICE_API_TOKEN: KEY } });
      const friend = await connect({ url: guarded.url, token: KEY });
      const { fields } = await callOverMcp(friend, 'store_memory', { content: 'Only for friends' });
      expect((await guarded.request('GET', `/memory/${fields.memory_id}`, { headers: AUTHORIZED })).status).to.equal(
        200,
      );
      // Over stdio the tool reports the wrong key; over HTTP the client cannot connect.
      const refusal = await connect({ url: guarded.url, token: 'guess' }).then(
        async (stranger) => {
          const { isError, text } = await callOverMcp(stranger, 'recall_memory', { query: 'friends' });
          return isError ? text : 'answered';
        },
        (error: Error) => error.message,
      );
      expect(refusal).to.match(/^Error: Unauthorized\n[\s\S]*AUTOMEM_API_KEY|does not accept this API token/u);
      await guarded.close();
    });
  });
}
