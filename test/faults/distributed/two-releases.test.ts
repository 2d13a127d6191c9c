/**
 * A rolling upgrade of the distributed service: the next release migrates the schema while this one serves, then each
 * process is replaced, one after the other, under load. Processes of both releases run side by side.
 */
import { expect } from 'chai';
import pg from 'pg';
import { until } from '../../support/checks/until.js';
import { type Child, startChild } from '../../support/processes/child-process.js';
import { type Fleet, type Kind, logTail, MAINS, type Member, startFleet } from '../../support/processes/fleet.js';
import { buildNextRelease, inNextRelease } from '../../support/processes/next-release.js';
import { openTestDeployment } from '../../support/processes/test-deployment.js';
import { createLedgers, type FaultSetup, survivesFault } from './fault-checks.js';
import { QUERY_VARIABLES, WITHOUT_ENRICHER } from './fleet-variables.js';
import { expectPipelineWorks } from './pipeline-checks.js';

const WRITERS = 2;
const COMMANDS = 'deploy/commands/main.js';
/** What the gateway and the command API answer while an instance stops. Both have Retry-After. */
const RETRYABLE = [502, 503];

/** Optional fields that the next release adds to the events of both releases. */
const UNKNOWN_FIELDS = `
  CREATE FUNCTION add_unknown_fields() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NEW.data LIKE '{"%' THEN NEW.data = '{"of_next_release": {"kind": "unknown", "values": [1, 2]},' || substr(NEW.data, 2); END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER add_unknown_fields BEFORE INSERT ON journal FOR EACH ROW EXECUTE FUNCTION add_unknown_fields();`;

describe('two releases', function () {
  this.timeout(300_000);
  const ledgers = createLedgers().slice(0, WRITERS);
  let fleet: Fleet;
  let remove: () => Promise<void>;
  // `npm run verify` of this release refuses the schema of the next one, which runs its own at the end.
  const stage = (): FaultSetup => ({ fleet, ledgers, isSchemaKnown: false });

  before(async () => {
    await buildNextRelease();
    const opened = await openTestDeployment();
    remove = opened.remove;
    fleet = await startFleet(opened.deployment, {
      each: 2,
      variables: WITHOUT_ENRICHER,
      queryVariables: QUERY_VARIABLES,
    });
  });
  after(async () => {
    await fleet?.close();
    await remove?.();
  });
  afterEach(function () {
    if (this.currentTest?.state === 'failed') console.error(logTail(fleet));
  });

  it('migrates and writes unknown fields, older processes continue', async () => {
    expect(await outputOf(nextRelease(MAINS.relay), 1)).to.match(/of 'journal' .* run `npx palimpsest migrate`/u);
    await survivesFault(stage(), async () => {
      expect(await outputOf(nextRelease(COMMANDS, ['migrate']))).to.match(/brought from version/u);
      await run(UNKNOWN_FIELDS);
      await expectPipelineWorks(stage());
    });
    expect(await outputOf(start(MAINS.relay), 1)).to.match(/made by a later version of Palimpsest/u);
  });

  it('replaces each process under load and refuses nothing without Retry-After', async () => {
    const { unavailable, broken, statuses } = await survivesFault(stage(), async () => {
      const [firstProjectors, lastProjectors] = members('projectors');
      const [firstCommands, lastCommands] = members('command-api');
      await replace(firstProjectors);
      await replace(firstCommands);
      await until('projectors of this release wait at an event of the next one', () =>
        /does not know the event/u.test(lastProjectors.output()),
      );
      await replace(lastProjectors);
      await expectPipelineWorks(stage());
      await replace(lastCommands);
      for (const kind of ['relay', 'query-api'] as const) for (const member of members(kind)) await replace(member);
    });
    expect(broken, 'connections that broke').to.equal(0);
    expect([...statuses], `statuses of ${unavailable} answers`).to.satisfy((all: number[]) =>
      all.every((status) => RETRYABLE.includes(status)),
    );
    expect(await run(INTERLEAVED), 'events of this release after the first one of the next').to.not.equal(0);
    expect(await outputOf(nextRelease(COMMANDS, ['verify', '--distributed']))).to.match(/no difference/iu);
  });

  function members(kind: Kind): readonly [Member, Member] {
    const [first, second] = fleet.members(kind);
    if (!first || !second) throw new Error(`The fleet has fewer than two running ${kind}`);
    return [first, second];
  }

  /** Stops the process in order and starts one of the next release on its port. */
  async function replace(member: Member): Promise<void> {
    expect(await member.stop('SIGTERM'), member.output()).to.equal(0);
    const { kind, port } = member;
    await fleet.add(kind, { port, main: inNextRelease(MAINS[kind]) });
  }

  function start(main: string, line: readonly string[] = []): Child {
    const { folder, variables } = fleet.deployment;
    return startChild({ main, arguments: line, folder: folder.path, variables: { ...variables, PORT: '0' } });
  }

  function nextRelease(main: string, line?: readonly string[]): Child {
    return start(inNextRelease(main), line);
  }

  /** One transaction. Resolves with the number of rows of the last statement. */
  async function run(statements: string): Promise<number> {
    const client = new pg.Client({ connectionString: fleet.deployment.postgresUrl });
    await client.connect();
    try {
      return (await client.query(statements)).rowCount ?? 0;
    } finally {
      await client.end();
    }
  }
});

const INTERLEAVED = `SELECT FROM journal WHERE schema_version = 1
  AND position > (SELECT min(position) FROM journal WHERE schema_version = 2) LIMIT 1`;

async function outputOf(child: Child, code = 0): Promise<string> {
  expect(await child.ended, child.output()).to.equal(code);
  return child.output();
}
