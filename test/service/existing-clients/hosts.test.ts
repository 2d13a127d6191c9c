/**
 * Hosts that use AutoMem's memory without its bridge: the session policy that all share, the OpenClaw plugin and the
 * Python provider of Hermes.
 */
import { request as httpRequest } from 'node:http';
import { expect } from 'chai';
import { withReplyCheck } from '../../support/checks/reply-check.js';
import { BRIDGE_BEHAVIOUR, createExistingClient, type ExistingClient } from '../../support/clients/existing-client.js';
import type { HttpCaller } from '../../support/clients/http-caller.js';
import {
  associateRequest,
  deleteRequest,
  type Parameters,
  readRequest,
  recallRequest,
  SESSION_POLICY,
  storeBatchRequest,
  storeRequest,
  updateRequest,
} from '../../support/fixtures/existing-client-requests.js';
import { type Service, startService } from '../../support/processes/service.js';

const TOKEN = 'token-of-the-hosts';
const DAY_MS = 86_400_000;

/**
 * Sends requests like Python's urllib: one connection for each request, its spelling of headers, and a content type
 * even without a body.
 */
function urllib(url: string): HttpCaller {
  return withReplyCheck({
    request: (method, path, { body } = {}) =>
      new Promise((resolve, reject) => {
        const data = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
        const headers = {
          'Accept-Encoding': 'identity',
          'Content-type': 'application/json',
          Authorization: `Bearer ${TOKEN}`,
          'User-Agent': 'Python-urllib/3.12',
          Connection: 'close',
          ...(data === undefined ? {} : { 'Content-Length': data.length }),
        };
        const sent = httpRequest(url + path, { method, headers, agent: false }, (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: new Headers(),
              body: JSON.parse(Buffer.concat(chunks).toString()),
            }),
          );
        });
        sent.on('error', reject);
        sent.end(data);
      }),
  });
}

