/**
 * A failing service, over both transports: every tool says what is wrong and what to do next, and the bridge keeps
 * running.
 */
import type { RequestListener } from 'node:http';
import { expect } from 'chai';
import { rejection } from '../../support/checks/rejection.js';
import { connectFastRetryMcp, type FastRetryOptions } from '../../support/clients/fast-retry-mcp.js';
import { callOverMcp, type McpClient, TRANSPORTS } from '../../support/clients/mcp.js';
import { answerJson, openStubInstance, type StubInstance } from '../../support/servers/stub-instance.js';

const [ONE, TWO] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
const PAIR = { memory1_id: ONE, memory2_id: TWO, type: 'PART_OF' };

/** Every kind of call to the service, with valid arguments. */
const CALLS: readonly (readonly [tool: string, given: object])[] = [
  ['store_memory', { content: 'x' }],
  ['store_memory', { memories: [{ content: 'x' }] }],
  ['store_memory', { content: 'x', supersedes_memory_id: ONE }],
  ['recall_memory', { query: 'x' }],
  ['recall_memory', { memory_id: ONE }],
  ['recall_memory', { exhaustive: true, tags: ['x'] }],
  ['associate_memories', PAIR],
  ['associate_memories', { associations: [PAIR] }],
  ['update_memory', { memory_id: ONE, importance: 1 }],
  ['delete_memory', { memory_id: ONE }],
  ['delete_memory', { tags: ['x'] }],
];
const RESOURCES = [`memory://${ONE}`, 'memory://startup-recall', 'entity://ann'];
const INTERNAL_ERROR = -32_603;
const READS = new Set(['recall_memory']);
const EFFECT_STATED = /Nothing was written|may have been (?:stored|carried out)|It is not known/u;
const ABOUT_THE_ADDRESS = /AUTOMEM_API_URL/u;

type Failing = {
  readonly does: RequestListener;
  readonly reason: RegExp;
  readonly advice: RegExp;
  readonly options?: Partial<FastRetryOptions>;
};
const answering =
  (status: number, message: string): RequestListener =>
  (_, response) =>
    answerJson(response, status, { status: 'error', code: status, message, error: message });

const FAILURES: Readonly<Record<string, Failing>> = {
  'answers 401': { does: answering(401, 'Unauthorized'), reason: /Unauthorized/u, advice: /AUTOMEM_API_KEY/u },
  'answers 403': { does: answering(403, 'Not for you'), reason: /Not for you/u, advice: /AUTOMEM_API_KEY/u },
  'answers 500': {
    does: answering(500, 'Internal server error'),
    reason: /Internal server error/u,
    advice: /log of the service/u,
  },
  'answers 503': {
    does: answering(503, 'Graph database unavailable'),
    reason: /Graph database unavailable/u,
    advice: /check_database_health/u,
  },
  'answers 502 with a page': {
    does: (_, response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>'),
    reason: /502/u,
    advice: ABOUT_THE_ADDRESS,
  },
  'answers half a JSON': {
    does: (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"memory_id": "'),
    reason: /Invalid JSON response \(200\)/u,
    advice: ABOUT_THE_ADDRESS,
  },
  'breaks off': {
    does: (_, response) => void response.destroy(),
    reason: /did not answer \(/u,
    advice: ABOUT_THE_ADDRESS,
  },
  'is slow': {
    does: () => undefined,
    reason: /did not answer in time/u,
    advice: /check_database_health/u,
    options: { timeoutMs: 30 },
  },
};

for (const transport of TRANSPORTS) {
  describe(`failing service over ${transport}`, () => {
    let stub: StubInstance;
    let mcp: McpClient;
    beforeEach(async () => {
      stub = await openStubInstance('service');
    });
    afterEach(async () => {
      await mcp.close();
      await stub.close();
    });

    async function connect(options: Partial<FastRetryOptions> = {}): Promise<void> {
      mcp = await connectFastRetryMcp(transport, { url: stub.url, ...options });
      await mcp.client.listTools(); // from now on the client validates every answer against the output schema
    }

    async function expectReported({ reason, advice }: Pick<Failing, 'reason' | 'advice'>): Promise<void> {
      for (const [tool, given] of CALLS) {
        const { isError, text } = await callOverMcp(mcp, tool, given);
        const what = `${tool} ${JSON.stringify(given)}`;
        expect(isError, `${what}: ${text}`).to.equal(true);
        expect(text, what)
          .to.match(/^Error: /u)
          .and.match(reason)
          .and.match(advice);
        if (!READS.has(tool)) expect(text, what).to.match(EFFECT_STATED);
      }
      for (const uri of RESOURCES) {
        const refusal = await rejection(mcp.client.readResource({ uri }));
        expect(refusal, uri).to.include({ code: INTERNAL_ERROR });
        expect(refusal.message, uri).to.match(reason).and.match(advice);
      }
      const { messages } = await mcp.client.getPrompt({ name: 'session_start' });
      expect(JSON.stringify(messages)).to.match(reason).and.match(advice);
      const health = await callOverMcp(mcp, 'check_database_health');
      expect([health.isError, health.fields.status]).to.deep.equal([false, 'error']);
      expect(health.fields.error).to.match(reason);
    }

    for (const [name, { does, options, ...expected }] of Object.entries(FAILURES)) {
      it(`is reported by every tool when it ${name}`, async () => {
        stub.respondWith(does);
        await connect(options);
        await expectReported(expected);
        expect(await mcp.client.ping()).to.deep.equal({});
      });
    }

    it('is reported by every tool when it is down', async () => {
      await connect();
      await stub.close();
      await expectReported({ reason: /cannot be reached/u, advice: ABOUT_THE_ADDRESS });
    });

    it('is reported for 404, except for the recall of an unknown memory', async () => {
      stub.respondWith(answering(404, 'Memory not found'));
      await connect();
      for (const [tool, given] of CALLS) {
        const { isError, text, fields } = await callOverMcp(mcp, tool, given);
        if ('memory_id' in given && tool === 'recall_memory')
          expect([isError, fields.count], text).to.deep.equal([false, 0]);
        else
          expect([isError, text], tool).to.satisfy(
            ([is, words]: [boolean, string]) => is && /Memory not found[\s\S]*recall_memory/u.test(words),
          );
      }
    });

    it('is reported when another service answers', async () => {
      await connect(); // the stub answers 200 {"instance": …} to everything
      for (const [tool, given] of CALLS.slice(0, 6)) {
        const { isError, text } = await callOverMcp(mcp, tool, given);
        expect(isError, `${tool} ${JSON.stringify(given)}: ${text}`).to.equal(true);
      }
      const refusal = await rejection(mcp.client.readResource({ uri: 'memory://startup-recall' }));
      expect(refusal.message).to.match(/not with lessons and rules[\s\S]*AUTOMEM_API_URL/u);
      expect((await callOverMcp(mcp, 'check_database_health')).fields).to.include({ status: 'error' });
    });
  });
}
