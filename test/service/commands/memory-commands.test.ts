/** The commands of `palimpsest` that call a running service: what they do, what they print, and how they fail. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { createTempFolder, type TempFolder } from '../../support/fixtures/temp-folder.js';
import { freePort } from '../../support/processes/free-port.js';
import { runPalimpsest } from '../../support/processes/run-palimpsest.js';
import { type Service, startService } from '../../support/processes/service.js';

const TOKEN = 'api-secret';
/** Replaced by the address of a port without a server. */
const CLOSED = 'http://closed';
const ABSENT = '11111111-2222-4333-8444-555555555555';

describe('memory commands', () => {
  let service: Service;
  let folder: TempFolder;
  let closed: string;
  before(async () => {
    closed = `http://127.0.0.1:${await freePort()}`;
    service = await startService({ variables: { SERVICE_API_TOKEN: TOKEN, ADMIN_API_TOKEN: 'admin-secret' } });
    folder = await createTempFolder();
  });
  after(async () => {
    await service.close();
    await folder.remove();
  });

  const run = (line: readonly string[], options: { readonly input?: string; readonly isTerminal?: boolean } = {}) =>
    runPalimpsest(line, { variables: { AUTOMEM_API_URL: service.url, AUTOMEM_API_KEY: TOKEN }, ...options });

  async function store(...line: readonly string[]): Promise<string> {
    const { code, out, err } = await run(['store', ...line]);
    expect(code, err).to.equal(0);
    return JSON.parse(out).memory_id;
  }
  async function get(id: string) {
    const { code, out } = await run(['get', id]);
    return { code, memory: code === 0 ? JSON.parse(out).memory : null };
  }

  it('stores the fields of a memory and shows it', async () => {
    const fields = ['--importance', '0.8', '--type', 'insight', '--metadata', '{"source":"vet"}'];
    const id = await store('Only tuna', '--tag', 'pets', '--tag', 'home:cat', '--timestamp', '2026-01-02', ...fields);
    const { memory } = await get(id);
    expect(memory).to.deep.include({
      content: 'Only tuna',
      type: 'Insight',
      importance: 0.8,
      tags: ['pets', 'home:cat'],
    });
    expect(memory.metadata).to.include({ source: 'vet' });
    const shown = await run(['get', id], { isTerminal: true });
    expect(shown.out)
      .to.match(/^Only tuna\n\nid +[\da-f-]{36}\n/u)
      .and.match(/^tags +pets, home:cat$/mu);
  });

  it('stores the words of standard input and prints a sentence on a terminal', async () => {
    const { out } = await run(['store', '-'], { input: 'Two lines\nof words\n', isTerminal: true });
    const [, id = ''] = /^Stored ([\da-f-]{36}) \(\w+\)$/u.exec(out) ?? [];
    expect((await get(id)).memory.content).to.equal('Two lines\nof words');
  });

  it('recalls by words, tag and time, as JSON or as a list', async () => {
    const id = await store('The harbour closes at nine', '--tag', 'harbour', '--timestamp', '2025-03-04');
    await service.settled();
    const line = ['recall', 'when does the harbour close', '--tag', 'harbour', '--limit', '1'];
    const found = JSON.parse((await run([...line, '--since', '2025-03-01', '--until', '2025-03-31'])).out);
    expect(found.results.map((result: { id: string }) => result.id)).to.deep.equal([id]);
    const shown = await run(line, { isTerminal: true });
    expect(shown.out).to.match(
      /^1\. The harbour closes at nine\n {3}[\da-f-]{36} {2}\d\.\d\d {2}\w+ {2}2025-03-04 {2}#harbour$/u,
    );
    expect((await run([...line, '--json'], { isTerminal: true })).out).to.match(/^\{"status":"success"/u);
    const other = await run([...line, '--until', '2020-01-01'], { isTerminal: true });
    expect(other.out).to.equal('No memory fits.');
  });

  it('shows no control characters of a memory on a terminal', async () => {
    const id = await store('Harmless\u001b[2J\u009b8m words\r', '--tag', 'con\u0007trol');
    await service.settled();
    for (const line of [
      ['get', id],
      ['recall', '--tag', 'con\u0007trol'],
    ]) {
      const { out } = await run(line, { isTerminal: true });
      expect(out)
        .to.include('Harmless')
        .and.not.match(/(?!\n)\p{Cc}/u);
    }
  });

  it('associates two memories, which `get` shows from both ends', async () => {
    const [from, to] = [await store('The cause'), await store('The effect')];
    const line = ['associate', from, to, '--type', 'leads_to', '--strength', '0.9'];
    expect((await run(line, { isTerminal: true })).out).to.equal(`Associated ${from} -- LEADS_TO --> ${to}`);
    expect((await get(from)).memory.relations[0]).to.include({ type: 'LEADS_TO', strength: 0.9 });
    const shown = await run(['get', to], { isTerminal: true });
    expect(shown.out).to.contain(`<-- LEADS_TO -- ${from}  The cause`);
  });

  it('forgets a memory', async () => {
    const id = await store('A secret');
    expect((await run(['forget', id], { isTerminal: true })).out).to.equal(`Deleted ${id}`);
    expect((await get(id)).code).to.equal(1);
  });

  it('exports lines, which it imports again', async () => {
    await store('To be exported', '--tag', 'export');
    const file = join(folder.path, 'memories.jsonl');
    const exported = await run(['export', file, '--since', '2026-01-01']);
    expect([exported.code, exported.out]).to.deep.equal([0, '']);
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    expect(exported.err).to.equal(`${lines.length} memories written.`);
    expect(lines.map((text) => JSON.parse(text).content)).to.include('To be exported');
    const imported = await run(['import', file, '--url', service.url]);
    expect([imported.code, imported.out]).to.deep.equal([0, `${lines.length} memories stored, 0 lines left out.`]);
    expect((await run(['export', '--type', 'Style,Habit'])).err).to.match(/^\d+ memories written\.$/u);
  });

  it('bench prints figures and deletes its memories', async () => {
    const headers = { Authorization: `Bearer ${TOKEN}` };
    const deletions = async (): Promise<number> =>
      (await service.request('GET', '/events?type=memory.deleted&limit=500', { headers })).body.events.length;
    const [id, earlier] = [await store('Stays after the bench'), await deletions()];
    const ran = await run(['bench', '--count', '5', '--concurrency', '2']);
    expect(ran.code, ran.err).to.equal(0);
    const { tag, ...figures } = JSON.parse(ran.out);
    expect(figures).to.have.all.keys('count', 'concurrency', 'store', 'recall');
    expect(figures).to.include({ count: 5, concurrency: 2 });
    for (const { per_second, p50_ms, p95_ms } of [figures.store, figures.recall]) {
      expect(per_second).to.be.greaterThan(0);
      expect(p95_ms).to.be.at.least(p50_ms).and.greaterThan(0);
    }
    const { body } = await service.request('GET', `/memory/by-tag?tags=${tag}`, { headers });
    expect(body.count).to.equal(0);
    expect(await deletions()).to.equal(earlier + 5);
    expect((await get(id)).code).to.equal(0);
    const shown = await run(['bench', '--count', '1'], { isTerminal: true });
    expect(shown.out).to.match(
      /^1 memories stored, recalled and deleted, 4 calls at the same time\nstore +\d.*\/s {2}p50 .* ms {2}p95 .* ms\nrecall +\d/u,
    );
  });

  it('bench names the memories that it could not delete', async () => {
    const broken = createServer((request, response) => {
      const isStore = request.method === 'POST' && request.url === '/memory';
      response.writeHead(isStore ? 201 : 500, { 'Content-Type': 'application/json' }).end('{"status":"success"}');
    });
    await once(broken.listen(0, '127.0.0.1'), 'listening');
    const { port } = broken.address() as AddressInfo;
    const ran = await run(['bench', '--count', '3', '--url', `http://127.0.0.1:${port}`]);
    broken.close();
    expect([ran.code, ran.out]).to.deep.equal([1, '']);
    expect(ran.err).to.match(/3 memories remain: delete them with DELETE \/memory\/by-tag\?tags=palimpsest-bench-/u);
  });

  it('doctor ends with 0 without a problem, and with 1 and a remedy with one', async () => {
    const variables = { PORT: '0', PALIMPSEST_DATA_DIR: folder.path, SERVICE_API_TOKEN: TOKEN };
    const whole = await runPalimpsest(['doctor', '--url', service.url], { variables });
    expect(whole.code, whole.out).to.equal(0);
    const { findings } = JSON.parse(whole.out) as { findings: { check: string }[] };
    expect(findings.map(({ check }) => check)).to.include('service');
    const broken = await runPalimpsest(['doctor', '--url', closed], { variables, isTerminal: true });
    expect(broken.code, broken.out).to.equal(1);
    expect(broken.out).to.match(/^service +problem {2}the service at .* cannot be reached .*\n {9,}start it with /mu);
  });

  const UUIDS = [ABSENT, ABSENT.replace('1', '2')] as const;
  const VALID: Readonly<Record<string, readonly string[]>> = {
    store: ['words'],
    recall: ['words'],
    get: [ABSENT],
    associate: [...UUIDS, '--type', 'LEADS_TO'],
    forget: [ABSENT],
    export: [],
    bench: ['--count', '2'],
  };
  const COMMON = [
    [['--url', CLOSED], 1, /cannot be reached .*: start it with `palimpsest serve`, or give.* --url$/u],
    [['--url', 'memory'], 1, /^memory is not the address of a service: write for example http:/u],
    [['--token', 'wrong'], 1, /: set AUTOMEM_API_KEY to the API token of the service, or give it with --token$/u],
    [['--tokn', 'x'], 2, /unknown option '--tokn'\n\(Did you mean --token\?\)/u],
  ] as const;
  for (const [name, valid] of Object.entries(VALID))
    for (const [more, code, text] of COMMON)
      it(`${name} ${more.join(' ')} ends with ${code} and a remedy`, async () => {
        const ran = await run([name, ...valid, ...more.map((word) => (word === CLOSED ? closed : word))]);
        expect([ran.code, ran.out], ran.err).to.deep.equal([code, '']);
        expect(ran.err)
          .to.match(text)
          .and.not.match(/^ {4}at /mu);
      });

  const FAILURES = [
    [['store'], 2, /missing required argument 'content'/u],
    [['store', ' '], 1, /^The content is empty: give the words to remember/u],
    [['store', '-'], 1, /^The content is empty/u],
    [['store', 'words', '--metadata', '{'], 2, /argument '\{' is invalid\. It must be a JSON object, such as/u],
    [['store', 'words', '--importance', '2'], 2, /It must be a number, 0 to 1\./u],
    [['store', 'words', '--type', 'Nonsense'], 1, /type/u],
    [['recall', 'words', '--limit', '0'], 2, /It must be a whole number, 1 or more\./u],
    [['recall', 'words', '--since', 'someday'], 1, /start/u],
    [['recall', 'more', 'words'], 2, /too many arguments/u],
    [['get'], 2, /missing required argument 'id'/u],
    [['get', 'kitten'], 2, /It is not the id of a memory: `palimpsest recall` shows ids\./u],
    [['get', ABSENT], 1, /: `palimpsest recall` shows the ids of memories$/u],
    [['associate', ABSENT, '--type', 'LEADS_TO'], 2, /missing required argument 'to'/u],
    [['associate', ...UUIDS], 2, /required option '--type <type>' not specified/u],
    [['associate', ...UUIDS, '--type', 'LEADS_TO', '--strength', '7'], 2, /It must be a number, 0 to 1\./u],
    [['associate', ...UUIDS, '--type', 'LEADS_TO'], 1, /: `palimpsest recall` shows the ids of memories$/u],
    [['forget'], 2, /missing required argument 'id'/u],
    [['forget', ''], 2, /It is not the id of a memory/u],
    [['forget', ABSENT], 1, /: `palimpsest recall` shows the ids of memories$/u],
    [['bench', 'now'], 2, /too many arguments for 'bench'/u],
    [['bench', '--count', '0'], 2, /It must be a whole number, 1 to 10000\./u],
    [['bench', '--concurrency', '65'], 2, /It must be a whole number, 1 to 64\./u],
    [['export', '/no-such-folder/file'], 1, /^The file cannot be written: ENOENT/u],
    [['export', '--min-importance', 'high'], 2, /It must be a number, 0 to 1\./u],
    [['export', '--since', 'someday'], 1, /since/u],
  ] as const;
  for (const [line, code, text] of FAILURES)
    it(`${line.map((word) => word.slice(0, 12)).join(' ')} ends with ${code} and says why`, async () => {
      const ran = await run(line);
      expect([ran.code, ran.out], ran.err).to.deep.equal([code, '']);
      expect(ran.err)
        .to.match(text)
        .and.not.match(/^ {4}at /mu);
    });
});
