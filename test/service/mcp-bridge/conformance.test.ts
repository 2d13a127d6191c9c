/**
 * Runs the protocol's conformance suite against MCP over HTTP: the bridge on its own port, and the bridge on the port
 * of the service.
 */
import { expect } from 'chai';
import { type HttpBridge, openHttpBridge } from '../../support/clients/mcp.js';
import {
  APPLICABLE,
  conformanceTools,
  failureOf,
  listScenarios,
  NEEDS_SUITE_TOOLS,
  NOT_APPLICABLE,
} from '../../support/clients/mcp-conformance.js';
import { createTempFolder, type TempFolder } from '../../support/fixtures/temp-folder.js';
import { type Service, startService } from '../../support/processes/service.js';

const OPEN = { MCP_ALLOW_ANONYMOUS: 'true' };

describe('MCP conformance suite', () => {
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
    'the bridge with suite tools': {
      scenarios: NEEDS_SUITE_TOOLS,
      mcpUrl: () => bridgeWithItsTools?.mcpUrl,
    },
  };
  for (const [name, { scenarios, mcpUrl }] of Object.entries(targets)) {
    for (const scenario of scenarios) {
      it(`passes ${scenario} on ${name}`, async () =>
        expect(await failureOf(scenario, mcpUrl() ?? '', folder.path)).to.equal(null));
    }
  }

  it('fails a scenario that the server violates', async () => {
    expect(await failureOf('prompts-get-simple', bridge?.mcpUrl ?? '', folder.path)).to.be.a('string');
  });

  it('covers every scenario: it runs, or is excluded with a reason', async () => {
    const known = [...APPLICABLE, ...NEEDS_SUITE_TOOLS, ...Object.keys(NOT_APPLICABLE)];
    expect(known).to.have.members([...(await listScenarios())]);
  });
});