describe('AutoMem hosts', () => {
  let service: Service;
  let plugin: ExistingClient;
  let hermes: HttpCaller;
  let ids: Record<'tabs' | 'themes' | 'pipeline' | 'old' | 'elsewhere', string>;
  const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();
  before(async () => {
    service = await startService({ variables: { AUTOMEM_API_TOKEN: TOKEN } });
    plugin = createExistingClient(service, { ...BRIDGE_BEHAVIOUR, token: TOKEN });
    hermes = urllib(service.url);
    const {
      memory_ids: [tabs, themes, pipeline, old, elsewhere],
    } = await plugin.send(
      storeBatchRequest([
        { content: 'Prefers tabs to spaces', tags: ['preference'], timestamp: daysAgo(200), importance: 0.9 },
        { content: 'Prefers dark themes', tags: ['preference'], timestamp: daysAgo(10), importance: 0.2 },
        { content: 'The deploy pipeline runs on merge', tags: ['atlas'], timestamp: daysAgo(30) },
        { content: 'The deploy pipeline ran at night', tags: ['atlas'], timestamp: daysAgo(120) },
        {
          content: 'The deploy pipeline of borealis hit a TimeoutError',
          tags: ['borealis', 'bugfix'],
          timestamp: daysAgo(3),
        },
      ]),
    );
    ids = { tabs, themes, pipeline, old, elsewhere };
    await service.settled();
  });
  after(() => service.close());

  const idsOf = ({ results }: { results: readonly { id: string }[] }): readonly string[] => results.map(({ id }) => id);
  const get = async (parameters: Parameters) => {
    const { status, body } = await hermes.request('GET', recallRequest(parameters).path);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  };

  for (const [host, recall] of [
    ['with fetch', (parameters: Parameters) => plugin.send(recallRequest(parameters))],
    ['with urllib', get],
  ] as const) {
    describe(`session start ${host}`, () => {
      it('lists preferences, last changed first', async () => {
        const answer = await recall(SESSION_POLICY.preferences);
        expect(idsOf(answer)).to.deep.equal([ids.themes, ids.tabs]);
        expect(answer).to.include({ sort: 'updated_desc', count: 2 });
      });

      it('finds the memories of a project in 90 days', async () => {
        expect(idsOf(await recall(SESSION_POLICY.taskContext))).to.deep.equal([ids.pipeline]);
      });

      it('finds an error without a tag', async () => {
        expect(idsOf(await recall(SESSION_POLICY.debugging))[0]).to.equal(ids.elsewhere);
      });
    });
  }

  describe('OpenClaw', () => {
    it('reads content, tags and type for the context of a turn', async () => {
      const { results } = await plugin.send(
        recallRequest([
          ['query', 'How does atlas deploy?'],
          ['limit', '3'],
          ['tags', 'atlas'],
        ]),
      );
      expect(results).to.have.length.within(1, 3);
      for (const { memory } of results) {
        expect(memory.content).to.match(/deploy/u);
        expect(memory.tags).to.include('atlas');
        expect(memory.type).to.be.a('string');
      }
    });

    it('stores, changes and deletes', async () => {
      const { memory_id: id } = await plugin.send(
        storeRequest({ content: 'The parrot is called Ada', tags: ['home'], metadata: { channel: 'dm' } }),
      );
      await plugin.send(updateRequest(id, { content: 'The parrot is called Bea', tags: ['home', 'birds'] }));
      const { memory } = await plugin.send(readRequest(id));
      expect(memory).to.include({ id, content: 'The parrot is called Bea' });
      expect(memory.metadata).to.include({ channel: 'dm' });
      expect((await plugin.send(deleteRequest(id))).memory_id).to.equal(id);
    });
  });

  describe('Hermes', () => {
    it('reads content and tags, and the id inside the memory', async () => {
      const { results } = await get([
        ['query', 'deploy pipeline'],
        ['limit', '20'],
        ['format', 'detailed'],
        ['tags', 'atlas'],
        ['tags', 'borealis'],
      ]);
      const seen = new Set(results.map(({ memory }: { memory: { id: string } }) => memory.id));
      expect([...seen]).to.have.members([ids.pipeline, ids.old, ids.elsewhere]);
      for (const { memory } of results)
        expect([typeof memory.content, Array.isArray(memory.tags)]).to.deep.equal(['string', true]);
    });

    it('stores a turn, changes it and associates it', async () => {
      const content = '[role: user]\nWhere do we deploy?\n\n[role: assistant]\nOn the pipeline of atlas.';
      const turn = {
        content,
        tags: ['hermes', 'conversation-turn'],
        metadata: { source: 'hermes_provider', session_id: 's-1' },
      };
      const stored = await hermes.request('POST', '/memory', { body: turn });
      expect(stored.status).to.equal(201);
      const { memory_id: id } = stored.body;
      const changed = await hermes.request('PATCH', `/memory/${id}`, { body: { importance: 0.8, tags: ['hermes'] } });
      expect(changed.body).to.include({ status: 'success', memory_id: id });
      const { body } = associateRequest({
        memory1_id: id,
        memory2_id: ids.pipeline,
        type: 'RELATES_TO',
        strength: 0.5,
      });
      expect((await hermes.request('POST', '/associate', { body })).status).to.equal(201);
      const { memory } = (await hermes.request('GET', `/memory/${id}`)).body;
      expect(memory).to.include({ content, importance: 0.8 });
      expect((await hermes.request('DELETE', `/memory/${id}`)).status).to.equal(200);
    });

    it('passes its health check', async () => {
      expect((await hermes.request('GET', '/health')).body.status).to.be.oneOf(['healthy', 'degraded']);
      expect(
        (
          await get([
            ['query', 'automem hermes diagnostic recall'],
            ['limit', '1'],
            ['format', 'detailed'],
          ])
        ).results,
      ).to.have.length(1);
    });
  });
});
