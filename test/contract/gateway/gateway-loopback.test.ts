/** Behind a gateway an API without a token still sees the Host and the Origin of the client. */
import { request } from 'node:http';
import { expect } from 'chai';
import { type Gateway, GATEWAYS, GATEWAYS_NOTE } from '../../support/adapters/gateways.js';
import { type Edge, openEdge } from '../../support/processes/http-edge.js';

for (const adapter of GATEWAYS) {
  describe(`Loopback API behind a gateway, ${adapter.name}${GATEWAYS_NOTE}`, () => {
    let edge: Edge;
    let gateway: Gateway;
    before(async () => {
      edge = await openEdge({ isLoopbackOnly: true });
      gateway = await adapter.open({ instances: { command: [edge.url], query: [edge.url] } });
    });
    after(async () => {
      await gateway.close();
      await edge.close();
    });

    function statusWith(headers: Readonly<Record<string, string>>): Promise<number | undefined> {
      return new Promise((resolve, reject) => {
        const sent = request(`${gateway.url}/recall`, { headers, agent: false }, (response) => {
          response.resume();
          resolve(response.statusCode);
        });
        sent.once('error', reject);
        sent.end();
      });
    }

    it('rejects foreign Hosts and Origins', async () => {
      expect(await statusWith({})).to.equal(200);
      expect(await statusWith({ host: 'localhost:8001', origin: 'http://localhost:3000' })).to.equal(200);
      expect(await statusWith({ host: 'evil.example' })).to.equal(403);
      expect(await statusWith({ origin: 'https://evil.example' })).to.equal(403);
    });
  });
}
