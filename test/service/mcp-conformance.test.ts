/** The protocol's conformance suite against MCP over HTTP: the bridge that listens for itself, and the one on the port of the service. */
import { expect } from 'chai';
import { APPLICABLE, failureOf, listScenarios, NOT_APPLICABLE, WITH_ITS_TOOLS } from '../support/conformance.js';
import { conformanceTools } from '../support/conformance-tools.js';
import { openHttpBridge, type HttpBridge } from '../support/mcp.js';
import { startService, type Service } from '../support/service.js';
import { createTempFolder, type TempFolder } from '../support/temp-folder.js';

const OPEN = { MCP_ALLOW_ANONYMOUS: 'true' };

describe('the conformance suite of MCP', function () {
  this.timeout(60_000);
  let service: Service;
  let [bridge, bridgeWithItsTools]: HttpBridge[] = [];
  let folder: TempFolder;
  before(async () => {
    service = await startService({ variables: { MCP_ENABLED: 'true' } });
    [bridge, bridgeWithItsTools, folder] = await Promise.all([
      openHttpBridge({ url: service.url, variables: OPEN }),
      openHttpBridge({ url: service.url, variables: OPEN, tools: conformanceTools }),
      createTempFolder(),
    ]);
  });
  after(async () => {
    await Promise.all([bridge?.close(), bridgeWithItsTools?.close()]);
    await Promise.all([service.close(), folder.remove()]);
  });

  const targets = {
    'the bridge': { scenarios: APPLICABLE, mcpUrl: () => bridge?.mcpUrl },
    'the port of the service': { scenarios: APPLICABLE, mcpUrl: () => `${service.url}/mcp` },
    'the bridge with the tools of the suite': { scenarios: WITH_ITS_TOOLS, mcpUrl: () => bridgeWithItsTools?.mcpUrl },
  };
  for (const [name, { scenarios, mcpUrl }] of Object.entries(targets)) {
    for (const scenario of scenarios) {
      it(`passes ${scenario} on ${name}`, async () =>
        expect(await failureOf(scenario, mcpUrl() ?? '', folder.path)).to.equal(null));
    }
  }

  it('fails a scenario that does not hold', async () => {
    expect(await failureOf('prompts-list', bridge?.mcpUrl ?? '', folder.path)).to.be.a('string');
  });

  it('has no scenario that is neither run nor named with the reason why it does not apply', async () => {
    const judged = [...APPLICABLE, ...WITH_ITS_TOOLS, ...Object.keys(NOT_APPLICABLE)];
    expect(judged).to.have.members([...(await listScenarios())]);
  });
});
