/**
 * AutoMem's remote sidecar in front of our service: it forwards its caller's token, has simpler tools, and formats our
 * answers as text.
 */
import { expect } from 'chai';
import { rejection } from '../../support/checks/rejection.js';
import { createExistingClient, type ExistingClient, SIDECAR_BEHAVIOUR } from '../../support/clients/existing-client.js';
import {
  associateRequest,
  deleteRequest,
  healthRequest,
  type Parameters,
  recallRequest,
  storeRequest,
  unitVector,
  updateRequest,
} from '../../support/fixtures/existing-client-requests.js';
import { type Service, startService } from '../../support/processes/service.js';
import { ABSENT_MEMORY_ID } from '../memories/memory-fixtures.js';

const TOKEN = 'token-of-a-remote-caller';
const UUID = '[0-9a-f-]{36}';

describe("AutoMem's sidecar", () => {
  let service: Service;
  let sidecar: ExistingClient;
  let ids: readonly string[];
  before(async () => {
    service = await startService({ variables: { AUTOMEM_API_TOKEN: TOKEN } });
    sidecar = createExistingClient(service, { ...SIDECAR_BEHAVIOUR, token: TOKEN });
    ids = await Promise.all([
      store({ content: 'The ferry leaves at seven', tags: ['ferry', 'Harbour/North'], type: 'Context' }),
      store({ content: 'The ferry is late in fog', tags: ['ferry'], importance: 0.8, metadata: { seen: 'twice' } }),
    ]);
    await associate({ memory1_id: ids[0], memory2_id: ids[1], type: 'LEADS_TO', strength: 0.6 });
    await service.settled();
  });
  after(() => service.close());

  /** Formats results as the sidecar does. */
  async function store(body: object): Promise<string> {
    const { memory_id, id } = await sidecar.send(storeRequest(body));
    return memory_id || id;
  }
  async function associate(body: object): Promise<string> {
    const answer = await sidecar.send(associateRequest(body));
    if (!Array.isArray(answer.failed) || answer.failed.length === 0) return answer.summary ?? answer.message;
    const reasons = answer.failed
      .slice(0, 5)
      .map(({ index, reason }: { index: number; reason: string }) => `index ${index}: ${reason}`);
    return `${answer.summary}; failed ${reasons.join('; ')}`;
  }
  async function recallText(...parameters: Parameters): Promise<string> {
    const { results, count, dedup_removed: duplicates } = await sidecar.send(recallRequest(parameters));
    if (count === 0) return 'No memories found.';
    const items = results.map(({ id, memory, final_score: score }: Found, index: number) => {
      const tags = memory.tags.length > 0 ? ` [${memory.tags.join(', ')}]` : '';
      return `${index + 1}. ${memory.content}${tags} score=${Number(score).toFixed(3)} ID: ${memory.id || memory.memory_id || id}`;
    });
    return `Found ${count} memories${duplicates > 0 ? ` (${duplicates} duplicates removed)` : ''}:\n${items.join('\n')}`;
  }
  type Found = {
    id: string;
    memory: { content: string; tags: string[]; id?: string; memory_id?: string };
    final_score: number;
  };

  it('formats the recalled memories', async () => {
    const text = await recallText(
      ['query', 'ferry'],
      ['limit', '5'],
      ['tags', 'ferry'],
      ['tag_mode', 'any'],
      ['tag_match', 'prefix'],
    );
    expect(text).to.match(
      new RegExp(`^Found 2 memories:\\n1\\. The ferry .+ score=\\d+\\.\\d{3} ID: ${UUID}\\n2\\. The ferry`, 'u'),
    );
    expect(text).to.contain('[ferry, Harbour/North').and.to.contain(ids[0]).and.to.contain(ids[1]);
    expect(await recallText(['query', 'ferry'], ['limit', '5'], ['tags', 'nowhere'])).to.equal('No memories found.');
  });

  it('sends several queries with two limits and counts duplicates', async () => {
    const text = await recallText(
      ['limit', '10'],
      ['per_query_limit', '5'],
      ['queries', 'ferry at seven'],
      ['queries', 'ferry in fog'],
      ['tags', 'ferry'],
    );
    expect(text).to.match(/^Found 2 memories \(\d+ duplicates removed\):/u);
  });

  it('sends every parameter of its recall', async () => {
    const { results } = await sidecar.send(
      recallRequest([
        ['query', 'ferry'],
        ['limit', '50'],
        ['embedding', unitVector(1).join(',')],
        ['time_query', 'last 7 days'],
        ['sort', 'time_desc'],
        ['tags', 'ferry'],
        ['tag_mode', 'all'],
        ['tag_match', 'exact'],
        ['expand_relations', 'true'],
        ['expand_entities', 'false'],
        ['auto_decompose', 'false'],
        ['expansion_limit', '5'],
        ['relation_limit', '5'],
        ['context', 'travel'],
        ['context_tags', 'harbour'],
        ['context_types', 'Context'],
        ['priority_ids', ids[0]!],
        ['scope_fallback', 'true'],
      ]),
    );
    expect(results.map(({ id }: Found) => id)).to.have.members([...ids]);
  });

  it('reads the details and the relations of a result', async () => {
    const { results } = await sidecar.send(
      recallRequest([
        ['query', 'ferry leaves'],
        ['limit', '1'],
        ['expand_relations', 'true'],
      ]),
    );
    const [first, followed] = results;
    for (const name of ['type', 'timestamp', 'last_accessed']) expect(first.memory[name], name).to.be.a('string');
    for (const name of ['importance', 'confidence']) expect(first.memory[name], name).to.be.a('number');
    expect([first.match_type, first.source].every((text) => typeof text === 'string')).to.equal(true);
    const [relation] = followed.relations;
    expect(`${relation.type}(${Number(relation.strength).toFixed(2)}) from ${relation.from}`).to.equal(
      `LEADS_TO(0.60) from ${first.id}`,
    );
    expect(followed.memory.metadata).to.include({ seen: 'twice' });
  });

  it('reports the result of a batch of associations', async () => {
    const one = { memory1_id: ids[0], memory2_id: ids[1], type: 'RELATES_TO', strength: 0.5 };
    expect(await associate(one)).to.equal(`Association created between ${ids[0]} and ${ids[1]}`);
    expect(await associate({ associations: [one, { ...one, memory2_id: ABSENT_MEMORY_ID }] })).to.equal(
      '1/2 associations created successfully; failed index 1: One or both memories do not exist',
    );
  });

  it('changes a memory with an ignored embedding, and deletes it', async () => {
    const id = await store({ content: 'The kiosk sells maps', tags: [] });
    const changes = { content: 'The kiosk sells tickets', embedding: [0.1, 0.2], t_invalid: '2999-01-01T00:00:00Z' };
    expect(`Updated ${(await sidecar.send(updateRequest(id, changes))).memory_id}`).to.equal(`Updated ${id}`);
    expect(`Deleted ${(await sidecar.send(deleteRequest(id))).memory_id}`).to.equal(`Deleted ${id}`);
    expect(await rejection(sidecar.send(deleteRequest(id)))).to.include({ status: 404, message: 'Memory not found' });
  });

  it('returns health unchanged', async () => {
    const health = JSON.parse(JSON.stringify(await sidecar.send(healthRequest)));
    expect(health.status).to.be.oneOf(['healthy', 'degraded']);
    expect(health).to.include({ falkordb: 'connected', qdrant: 'connected' });
  });

  it("is rejected for its caller's token", async () => {
    const stranger = createExistingClient(service, { ...SIDECAR_BEHAVIOUR, token: 'of another caller' });
    expect(await rejection(stranger.send(recallRequest([['query', 'ferry']])))).to.include({
      status: 401,
      message: 'Unauthorized',
    });
  });

  it('retries after 503 and succeeds', async () => {
    const patient = createExistingClient(service, { ...SIDECAR_BEHAVIOUR, token: TOKEN }, () =>
      service.breakers.graph.mend(),
    );
    service.breakers.graph.break();
    expect(
      (
        await patient.send(
          recallRequest([
            ['query', 'ferry'],
            ['limit', '1'],
          ]),
        )
      ).count,
    ).to.equal(1);
  });
});
