/**
 * Runs the protocol's conformance suite against MCP over HTTP, in both revisions: the bridge on its own port, and the
 * bridge on the port of the service.
 */
import { join } from 'node:path';
import { expect } from 'chai';
import { type HttpBridge, openHttpBridge, REVISIONS } from '../../support/clients/mcp.js';
import {
  APPLICABLE,
  conformanceTools,
  NEEDS_SUITE_TOOLS,
  NOT_APPLICABLE,
  type Outcome,
  type Revision,
  runSuite,
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
    'the bridge': { mcpUrl: () => bridge?.mcpUrl, scenarios: APPLICABLE },
    'the port of the service': { mcpUrl: () => `${service.url}/mcp`, scenarios: APPLICABLE },
    'the bridge with suite tools': {
      mcpUrl: () => bridgeWithItsTools?.mcpUrl,
      scenarios: { '2025-11-25': NEEDS_SUITE_TOOLS, '2026-07-28': NEEDS_SUITE_TOOLS },
    },
  };
  const outcomes = new Map<string, ReadonlyMap<string, Outcome>>();

  async function outcomesOf(target: keyof typeof targets, revision: Revision): Promise<ReadonlyMap<string, Outcome>> {
    const name = `${revision} of ${target}`.replaceAll(' ', '-');
    const found =
      outcomes.get(name) ?? (await runSuite(revision, targets[target].mcpUrl() ?? '', join(folder.path, name)));
    outcomes.set(name, found);
    return found;
  }

  for (const [target, { scenarios }] of Object.entries(targets)) {
    for (const revision of REVISIONS) {
      for (const scenario of scenarios[revision]) {
        it(`passes ${scenario} of ${revision} on ${target}`, async () => {
          const outcome = (await outcomesOf(target as keyof typeof targets, revision)).get(scenario);
          expect(outcome?.problems).to.deep.equal([]);
          expect(outcome?.passed).to.be.at.least(1);
        });
      }
    }
  }

  it('fails a scenario that the server violates', async () => {
    for (const revision of REVISIONS) {
      const outcome = (await outcomesOf('the bridge', revision)).get('prompts-get-simple');
      expect(outcome?.problems).to.have.length(1);
    }
  });

  it('covers every scenario: it runs, or is excluded with a reason', async () => {
    const applicable = new Set(Object.values(APPLICABLE).flat());
    const known = [...applicable, ...NEEDS_SUITE_TOOLS, ...Object.keys(NOT_APPLICABLE)];
    const run = await Promise.all(REVISIONS.map((revision) => outcomesOf('the bridge', revision)));
    expect(known).to.have.members([...new Set(run.flatMap((of) => [...of.keys()]))]);
  });
});
