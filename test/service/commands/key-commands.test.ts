/** `palimpsest keys`: what it does with the keys of a running service, what it prints, and how it fails. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { SCOPE_NAMES } from '../../../shared/contract/scopes.js';
import { until } from '../../support/checks/until.js';
import { freePort } from '../../support/processes/free-port.js';
import { type Ran, runPalimpsest } from '../../support/processes/run-palimpsest.js';
import { type Service, startService } from '../../support/processes/service.js';

const TOKEN = 'api-secret';
const ADMIN = 'admin-secret';
const ABSENT = '11111111-2222-4333-8444-555555555555';
const DAY_MS = 86_400_000;
const SECRET = /^plm_[0-9A-Za-z]{38}$/u;
const READ = ['--scope', 'memories:read'];

describe('key commands', () => {
  let service: Service;
  before(async () => {
    service = await startService({ variables: { SERVICE_API_TOKEN: TOKEN, ADMIN_API_TOKEN: ADMIN } });
  });
  after(() => service.close());
  afterEach(async () => {
    for (const { id } of await service.engines.keys.list()) await service.engines.keys.remove(id);
  });

  type Given = { readonly isTerminal?: boolean; readonly variables?: Readonly<Record<string, string>> };
  const keys = (line: readonly string[], { isTerminal = true, variables = {} }: Given = {}): Promise<Ran> => {
    const tokens = { AUTOMEM_API_KEY: TOKEN, ADMIN_API_TOKEN: ADMIN };
    return runPalimpsest(['keys', ...line], {
      isTerminal,
      variables: { PALIMPSEST_URL: service.url, ...tokens, ...variables },
    });
  };
  async function create(...line: readonly string[]): Promise<string> {
    const { code, out, err } = await keys(['create', ...line]);
    expect(code, err).to.equal(0);
    return out;
  }
  const list = async () => JSON.parse((await keys(['list', '--json'])).out).keys;
  const recall = async (key: string): Promise<number> =>
    (await service.request('GET', '/recall?query=tea', { headers: { authorization: `Bearer ${key}` } })).status;

  it('create prints the key alone on stdout, and the advice on stderr', async () => {
    for (const isTerminal of [true, false]) {
      const name = `agent-${isTerminal}`;
      const line = ['create', name, ...READ, '--scope', 'memories:write', ...READ];
      const { code, out, err } = await keys(line, { isTerminal });
      expect(code, err).to.equal(0);
      expect(out).to.match(SECRET);
      expect(err)
        .to.match(new RegExp(`^Made ${name} \\([\\da-f-]{36}\\): memories:read, memories:write, never expires\\.`, 'u'))
        .and.match(/ The new key is shown this once: store it now\.$/u)
        .and.not.include(out);
      expect(await recall(out)).to.equal(200);
    }
    expect((await list())[0]).to.deep.include({ name: 'agent-true', scopes: ['memories:read', 'memories:write'] });
  });

  it('create --json prints the answer of the service', async () => {
    const { out } = await keys(['create', 'agent', ...READ, '--json']);
    const { key, secret } = JSON.parse(out);
    expect(key).to.deep.include({ name: 'agent', scopes: ['memories:read'], expires_at: null });
    expect(secret).to.match(SECRET);
  });

  it('create reads an expiry as a time or as days', async () => {
    await create('by-time', ...READ, '--expires', '2999-01-02');
    const before = Date.now();
    await create('by-days', ...READ, '--expires', '30d');
    const [byTime, byDays] = await list();
    expect(Date.parse(byTime.expires_at)).to.equal(Date.parse('2999-01-02T00:00:00Z'));
    expect(Date.parse(byDays.expires_at)).to.be.within(before + 30 * DAY_MS - 1_000, Date.now() + 30 * DAY_MS);
  });

  it('create takes a tag and a rate, and list shows them', async () => {
    await create('alice', ...READ, '--tag', 'agent:alice', '--requests-per-minute', '600');
    expect((await list())[0]).to.deep.include({ tag: 'agent:alice', requests_per_minute: 600 });
    expect((await keys(['list'])).out).to.include('only agent:alice  600 requests per minute');
  });

  it('list shows scopes, expiry and use, as lines or as JSON', async () => {
    expect((await keys(['list'])).out).to.equal('There are no keys.');
    const key = await create('agent', ...READ, '--expires', '2999-01-02');
    await create('idle', '--scope', 'events:read');
    await recall(key);
    await until('the use to be counted', async () => (await list())[0].uses > 0);
    const { out } = await keys(['list']);
    expect(out.split('\n')).to.have.length(4);
    expect(out)
      .to.match(
        /^agent {2}memories:read\n {3}[\da-f-]{36} {2}expires 2999-01-02T\S+ {2}last used 2\S+ {2}1 uses\nidle/u,
      )
      .and.match(/\nidle {2}events:read\n {3}[\da-f-]{36} {2}never expires {2}never used {2}0 uses$/u);
    const piped = JSON.parse((await keys(['list'], { isTerminal: false })).out);
    expect(piped).to.include({ status: 'success', count: 2 });
    expect(JSON.stringify(piped)).to.not.include(key);
  });

  it('rotate replaces a key by its name or id, with or without an overlap', async () => {
    const first = await create('agent', ...READ);
    const rotated = await keys(['rotate', 'agent', '--overlap-hours', '2']);
    expect(rotated.code, rotated.err).to.equal(0);
    expect(rotated.out).to.match(SECRET);
    expect(rotated.err).to.match(/^Rotated agent \(\S+\)\. The key before works until 2\S+\. The new key is shown/u);
    expect([await recall(first), await recall(rotated.out)]).to.deep.equal([200, 200]);
    expect((await keys(['list'])).out).to.match(/ {2}the key before works until 2\S+$/u);
    const [{ id }] = await list();
    const again = await keys(['rotate', id, '--overlap-hours', '0'], { isTerminal: false });
    expect(again.err).to.include('The key before is refused from now on.');
    for (const before of [first, rotated.out])
      await until('the key before to be refused', async () => (await recall(before)) === 401);
    expect(await recall(again.out)).to.equal(200);
    expect((await keys(['list'])).out).to.not.include('the key before');
  });

  it('revoke names the key that it revoked', async () => {
    const key = await create('agent', ...READ);
    await create('other', ...READ);
    const [{ id }, { id: otherId }] = await list();
    expect(await keys(['revoke', 'agent'])).to.deep.equal({ code: 0, out: `Revoked agent (${id})`, err: '' });
    await until('the key to be refused', async () => (await recall(key)) === 401);
    const piped = await keys(['revoke', otherId], { isTerminal: false });
    expect(JSON.parse(piped.out)).to.deep.equal({ status: 'success', id: otherId, name: 'other' });
    expect(await list()).to.deep.equal([]);
  });

  it('work with a key alone that has admin:keys, and give no scope that it lacks', async () => {
    const key = await create('keeper', '--scope', 'admin:keys', ...READ);
    const variables = { AUTOMEM_API_KEY: key, ADMIN_API_TOKEN: '' };
    const made = await keys(['create', 'agent', ...READ], { variables });
    expect(made.code, made.err).to.equal(0);
    expect((await keys(['revoke', 'agent'], { variables })).code).to.equal(0);
    const beyond = await keys(['create', 'agent', '--scope', 'graph:read'], { variables });
    expect([beyond.code, beyond.out]).to.deep.equal([1, '']);
    expect(beyond.err).to.match(/lacks graph:read: set AUTOMEM_API_KEY and ADMIN_API_TOKEN to .* all scopes that it/u);
  });

  it('names the scope that its own key lacks', async () => {
    const variables = { AUTOMEM_API_KEY: await create('reader', ...READ), ADMIN_API_TOKEN: '' };
    const { code, err } = await keys(['list'], { variables });
    expect(code).to.equal(1);
    expect(err).to.match(/^The key 'reader' lacks the scope admin:keys: set AUTOMEM_API_KEY and ADMIN_API_TOKEN /u);
  });

  const TOKENS =
    /: set AUTOMEM_API_KEY and ADMIN_API_TOKEN to the tokens of the service, or AUTOMEM_API_KEY to a key /u;
  for (const [name, variables] of [
    ['without the admin token', { ADMIN_API_TOKEN: '' }],
    ['with a wrong admin token', { ADMIN_API_TOKEN: 'wrong' }],
    ['with a wrong API token', { AUTOMEM_API_KEY: 'wrong' }],
  ] as const)
    for (const line of [['list'], ['create', 'agent', ...READ], ['rotate', 'agent'], ['revoke', 'agent']])
      it(`${line[0]} ${name} ends with 1 and a remedy`, async () => {
        const ran = await keys(line, { variables });
        expect([ran.code, ran.out], ran.err).to.deep.equal([1, '']);
        expect(ran.err).to.match(TOKENS);
        expect(await service.engines.keys.list()).to.deep.equal([]);
      });

  it('takes the tokens as options', async () => {
    const variables = { AUTOMEM_API_KEY: '', ADMIN_API_TOKEN: '' };
    const line = ['list', '--url', service.url, '--token', TOKEN, '--admin-token', ADMIN];
    expect((await keys(line, { variables })).code).to.equal(0);
  });

  it('says how to start a service that does not answer', async () => {
    const { code, err } = await keys(['list', '--url', `http://127.0.0.1:${await freePort()}`]);
    expect(code).to.equal(1);
    expect(err).to.match(/cannot be reached .*: start it with `palimpsest serve`, or give its address with --url$/u);
  });

  const SCOPE_LIST = new RegExp(`It is not a scope\\. The scopes are ${SCOPE_NAMES.join(', ')}\\.`, 'u');
  const FAILURES = [
    [[], 2, /^Usage: palimpsest keys \[options\] \[command\]/u],
    [['creat'], 2, /unknown command 'creat'\n\(Did you mean create\?\)/u],
    [['list', 'agent'], 2, /too many arguments for 'list'/u],
    [['create', ...READ], 2, /missing required argument 'name'/u],
    [['create', 'agent'], 2, /required option '--scope <scope>' not specified/u],
    [['create', 'agent', '--scope', 'memories'], 2, SCOPE_LIST],
    [
      ['create', 'agent', ...READ, '--expires', 'soon'],
      2,
      /a time such as 2027-01-01, or a number of days such as 30d/u,
    ],
    [['create', 'agent', ...READ, '--expires', '0d'], 2, /a number of days such as 30d/u],
    [['create', 'agent', ...READ, '--expires', '999999d'], 2, /a number of days such as 30d/u],
    [['create', 'agent', ...READ, '--expires', '2001-01-01'], 1, /^'expires_at' must be in the future$/u],
    [['create', 'two words', ...READ], 1, /name/u],
    [['rotate'], 2, /missing required argument 'key'/u],
    [['rotate', 'agent', '--overlap-hours', '169'], 2, /It must be a number, 0 to 168\./u],
    [
      ['rotate', 'agent\u001b[2J'],
      1,
      /^There is no key with the name or id agent\ufffd\[2J: `palimpsest keys list` shows/u,
    ],
    [['revoke'], 2, /missing required argument 'key'/u],
    [['revoke', 'agent'], 1, /^There is no key with the name or id agent: `palimpsest keys list` shows the keys$/u],
  ] as const;
  for (const [line, code, text] of FAILURES)
    it(`${JSON.stringify(line)} ends with ${code} and says why`, async () => {
      const ran = await keys(line);
      expect([ran.code, ran.out], ran.err).to.deep.equal([code, '']);
      expect(ran.err)
        .to.match(text)
        .and.not.match(/^ {4}at /mu);
      expect(await service.engines.keys.list()).to.deep.equal([]);
    });

  it('rotate is sent once: a second rotation would end the key in use', async () => {
    let rotations = 0;
    const failing = createServer((request, response) => {
      if (request.method === 'POST') rotations += 1;
      const answer = { status: 'success', keys: [{ id: ABSENT, name: 'agent' }] };
      response.writeHead(request.method === 'POST' ? 503 : 200).end(JSON.stringify(answer));
    });
    await once(failing.listen(0, '127.0.0.1'), 'listening');
    const { port } = failing.address() as AddressInfo;
    const { code } = await keys(['rotate', 'agent', '--url', `http://127.0.0.1:${port}`]);
    failing.close();
    expect([code, rotations]).to.deep.equal([1, 1]);
  });

  it('create refuses a name that exists, and says what to do', async () => {
    await create('agent', ...READ);
    const { code, err } = await keys(['create', 'agent', ...READ]);
    expect([code, err]).to.deep.equal([
      1,
      "A key with the name 'agent' exists: rotate or revoke it, or choose another name",
    ]);
  });

  it('help of create lists the scopes with their descriptions', async () => {
    const { code, out } = await keys(['create', '--help']);
    expect(code).to.equal(0);
    for (const scope of SCOPE_NAMES) expect(out).to.match(new RegExp(`^ {2}${scope} {2,}[A-Z].*\\.$`, 'mu'));
    expect(out).to.match(/^Examples:\n {2}\$ palimpsest keys create /mu);
  });
});
