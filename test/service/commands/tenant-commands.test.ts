/** `palimpsest tenants`: what it does with the tenants of a running service, what it prints, and how it fails. */
import { expect } from 'chai';
import { SCOPE_NAMES } from '../../../shared/contract/scopes.js';
import { until } from '../../support/checks/until.js';
import { freePort } from '../../support/processes/free-port.js';
import { type Ran, runPalimpsest } from '../../support/processes/run-palimpsest.js';
import { type Service, startService } from '../../support/processes/service.js';

const TOKEN = 'api-secret';
const ADMIN = 'admin-secret';
const SECRET = /^plm_[0-9a-f]{32}[0-9A-Za-z]{38}$/u;
const READ = ['--scope', 'memories:read'];
const WRITE = ['--scope', 'memories:write'];

describe('tenant commands', () => {
  let service: Service;
  before(async () => {
    service = await startService({ variables: { SERVICE_API_TOKEN: TOKEN, ADMIN_API_TOKEN: ADMIN } });
  });
  after(() => service.close());
  afterEach(async () => {
    for (const { name } of await list()) expect((await tenants(['delete', name, '--yes'])).code).to.equal(0);
  });

  type Given = { readonly isTerminal?: boolean; readonly variables?: Readonly<Record<string, string>> };
  const palimpsest = (line: readonly string[], { isTerminal = true, variables = {} }: Given = {}): Promise<Ran> => {
    const tokens = { AUTOMEM_API_KEY: TOKEN, ADMIN_API_TOKEN: ADMIN };
    return runPalimpsest(line, { isTerminal, variables: { PALIMPSEST_URL: service.url, ...tokens, ...variables } });
  };
  const tenants = (line: readonly string[], given?: Given) => palimpsest(['tenants', ...line], given);
  const list = async () => JSON.parse((await tenants(['list', '--json'])).out).tenants;
  const done = async (...line: readonly string[]): Promise<string> => {
    const { code, out, err } = await tenants(line);
    expect(code, err).to.equal(0);
    return out;
  };
  const recall = async (key: string): Promise<number> =>
    (await service.request('GET', '/recall?query=tea', { headers: { authorization: `Bearer ${key}` } })).status;

  it('create names the tenant and the next step', async () => {
    const out = await done('create', 'blue');
    const [{ id }] = await list();
    expect(out).to.equal(
      `Made blue (${id}). Make its first key with \`palimpsest tenants key blue NAME --scope SCOPE\``,
    );
    const piped = await tenants(['create', 'amber'], { isTerminal: false });
    expect(JSON.parse(piped.out).tenant).to.include({ name: 'amber', state: 'active' });
  });

  it('key prints the key alone on stdout, and the advice on stderr', async () => {
    await done('create', 'blue');
    for (const isTerminal of [true, false]) {
      const { code, out, err } = await tenants(['key', 'blue', `agent-${isTerminal}`, ...READ], { isTerminal });
      expect(code, err).to.equal(0);
      expect(out).to.match(SECRET);
      expect(err)
        .to.match(
          /^Made agent-\w+ \([\da-f-]{36}\): memories:read, never expires, in the tenant blue\. The new key is /u,
        )
        .and.not.include(out);
      expect(await recall(out)).to.equal(200);
    }
  });

  it('key takes a tag, a rate and an expiry, and the id of a tenant', async () => {
    await done('create', 'blue');
    const [{ id }] = await list();
    const line = ['key', id, 'agent', ...READ, '--tag', 'agent:one', '--requests-per-minute', '60', '--expires', '9d'];
    const { key } = JSON.parse(await done(...line, '--json'));
    expect(key).to.include({ name: 'agent', tag: 'agent:one', requests_per_minute: 60 });
    expect(key.expires_at).to.not.equal(null);
  });

  it('list shows state, memories and bytes, as lines or as JSON', async () => {
    expect(await done('list')).to.equal('There are no tenants but the default one.');
    await done('create', 'blue');
    await done('create', 'amber');
    const key = await done('key', 'blue', 'agent', ...WRITE);
    await palimpsest(['store', 'The lantern hangs'], { variables: { AUTOMEM_API_KEY: key } });
    await done('suspend', 'amber', '--reason', 'Unpaid');
    const out = await done('list');
    expect(out.split('\n')).to.have.length(4);
    expect(out)
      .to.match(/^blue {2}active\n {3}[\da-f-]{36} {2}1 memories and \d+ bytes {2}counted 2\S+\namber/u)
      .and.match(/\namber {2}suspended: Unpaid\n {3}[\da-f-]{36} {2}0 memories and 0 bytes {2}never counted$/u);
    const piped = JSON.parse((await tenants(['list'], { isTerminal: false })).out);
    expect(piped).to.include({ status: 'success', count: 2 });
  });

  it('suspend refuses the keys of a tenant, and resume ends it', async () => {
    await done('create', 'blue');
    const [{ id }] = await list();
    const key = await done('key', 'blue', 'agent', ...READ);
    expect(await done('suspend', 'blue')).to.equal(`Suspended blue (${id})`);
    expect(await recall(key)).to.equal(403);
    expect(await done('resume', id)).to.equal(`Resumed blue (${id})`);
    expect(await recall(key)).to.equal(200);
  });

  it('limit sets limits, removes them, and list shows them', async () => {
    await done('create', 'blue');
    const [{ id }] = await list();
    expect(await done('limit', 'blue', '--memories', '5', '--requests-per-minute', '600')).to.equal(
      `Limits of blue (${id}): requests per minute 600, memories 5`,
    );
    expect(await done('list')).to.match(/ {2}at most requests per minute 600 {2}at most memories 5$/u);
    expect(await done('limit', id, '--memories', 'none')).to.equal(`Limits of blue (${id}): requests per minute 600`);
    expect(await done('limit', id, '--requests-per-minute', 'none')).to.equal(`Limits of blue (${id}): none`);
  });

  it('delete asks for --yes, and then names what remains', async () => {
    await done('create', 'blue');
    const [{ id }] = await list();
    const key = await done('key', 'blue', 'agent', ...READ, ...WRITE);
    await palimpsest(['store', 'The lantern hangs'], { variables: { AUTOMEM_API_KEY: key } });
    await list();
    const asked = await tenants(['delete', 'blue']);
    expect([asked.code, asked.out]).to.deep.equal([1, '']);
    expect(asked.err).to.match(
      /^This deletes blue \(\S+\) with 1 memories and \d+ bytes and all of its keys: repeat it/u,
    );
    expect(await recall(key)).to.equal(200);
    const deleted = await tenants(['delete', 'blue', '--yes', '--json']);
    expect(JSON.parse(deleted.out)).to.include({ id, name: 'blue', memories: 1, finished: true });
    await until('the key to be refused', async () => (await recall(key)) === 401);
    await done('create', 'blue');
    expect(await done('delete', 'blue', '--yes')).to.match(
      /^Deleted blue \(\S+\) with 0 memories and \d+ bytes\. What remains:\n- Backups /u,
    );
  });

  it('work with a key with admin:tenants, up to its own scopes', async () => {
    const { out: key } = await palimpsest(['keys', 'create', 'operator', '--scope', 'admin:tenants', ...READ]);
    const variables = { AUTOMEM_API_KEY: key, ADMIN_API_TOKEN: '' };
    expect((await tenants(['create', 'blue'], { variables })).code).to.equal(0);
    expect((await tenants(['key', 'blue', 'agent', ...READ], { variables })).out).to.match(SECRET);
    const beyond = await tenants(['key', 'blue', 'writer', ...WRITE], { variables });
    expect([beyond.code, beyond.out]).to.deep.equal([1, '']);
    expect(beyond.err).to.match(/lacks memories:write: set AUTOMEM_API_KEY and ADMIN_API_TOKEN to .* all scopes that/u);
    expect((await palimpsest(['keys', 'revoke', 'operator'])).code).to.equal(0);
  });

  it('are refused for a key of a tenant, with the scope that it lacks', async () => {
    await done('create', 'blue');
    const key = await done('key', 'blue', 'lead', '--scope', 'admin:keys');
    const { code, err } = await tenants(['list'], { variables: { AUTOMEM_API_KEY: key, ADMIN_API_TOKEN: '' } });
    expect(code).to.equal(1);
    expect(err).to.match(/^The key 'lead' lacks the scope admin:tenants: set .* to a key with admin:tenants and /u);
    const made = await palimpsest(['keys', 'create', 'own', '--scope', 'admin:keys'], {
      variables: { AUTOMEM_API_KEY: key, ADMIN_API_TOKEN: '' },
    });
    expect(made.out).to.match(SECRET);
  });

  it('say how to start a service that does not answer', async () => {
    const { code, err } = await tenants(['list', '--url', `http://127.0.0.1:${await freePort()}`]);
    expect(code).to.equal(1);
    expect(err).to.match(/cannot be reached .*: start it with `palimpsest serve`, or give its address with --url$/u);
  });

  const UNKNOWN = /^There is no tenant with the name or id blue: `palimpsest tenants list` shows the tenants$/u;
  const FAILURES = [
    [[], 2, /^Usage: palimpsest tenants \[options\] \[command\]/u],
    [['delet'], 2, /unknown command 'delet'\n\(Did you mean delete\?\)/u],
    [['create'], 2, /missing required argument 'name'/u],
    [['create', 'Two Words'], 1, /name/u],
    [['create', 'default'], 1, /^'default' is the tenant of the service itself$/u],
    [['suspend'], 2, /missing required argument 'tenant'/u],
    [['suspend', 'blue'], 1, UNKNOWN],
    [['resume', 'blue'], 1, UNKNOWN],
    [['limit', 'blue', '--memories', '5'], 1, UNKNOWN],
    [['limit', 'blue'], 1, /^No limit is named: give one, such as --memories 10000 or --memories none$/u],
    [['limit', 'blue', '--bytes', '0'], 2, /It must be a number from 1, or none\./u],
    [['delete', 'blue', '--yes'], 1, UNKNOWN],
    [['delete', 'blue\u001b[2J', '--yes'], 1, /^There is no tenant with the name or id blue\ufffd\[2J/u],
    [['key', 'blue', 'agent', ...READ], 1, UNKNOWN],
    [['key', 'blue', ...READ], 2, /missing required argument 'name'/u],
    [['key', 'blue', 'agent'], 2, /required option '--scope <scope>' not specified/u],
    [['key', 'blue', 'agent', '--scope', 'memories'], 2, /It is not a scope\. The scopes are memories:read/u],
  ] as const;
  for (const [line, code, text] of FAILURES)
    it(`${JSON.stringify(line)} ends with ${code} and says why`, async () => {
      const ran = await tenants(line);
      expect([ran.code, ran.out], ran.err).to.deep.equal([code, '']);
      expect(ran.err)
        .to.match(text)
        .and.not.match(/^ {4}at /mu);
      expect(await list()).to.deep.equal([]);
    });

  for (const [name, variables] of [
    ['without the admin token', { ADMIN_API_TOKEN: '' }],
    ['with a wrong API token', { AUTOMEM_API_KEY: 'wrong' }],
  ] as const)
    it(`list ${name} ends with 1 and a remedy`, async () => {
      const { code, err } = await tenants(['list'], { variables });
      expect(code).to.equal(1);
      expect(err).to.match(
        /: set AUTOMEM_API_KEY and ADMIN_API_TOKEN to the tokens of the service, or AUTOMEM_API_KEY /u,
      );
    });

  it('help of key lists the scopes with their descriptions', async () => {
    const { code, out } = await tenants(['key', '--help']);
    expect(code).to.equal(0);
    for (const scope of SCOPE_NAMES) expect(out).to.match(new RegExp(`^ {2}${scope} {2,}[A-Z].*\\.$`, 'mu'));
  });
});
