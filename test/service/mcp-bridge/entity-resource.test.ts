/** The page of an entity over MCP: which request it sends, and how it answers what is not an entity. */
import { expect } from 'chai';
import { rejection } from '../../support/checks/rejection.js';
import { connectFastRetryMcp } from '../../support/clients/fast-retry-mcp.js';
import { type McpClient, TRANSPORTS } from '../../support/clients/mcp.js';
import { answerJson, openStubInstance, type StubInstance } from '../../support/servers/stub-instance.js';

const NOT_FOUND = -32_002;
const INTERNAL_ERROR = -32_603;
const ANN = { id: 'entity:people:ann-lee', slug: 'ann-lee', category: 'people', name: 'Ann Lee', aliases: ['annie'] };

for (const transport of TRANSPORTS) {
  describe(`an entity over MCP (${transport})`, () => {
    let stub: StubInstance;
    let mcp: McpClient;
    beforeEach(async () => {
      stub = await openStubInstance('service');
      stub.respondWith((_, response) => answerJson(response, 200, { status: 'success', entity: ANN }));
      mcp = await connectFastRetryMcp(transport, { url: stub.url });
    });
    afterEach(async () => {
      await mcp.close();
      await stub.close();
    });

    it('is listed as a template', async () => {
      const { resourceTemplates } = await mcp.client.listResourceTemplates();
      expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).to.include('entity://{slug}');
    });

    it('is read by its slug or an alias in any characters', async () => {
      for (const [uri, path] of [
        ['entity://ann-lee', '/entity/ann-lee'],
        ['ENTITY://Ann%20Lee/', '/entity/Ann%20Lee'],
        ['entity://%E6%9D%8E', '/entity/%E6%9D%8E'],
        ['entity://..%2Fhealth', '/entity/..%2Fhealth'],
      ] as const) {
        const { contents } = await mcp.client.readResource({ uri });
        expect(contents).to.deep.equal([{ uri, mimeType: 'application/json', text: JSON.stringify({ entity: ANN }) }]);
        expect(stub.requests.at(-1)?.url).to.equal(path);
      }
    });

    it('is not found for an unknown slug and an invalid URI', async () => {
      stub.respondWith((_, response) => answerJson(response, 404, { message: "Entity 'bo' not found" }));
      const before = stub.requests.length;
      for (const uri of ['entity://bo', 'entity://', 'entity://%20', 'entity://%zz', 'entity://a/b', 'entity://..'])
        expect(await rejection(mcp.client.readResource({ uri })), uri).to.include({ code: NOT_FOUND });
      expect(stub.requests.slice(before).map(({ url }) => url)).to.deep.equal(['/entity/bo']);
      expect((await rejection(mcp.client.readResource({ uri: 'entity://bo' }))).message).to.include('recall_memory');
    });

    it('is an error that says what to do when the service fails', async () => {
      stub.respondWith((_, response) => answerJson(response, 503, { message: 'Graph database unavailable' }));
      const failed = await rejection(mcp.client.readResource({ uri: 'entity://ann-lee' }));
      expect(failed).to.include({ code: INTERNAL_ERROR });
      expect(failed.message).to.match(/Graph database unavailable[\s\S]*check_database_health/u);
      stub.respondWith((_, response) => answerJson(response, 200, { instance: 'other' }));
      const strange = await rejection(mcp.client.readResource({ uri: 'entity://ann-lee' }));
      expect(strange.message).to.match(/not with an entity[\s\S]*AUTOMEM_API_URL/u);
    });
  });
}
