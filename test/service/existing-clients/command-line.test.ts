/**
 * AutoMem's command line with our service: the endpoint check of its installer, its recall, and its queue of stores.
 */
import { expect } from 'chai';
import { BRIDGE_BEHAVIOUR, createExistingClient, type ExistingClient } from '../../support/clients/existing-client.js';
import {
  associateRequest,
  readRequest,
  recallRequest,
  storeRequest,
} from '../../support/fixtures/existing-client-requests.js';
import { type Service, startService } from '../../support/processes/service.js';
import { ABSENT_MEMORY_ID } from '../memories/memory-fixtures.js';

const TOKEN = 'token-of-the-command-line';

describe("AutoMem's installer", () => {
  let service: Service;
  before(async () => {
    service = await startService({ variables: { AUTOMEM_API_TOKEN: TOKEN } });
  });
  after(() => service.close());

  /** The installer's check: health without a token or headers, then one recall with the token. */
  async function verdictOn(token?: string): Promise<string> {
    const health = await fetch(`${service.url}/health`);
    const body = (await health.json()) as { readonly status?: unknown };
    if (!health.ok || typeof body.status !== 'string') return 'no service';
    const recall = await fetch(`${service.url}/recall?limit=1`, {
      headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
    });
    return recall.status === 200 ? 'accepted' : `refused with ${recall.status}`;
  }

  it('accepts the endpoint with the token', async () => expect(await verdictOn(TOKEN)).to.equal('accepted'));

  it('reports a wrong or missing token as 401', async () => {
    expect(await verdictOn('wrong')).to.equal('refused with 401');
    expect(await verdictOn()).to.equal('refused with 401');
  });

  it('accepts an open endpoint with any token and without one', async () => {
    const closed = service;
    const open = await startService();
    try {
      service = open;
      expect([await verdictOn(), await verdictOn('any')]).to.deep.equal(['accepted', 'accepted']);
    } finally {
      service = closed;
      await open.close();
    }
  });
});

describe("AutoMem's command line", () => {
  let service: Service;
  let client: ExistingClient;
  before(async () => {
    service = await startService({ variables: { AUTOMEM_API_TOKEN: TOKEN } });
    client = createExistingClient(service, { ...BRIDGE_BEHAVIOUR, token: TOKEN });
  });
  after(() => service.close());

  it('recalls by --query, --tags a,b and --limit', async () => {
    const ids: string[] = [];
    for (const tag of ['house', 'museum', 'poems']) {
      ids.push((await client.send(storeRequest({ content: `Found the lift of the ${tag}`, tags: [tag] }))).memory_id);
    }
    const asked = [
      ['query', 'lift'],
      ['limit', '2'],
      ['tags', 'house'],
      ['tags', 'museum'],
    ] as const;
    const { results, count } = await client.send(recallRequest(asked));
    expect(results.map(({ id }: { id: string }) => id)).to.have.members(ids.slice(0, 2));
    expect(count).to.equal(2);
    for (const { memory, final_score } of results) {
      expect(memory.content).to.contain('lift');
      expect(final_score).to.be.a('number');
    }
  });

  describe('queue', () => {
    /** Each item is one line of the file, as hooks write it. */
    const queued = [
      {
        content: 'The release was cut from main',
        tags: ['release'],
        type: 'Decision',
        timestamp: '2024-03-01T12:00:00.000000+00:00',
        metadata: { hook: 'end' },
      },
      {
        content: 'Its notes were written by hand',
        tags: 'release,notes',
        relationshipType: 'part_of',
        timestamp: '2024-03-01T12:00:01',
      },
    ] as const;

    it('stores lines with their type as metadata, then associates', async () => {
      expect((await fetch(`${service.url}/health`)).ok).to.equal(true);
      const ids: string[] = [];
      for (const line of queued) {
        const tags = typeof line.tags === 'string' ? line.tags.split(',') : line.tags;
        const metadata = 'metadata' in line ? { ...line.metadata, type: line.type } : {};
        ids.push(
          (await client.send(storeRequest({ content: line.content, tags, metadata, timestamp: line.timestamp })))
            .memory_id,
        );
      }
      const type = queued[1].relationshipType.toUpperCase();
      await client.send(associateRequest({ memory1_id: ids[0], memory2_id: ids[1], type, strength: 0.5 }));
      const { memory } = await client.send(readRequest(ids[0]!));
      expect(memory.metadata).to.include({ hook: 'end', type: 'Decision' });
      expect(memory.timestamp).to.equal('2024-03-01T12:00:00+00:00');
      const [relation] = memory.relations;
      expect(relation)
        .to.deep.include({ type: 'PART_OF', strength: 0.5 })
        .and.to.have.nested.property('memory.id', ids[1]);
      const second = (await client.send(readRequest(ids[1]!))).memory;
      expect(second.tags).to.include.members(['release', 'notes']);
      expect(second.timestamp).to.equal('2024-03-01T12:00:01+00:00');
    });

    it('continues when a line relates to an unknown memory', async () => {
      const { memory_id: id } = await client.send(
        storeRequest({ content: 'Relates to nothing', tags: [], metadata: {} }),
      );
      const refused = await service.request('POST', '/associate', {
        headers: { Authorization: `Bearer ${TOKEN}` },
        body: { memory1_id: ABSENT_MEMORY_ID, memory2_id: id, type: 'RELATES_TO', strength: 0.5 },
      });
      expect(refused.status).to.equal(404);
      expect((await client.send(readRequest(id))).memory.content).to.equal('Relates to nothing');
    });
  });
});
