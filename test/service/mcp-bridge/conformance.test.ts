/**
 * Runs the protocol's conformance suite against MCP over HTTP, in both revisions: the bridge on its own port, and the
 * bridge on the port of the service.
 */
import { expect } from 'chai';
import { type HttpBridge, openHttpBridge, REVISIONS } from '../../support/clients/mcp.js';
import {
  APPLICABLE,
  conformanceTools,
  failureOf,
  listScenarios,
  NEEDS_SUITE_TOOLS,
  NOT_APPLICABLE,
  type Scenario,
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

  const of = (revision: Scenario['revision'], scenarios: readonly string[]): readonly Scenario[] =>
    scenarios.map((scenario) => ({ scenario, revision }));
  const targets = {
    'the bridge': {
      runs: [...of('2025-11-25', APPLICABLE['2025-11-25']), ...of('2026-07-28', APPLICABLE['2026-07-28'])],
      mcpUrl: () => bridge?.mcpUrl,
    },
    'the port of the service': {
      runs: [
        ...of('2025-11-25', APPLICABLE['2025-11-25']),
        ...of('2026-07-28', ['server-stateless', 'dns-rebinding-protection']),
      ],
      mcpUrl: () => `${service.url}/mcp`,
    },
    'the bridge with suite tools': {
      runs: [...of('2025-11-25', NEEDS_SUITE_TOOLS), ...of('2026-07-28', NEEDS_SUITE_TOOLS)],
      mcpUrl: () => bridgeWithItsTools?.mcpUrl,
    },
  };
  for (const [name, { runs, mcpUrl }] of Object.entries(targets)) {
    for (const run of runs) {
      it(`passes ${run.scenario} of ${run.revision} on ${name}`, async () =>
        expect(await failureOf(run, mcpUrl() ?? '', folder.path)).to.equal(null));
    }
  }

  it('fails a scenario that the server violates', async () => {
    for (const revision of REVISIONS)
      expect(await failureOf({ scenario: 'prompts-get-simple', revision }, bridge?.mcpUrl ?? '', folder.path)).to.be.a(
        'string',
      );
  });

  it('covers every scenario: it runs, or is excluded with a reason', async () => {
    const applicable = new Set(Object.values(APPLICABLE).flat());
    const known = [...applicable, ...NEEDS_SUITE_TOOLS, ...Object.keys(NOT_APPLICABLE)];
    expect(known).to.have.members([...(await listScenarios())]);
  });
});
