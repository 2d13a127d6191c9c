/** The messages and exit codes of the distributed processes when they cannot start. The tests need no servers. */
import { expect } from 'chai';
import { createTempFolder, type TempFolder } from '../support/fixtures/temp-folder.js';
import { type Child, startChild } from '../support/processes/child-process.js';
import { freePort } from '../support/processes/free-port.js';

const PASSWORD = 'secret-password';
/** Without the signal a process waits for its servers. */
const STOPS_WITHIN_MS = 15_000;
/** On a busy machine the first attempt takes a part of a second. */
const START_TIMEOUT_MS = 2_000;

describe('a process without its servers', () => {
  let folder: TempFolder;
  let variables: Readonly<Record<string, string>>;
  before(async () => {
    folder = await createTempFolder();
    const unusedAddress = `127.0.0.1:${await freePort()}`;
    variables = {
      PORT: '0',
      LOG_LEVEL: 'info',
      INTERNAL_API_TOKEN: PASSWORD,
      POSTGRES_URL: `postgres://user:${PASSWORD}@${unusedAddress}/memories`,
      NEO4J_URL: `bolt://${unusedAddress}`,
      NEO4J_PASSWORD: PASSWORD,
      KAFKA_BROKERS: unusedAddress,
      QDRANT_URL: `http://${unusedAddress}`,
      QDRANT_API_KEY: PASSWORD,
    };
  });
  after(() => folder.remove());

  function start(main: string, others: Readonly<Record<string, string>> = {}): Child {
    return startChild({ main, folder: folder.path, variables: { ...variables, ...others } });
  }

  const waiting: readonly (readonly [string, RegExp])[] = [
    [
      'command-api/main.js',
      /Postgres at 127\.0\.0\.1:\d+\/memories cannot be used yet: .*ECONNREFUSED.*; next try in \d+\.\d s/u,
    ],
    [
      'command-api/relay/main.js',
      /Postgres at 127\.0\.0\.1:\d+\/memories cannot be used yet: .*ECONNREFUSED.*; next try in \d+\.\d s/u,
    ],
    [
      'projectors/main.js',
      /Postgres at 127\.0\.0\.1:\d+\/memories cannot be used yet: .*ECONNREFUSED.*; next try in \d+\.\d s/u,
    ],
    [
      'query-api/main.js',
      /Neo4j at bolt:\/\/127\.0\.0\.1:\d+ cannot be used yet: .*ECONNREFUSED.*; next try in \d+\.\d s/u,
    ],
  ];
  for (const [main, line] of waiting) {
    it(`logs retries and stops on SIGTERM: ${main}`, async () => {
      const child = start(main);
      await child.prints(new RegExp(`${line.source}[^]*${line.source}`, 'u'));
      const signalledAt = performance.now();
      expect(await child.stop('SIGTERM')).to.equal(0);
      expect(performance.now() - signalledAt).to.be.below(STOPS_WITHIN_MS);
      expect(child.output()).to.not.contain(PASSWORD);
      expect(
        child
          .output()
          .trim()
          .split('\n')
          .every((text) => line.test(text)),
        child.output(),
      ).to.equal(true);
    });
  }

  it('ends after START_TIMEOUT_MS with the last error', async () => {
    const child = start('query-api/main.js', { START_TIMEOUT_MS: String(START_TIMEOUT_MS), LOG_LEVEL: 'silent' });
    expect(await child.ended).to.equal(1);
    expect(child.output()).to.match(
      new RegExp(
        `^Neo4j at bolt://\\S+ could not be used within ${START_TIMEOUT_MS} ms \\(START_TIMEOUT_MS\\): .*ECONNREFUSED.*\n$`,
        'u',
      ),
    );
  });
});

describe('a process with an invalid configuration', () => {
  let folder: TempFolder;
  before(async () => {
    folder = await createTempFolder();
  });
  after(() => folder.remove());

  const WRONG = {
    PORT: 'x',
    POSTGRES_URL: 'http://no',
    NEO4J_URL: 'neo',
    KAFKA_BROKERS: ',',
    QDRANT_URL: 'ftp://x',
    EMBEDDING_PROVIDER: 'none',
    COMMAND_API_URL: 'z',
    RELAY_LEASE_MS: '1',
    RECALL_MAX_LIMIT: '0',
    VECTOR_WAIT_MS: '-1',
  };
  const named: readonly (readonly [string, readonly string[]])[] = [
    [
      'command-api/main.js',
      ['PORT', 'VECTOR_WAIT_MS', 'EMBEDDING_PROVIDER', 'POSTGRES_URL', 'NEO4J_URL', 'QDRANT_URL'],
    ],
    ['command-api/relay/main.js', ['PORT', 'RELAY_LEASE_MS', 'POSTGRES_URL', 'KAFKA_BROKERS']],
    [
      'projectors/main.js',
      [
        'PORT',
        'COMMAND_API_URL',
        'INTERNAL_API_TOKEN',
        'EMBEDDING_PROVIDER',
        'POSTGRES_URL',
        'NEO4J_URL',
        'KAFKA_BROKERS',
        'QDRANT_URL',
      ],
    ],
    [
      'query-api/main.js',
      ['PORT', 'RECALL_MAX_LIMIT', 'EMBEDDING_PROVIDER', 'NEO4J_URL', 'QDRANT_URL', 'POSTGRES_URL', 'KAFKA_BROKERS'],
    ],
  ];
  for (const [main, names] of named) {
    it(`lists all problems: ${main}`, async () => {
      const child = startChild({ main, folder: folder.path, variables: WRONG });
      expect(await child.ended).to.equal(1);
      const [head, ...problems] = child.output().trim().split('\n');
      expect(head).to.equal('The configuration cannot be used:');
      expect(problems.map((line) => /^ {2}- (\w+)/u.exec(line)?.[1])).to.deep.equal(names);
    });
  }

  it('rejects a commit lease that is too short', async () => {
    const variables = { POSTGRES_URL: 'postgres://x/y', QDRANT_URL: 'http://x', COMMIT_LEASE_MS: '15000' };
    const child = startChild({ main: 'command-api/main.js', folder: folder.path, variables });
    expect(await child.ended).to.equal(1);
    expect(child.output()).to.equal(
      'The configuration cannot be used: COMMIT_LEASE_MS must be above NEO4J_RETRY_MS and NEO4J_TRANSACTION_TIMEOUT_MS together, which are 15000, not 15000\n',
    );
  });
});
