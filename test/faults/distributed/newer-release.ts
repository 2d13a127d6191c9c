/**
 * Processes of a newer release run next to those of the fleet. It migrates the schema while they serve, and its events
 * have fields that they do not know.
 */
import { expect } from 'chai';
import pg from 'pg';
import { differencesOfFleet } from '../../support/checks/compare-deployment.js';
import { startChild } from '../../support/processes/child-process.js';
import { type FaultSetup, survivesFault } from './fault-checks.js';
import { expectPipelineWorks } from './pipeline-checks.js';

/** What a release may change while the previous one runs: new nullable columns, new tables, new indexes. */
const MIGRATION = `
  ALTER TABLE journal ADD COLUMN of_next_release text;
  ALTER TABLE outbox ADD COLUMN of_next_release text;
  ALTER TABLE subjects ADD COLUMN of_next_release bigint DEFAULT 1;
  CREATE TABLE of_next_release (id text PRIMARY KEY);
  CREATE INDEX journal_of_next_release ON journal (of_next_release);
  UPDATE schema_migrations SET version = version + 1;`;
const NEWER_EVENTS = `
  CREATE FUNCTION add_unknown_fields() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NEW.data LIKE '{"%' THEN NEW.data = '{"of_next_release": {"kind": "unknown", "values": [1, 2]},' || substr(NEW.data, 2); END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER add_unknown_fields BEFORE INSERT ON journal FOR EACH ROW EXECUTE FUNCTION add_unknown_fields();`;
const REMOVE = `
  DROP TRIGGER IF EXISTS add_unknown_fields ON journal;
  DROP FUNCTION IF EXISTS add_unknown_fields;
  DROP TABLE IF EXISTS of_next_release;
  ALTER TABLE journal DROP COLUMN IF EXISTS of_next_release;
  ALTER TABLE outbox DROP COLUMN IF EXISTS of_next_release;
  ALTER TABLE subjects DROP COLUMN IF EXISTS of_next_release;
  UPDATE schema_migrations SET version = version - 1;`;

export function newerRelease(stage: () => FaultSetup): void {
  it('migrates and writes unknown fields, older processes continue', async function () {
    this.timeout(120_000);
    const meanwhile = async (): Promise<void> => {
      await run(stage(), MIGRATION);
      await run(stage(), NEWER_EVENTS);
      await expectPipelineWorks(stage());
      expect(await startOlder(stage())).to.match(/made by a later version of Palimpsest/u);
    };
    // `npm run verify` of the older release refuses the schema, so it runs afterwards.
    await survivesFault({ ...stage(), isSchemaKnown: false }, meanwhile).finally(() => run(stage(), REMOVE));
    expect(await differencesOfFleet(stage().fleet.deployment)).to.deep.equal([]);
  });
}

const DEADLOCK = '40P01';

/**
 * One transaction. Its locks of whole tables may cross those of the traffic: then Postgres ends it, and it runs again.
 */
async function run({ fleet }: FaultSetup, statements: string): Promise<void> {
  const client = new pg.Client({ connectionString: fleet.deployment.postgresUrl });
  await client.connect();
  try {
    for (let isDone = false; !isDone;) {
      isDone = await client.query(statements).then(
        () => true,
        (error: unknown) => {
          if (!(error instanceof pg.DatabaseError) || error.code !== DEADLOCK) throw error;
          return false;
        },
      );
    }
  } finally {
    await client.end();
  }
}

/** A process of the older release that starts after the migration. Resolves with what it prints before it ends. */
async function startOlder({ fleet }: FaultSetup): Promise<string> {
  const { folder, variables } = fleet.deployment;
  const child = startChild({
    main: 'command-api/relay/main.js',
    folder: folder.path,
    variables: { ...variables, PORT: '0' },
  });
  expect(await child.ended).to.equal(1);
  return child.output();
}
