/** A set-up with many mistakes: each one has a finding with a remedy, and none hides another. */
import { once } from 'node:events';
import { chmod, mkdir, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { examine, type Finding } from '../../../../deploy/commands/doctor/examine.js';
import type { Environment } from '../../../../shared/kernel/config/config.js';
import { skipWithReason } from '../../../support/checks/not-run.js';
import { createTempFolder, type TempFolder } from '../../../support/fixtures/temp-folder.js';

const SECRET = 'short-secret';

describe('examine', () => {
  let folder: TempFolder;
  beforeEach(async () => {
    folder = await createTempFolder();
  });
  afterEach(() => folder.remove());

  async function examineFolder(environment: Environment, url: string | null = null): Promise<readonly Finding[]> {
    const findings = await examine(
      { PORT: '0', ...environment },
      { url, distributed: false, folder: folder.path, home: folder.path },
    );
    expect(JSON.stringify(findings)).to.not.contain(SECRET);
    for (const { state, remedy = '' } of findings) expect(remedy !== '').to.equal(state !== 'ok');
    return findings;
  }

  /** `check: state: message` of everything that is not ok. */
  async function mistakes(environment: Environment, url: string | null = null): Promise<readonly string[]> {
    const findings = await examineFolder(environment, url);
    return findings
      .filter(({ state }) => state !== 'ok')
      .map(({ check, state, message }) => `${check}: ${state}: ${message}`);
  }

  it('finds nothing wrong with a folder that does not exist yet', async () => {
    const findings = await examineFolder({});
    expect(findings.map(({ check, state }) => `${check} ${state}`)).to.deep.equal(
      [
        'node',
        '.env',
        'names',
        'configuration',
        'tokens',
        'encoder',
        'runtime',
        'data folder',
        'disk',
        'port',
        'clock',
      ].map((check) => `${check} ok`),
    );
    expect(findings.find(({ check }) => check === 'data folder')?.message).to.equal(
      `${join(folder.path, 'data')} does not exist yet, and can be made`,
    );
  });

  const ALONE: readonly (readonly [string, Environment, RegExp])[] = [
    [
      'a misspelt variable',
      { RECALL_MAX_LIMT: '3' },
      /^names: warning: RECALL_MAX_LIMT is not known, and is ignored$/u,
    ],
    ['an open API', { ALLOW_ANONYMOUS: 'true' }, /^tokens: warning: ALLOW_ANONYMOUS opens the API without a token/u],
    [
      'an admin token for every caller',
      { SERVICE_API_TOKEN: 'a-token-that-is-long', ADMIN_API_TOKEN: 'a-token-that-is-long' },
      /^tokens: warning: ADMIN_API_TOKEN is also an API token/u,
    ],
    [
      'a short token',
      { API_TOKENS: `alice:${SECRET}` },
      /^tokens: warning: The token of alice in API_TOKENS has fewer than 16 characters$/u,
    ],
    [
      'a value that cannot be used',
      { RECALL_MAX_LIMIT: 'x' },
      /^configuration: problem: RECALL_MAX_LIMIT must be a whole number/u,
    ],
  ];
  for (const [mistake, environment, expected] of ALONE) {
    it(`finds ${mistake}`, async () => {
      const [found = '', ...others] = await mistakes(environment);
      expect(found).to.match(expected);
      expect(others).to.deep.equal([]);
    });
  }

  it('finds many mistakes at once', async () => {
    const other = createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    await mkdir(join(folder.path, '.env'));
    await writeFile(join(folder.path, 'data'), 'a file');
    const url = `http://user:${SECRET}@127.0.0.1:${port}`;
    const found = await mistakes(
      {
        PORT: String(port),
        RECALL_MAX_LIMT: '3',
        RECALL_MIN_SCORE: 'high',
        SERVICE_API_TOKEN: SECRET,
        ADMIN_API_TOKEN: SECRET,
        LISTEN_HOST: '127.0.0.1',
        PALIMPSEST_DATA_DIR: 'data/below',
      },
      url,
    );
    other.close();
    expect(found.map((text) => text.replaceAll(folder.path, '').replaceAll(String(port), 'PORT'))).to.deep.equal([
      '.env: problem: /.env cannot be read',
      'names: warning: RECALL_MAX_LIMT is not known, and is ignored',
      'configuration: problem: RECALL_MIN_SCORE must be a number, not "high"',
      'tokens: warning: ADMIN_API_TOKEN is also an API token, so every caller may use the admin routes',
      'tokens: warning: SERVICE_API_TOKEN has fewer than 16 characters',
      'tokens: warning: ADMIN_API_TOKEN has fewer than 16 characters',
      'data folder: problem: The data folder /data/below cannot be made, because a file has its name or that of a folder above it',
      'port: problem: PORT cannot be opened (listen EADDRINUSE: address already in use 127.0.0.1:PORT)',
      'service: problem: http://127.0.0.1:PORT answers 200, and not as Palimpsest does',
    ]);
  });

  it('finds a data file that was written in the future', async () => {
    const file = join(folder.path, 'palimpsest.db');
    await writeFile(file, '');
    await utimes(file, 4_000_000_000, 4_000_000_000);
    expect(await mistakes({ PALIMPSEST_DATA_DIR: folder.path })).to.deep.equal([
      'clock: warning: the data file was written in the future, at 2096-10-02T07:06:40.000Z',
    ]);
  });

  it('finds data that other users of the machine can read', async function () {
    if (process.platform === 'win32') skipWithReason(this, 'the modes of files: Windows has none');
    const data = join(folder.path, 'data');
    const file = join(data, 'palimpsest.db');
    await mkdir(data);
    await writeFile(file, '');
    const found = async (folderMode: number, fileMode: number) => {
      await chmod(data, folderMode);
      await chmod(file, fileMode);
      const findings = await examineFolder({});
      return findings.filter(({ state }) => state !== 'ok');
    };
    expect(await found(0o755, 0o644)).to.deep.equal([
      {
        check: 'data folder',
        state: 'warning',
        message: `${data} can be read by every user of this machine`,
        remedy: `run \`chmod -R go= '${data}'\``,
      },
    ]);
    expect(await found(0o700, 0o644)).to.deep.equal([]);
    expect(await found(0o755, 0o600)).to.deep.equal([]);
  });

  it('compares the clock with that of a service in another time', async () => {
    const late = createServer((_, response) => response.setHeader('Date', 'Wed, 01 Jan 2020 00:00:00 GMT').end('{}'));
    await once(late.listen(0, '127.0.0.1'), 'listening');
    const found = await mistakes({}, `http://127.0.0.1:${(late.address() as AddressInfo).port}`);
    late.close();
    expect(found[0]).to.match(/^clock: warning: \d+ s ahead of the clock of the service$/u);
  });

  it('says what to do when no service answers at the address', async () => {
    const findings = await examineFolder({}, 'http://127.0.0.1:1');
    expect(findings.filter(({ state }) => state !== 'ok').map(({ check, remedy }) => [check, remedy])).to.deep.equal([
      ['clock', 'make the service answer'],
      ['service', 'start it with `npx palimpsest serve`, or correct the address'],
    ]);
  });

  it('does not check the bundled encoder for another provider', async () => {
    const findings = await examineFolder({ EMBEDDING_PROVIDER: 'ollama' });
    expect(findings.filter(({ check }) => check === 'encoder').map(({ message }) => message)).to.deep.equal([
      'not used: the provider is ollama',
    ]);
  });

  it('finds the servers of the distributed composition that cannot be reached', async () => {
    const findings = await examine(
      {
        POSTGRES_URL: `postgres://user:${SECRET}@127.0.0.1:1/memories`,
        NEO4J_URL: 'bolt://127.0.0.1:1',
        NEO4J_PASSWORD: SECRET,
        KAFKA_BROKERS: '127.0.0.1:1',
        QDRANT_URL: 'http://127.0.0.1:1',
        QDRANT_API_KEY: SECRET,
        INTERNAL_API_TOKEN: 'an-internal-token',
      },
      { url: null, distributed: true, folder: folder.path, home: folder.path },
    );
    const found = findings.filter(({ state }) => state !== 'ok');
    expect(found.map(({ check, state }) => `${check} ${state}`)).to.deep.equal(
      ['postgres', 'neo4j', 'kafka', 'qdrant'].map((server) => `${server} problem`),
    );
    expect(JSON.stringify(found)).to.not.contain(SECRET);
    for (const { message, remedy } of found) {
      expect(message).to.match(/127\.0\.0\.1:1.* cannot be used \(/u);
      expect(remedy).to.match(/^start the server, and check \w+ and its login$/u);
    }
  });
});
