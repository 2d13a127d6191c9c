/** The official client uses the bridge over each of its transports, with the running service. */
import { expect } from 'chai';
import { connectMcp, type McpClient, TRANSPORTS } from '../../support/clients/mcp.js';
import { type Service, startService } from '../../support/processes/service.js';

const NOT_FOUND = -32_002;

for (const transport of TRANSPORTS) {
  describe(`MCP over ${transport}`, () => {
    let service: Service;
    let mcp: McpClient;
    before(async () => {
      service = await startService();
      mcp = await connectMcp(transport, { url: service.url });
    });
    after(async () => {
      await mcp.close();
      await service.close();
    });

    it('returns its name, capabilities and instructions', () => {
      expect(mcp.client.getServerVersion()).to.include({ name: 'palimpsest', title: 'Palimpsest' });
      expect(mcp.client.getServerCapabilities()).to.deep.equal({ tools: {}, resources: {} });
      expect(mcp.client.getInstructions()).to.include('recall_memory');
    });

    it('answers a ping and lists its resource template', async () => {
      expect(await mcp.client.ping()).to.deep.equal({});
      expect(await mcp.client.listResources()).to.deep.equal({ resources: [] });
      const { resourceTemplates } = await mcp.client.listResourceTemplates();
      expect(resourceTemplates.map(({ uriTemplate, mimeType }) => [uriTemplate, mimeType])).to.deep.equal([
        ['memory://{id}', 'application/json'],
      ]);
    });

    it('reads a memory by its URI', async () => {
      const { body } = await service.request('POST', '/memory', {
        body: { content: 'The lighthouse keeper prefers tea' },
      });
      const { contents } = await mcp.client.readResource({ uri: `memory://${body.memory_id}` });
      const [content] = contents;
      expect(content).to.include({ uri: `memory://${body.memory_id}`, mimeType: 'application/json' });
      expect(JSON.parse(content !== undefined && 'text' in content ? content.text : '').memory.content).to.equal(
        'The lighthouse keeper prefers tea',
      );
    });

    it('answers not found for an unknown memory and an invalid URI', async () => {
      for (const uri of ['memory://00000000-0000-4000-8000-000000000000', 'memory://nothing', 'file:///etc/passwd']) {
        const error = await mcp.client.readResource({ uri }).catch((refusal: unknown) => refusal);
        expect(error, uri).to.include({ code: NOT_FOUND });
      }
    });

    it('lists its tools to a client that calls an unknown one', async () => {
      const answer = await mcp.client.callTool({ name: 'forget_everything' });
      expect(answer.isError).to.equal(true);
      expect(JSON.stringify(answer.content)).to.include('Unknown tool: forget_everything');
    });
  });
}
