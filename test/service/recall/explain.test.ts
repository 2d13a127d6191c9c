/** The `explain` parameter: why a memory is a result, and why another is not. Without it the reply is unchanged. */
import { expect } from 'chai';
import { type Service, startService } from '../../support/processes/service.js';
import { ABSENT_MEMORY_ID, expectProblem, store } from '../memories/memory-fixtures.js';

describe('explain', () => {
  let service: Service;
  let cache: string;
  before(async () => {
    service = await startService();
    cache = await store(service, { content: 'Redis caches the sessions', tags: ['infra', 'redis'], importance: 0.9 });
    await store(service, { content: 'Redis keeps the rate limits', tags: ['infra'], importance: 0.2 });
    await service.settled();
  });
  after(() => service.close());

  async function recall(parameters: Record<string, string>) {
    const { status, body } = await service.request('GET', `/recall?${new URLSearchParams(parameters)}`);
    expect(status).to.equal(200);
    return body;
  }
  async function cutOf(id: string, parameters: Record<string, string>) {
    const { memory_id, position, cut } = (await recall({ ...parameters, explain: id })).explain;
    expect([memory_id, position]).to.deep.equal([id, null]);
    return cut;
  }

  describe('recall with explain=true', () => {
    it('shows the evidence of each source with its pass and rank', async () => {
      const [first] = (await recall({ query: 'redis session', explain: 'true' })).results;
      expect(first.id).to.equal(cache);
      const [vector, keyword] = first.explain.evidence;
      expect(vector).to.deep.include({ source: 'vector', pass: 'current', rank: 1 });
      expect(vector.similarity).to.be.closeTo(first.explain.features.similarity, 1e-6);
      expect(keyword).to.deep.equal({ source: 'keyword', pass: 'current', rank: 1 });
      expect(first.explain.terms.content).to.have.length(2);
      expect(first.explain.terms.words).to.deep.equal({ tags: ['redis'], metadata: [] });
    });

    it('shows points whose sum is the score', async () => {
      for (const { explain, final_score } of (await recall({ query: 'redis session', explain: '1' })).results) {
        const points = Object.values(explain.points as Record<string, number>);
        expect(points.reduce((sum, value) => sum + value, 0)).to.be.closeTo(final_score, 1e-5);
      }
    });

    it('names the memory whose evidence found a replacement', async () => {
      const old = await store(service, { content: 'The walrus lives in the north', tags: ['walrus'] });
      const next = await store(service, { content: 'It moved to the south', tags: ['walrus'] });
      await service.request('POST', '/associate', {
        body: { memory1_id: old, memory2_id: next, type: 'INVALIDATED_BY', strength: 0.8 },
      });
      const { results } = await recall({ query: 'walrus north', tags: 'walrus', explain: 'true' });
      expect(results[0].id).to.equal(next);
      const { found_in } = results[0].explain;
      expect(found_in).to.deep.include({ id: old, type: 'INVALIDATED_BY', strength: 0.8, share: 0.765 });
      expect(found_in.evidence.map(({ source }: { source: string }) => source)).to.include('keyword');
      expect(await cutOf(old, { query: 'walrus', tags: 'walrus' })).to.deep.equal({
        at: 'state',
        reason: 'superseded',
        successor: next,
        relation_type: 'INVALIDATED_BY',
      });
    });
  });

  describe('recall without explain', () => {
    for (const explain of [null, 'false', '0', '']) {
      it(`has no explain fields (${explain === null ? 'absent' : JSON.stringify(explain)})`, async () => {
        const body = await recall({ query: 'redis', ...(explain === null ? {} : { explain }) });
        expect(body).to.not.have.property('explain');
        for (const result of body.results) expect(result).to.not.have.property('explain');
      });
    }

    it('has otherwise the same reply', async () => {
      const { query_time_ms: _plain, ...plain } = await recall({ query: 'redis session' });
      const {
        query_time_ms: _other,
        explain: _memory,
        results,
        ...others
      } = await recall({ query: 'redis session', explain: cache });
      const stripped = results.map(({ explain: _explain, ...result }: { explain: object }) => result);
      // Each recall changes last_accessed after its reply.
      const lasting = (found: { memory: object }[]) =>
        found.map((result) => ({ ...result, memory: { ...result.memory, last_accessed: null } }));
      expect({ ...others, results: lasting(stripped) }).to.deep.equal({ ...plain, results: lasting(plain.results) });
    });
  });

  describe('recall with explain=<id>', () => {
    it('shows the position of the memory among the results', async () => {
      const { explain, results } = await recall({ query: 'redis session', explain: cache.toUpperCase() });
      expect(explain).to.deep.equal({ memory_id: cache, position: 1, cut: null, evidence: results[0].explain });
    });

    it('reports a missing memory as absent', async () => {
      const { explain } = await recall({ query: 'redis', explain: ABSENT_MEMORY_ID });
      expect(explain).to.deep.equal({
        memory_id: ABSENT_MEMORY_ID,
        position: null,
        cut: { at: 'absent' },
        evidence: null,
      });
    });

    it('names each filter rule that excludes the memory', async () => {
      const id = await store(service, {
        content: 'Redis was chosen long ago',
        tags: ['old'],
        timestamp: '2020-01-01T00:00:00Z',
      });
      expect(await cutOf(id, { query: 'redis', tags: 'infra' })).to.deep.equal({ at: 'filter', rules: ['tags'] });
      expect(await cutOf(id, { query: 'redis', exclude_tags: 'old', start: '2024-01-01' })).to.deep.equal({
        at: 'filter',
        rules: ['time_window', 'exclude_tags'],
      });
    });

    it('names the state that excludes the memory', async () => {
      const id = await store(service, {
        content: 'Redis licence of last year',
        tags: ['licence'],
        t_invalid: '2021-01-01T00:00:00Z',
      });
      expect(await cutOf(id, { query: 'redis', tags: 'licence' })).to.deep.equal({ at: 'state', reason: 'expired' });
      expect(
        (await recall({ query: 'redis', tags: 'licence', state_mode: 'history', explain: id })).explain.position,
      ).to.equal(1);
    });

    it('shows the score of the memory and the needed score', async () => {
      const {
        explain: { cut },
        results,
      } = await recall({ query: 'sessions', tags: 'infra', limit: '1', explain: await other() });
      expect(cut)
        .to.include({ at: 'limit', position: 2, limit: 1, needed: results[0].final_score })
        .and.to.have.property('score')
        .below(cut.needed);
      expect(await cutOf(await other(), { query: 'garden', tags: 'infra', min_score: '0.9' })).to.include({
        at: 'min_score',
        needed: 0.9,
      });
    });

    it('names the result that the memory duplicates', async () => {
      const pair = [
        await store(service, { content: 'Use **pnpm** here!', tags: ['same'] }),
        await store(service, { content: 'use pnpm here', tags: ['same'] }),
      ];
      await service.settled(); // a vector indexed between two recalls can change the order
      const { results } = await recall({ query: 'pnpm', tags: 'same' });
      const hidden = pair.find((id) => id !== results[0].id) ?? '';
      expect(await cutOf(hidden, { query: 'pnpm', tags: 'same' })).to.deep.equal({
        at: 'duplicate',
        of: results[0].id,
      });
    });

    it('reports a memory that no source returned', async () => {
      const ids: string[] = [];
      for (let importance = 9; importance > 3; importance -= 1) {
        ids.push(
          await store(service, {
            content: `Shelf ${importance} holds books`,
            tags: ['many'],
            importance: importance / 10,
          }),
        );
      }
      // With a limit of 1, recall selects among four candidates.
      const { explain } = await recall({ tags: 'many', limit: '1', explain: ids[5] ?? '' });
      expect(explain.cut).to.deep.equal({ at: 'retrieval', found: { tag: 4 } });
      expect(explain.evidence.evidence).to.deep.equal([]);
      expect(await cutOf(ids[3] ?? '', { tags: 'many', limit: '1' })).to.include({ at: 'limit', position: 4 });
    });

    async function other(): Promise<string> {
      const { results } = await recall({ tags: 'infra', sort: 'score' });
      return results.find(({ id }: { id: string }) => id !== cache).id;
    }
  });

  for (const explain of ['maybe', '123', `${ABSENT_MEMORY_ID}0`, 'null']) {
    it(`rejects explain=${explain} with 400`, async () => {
      expectProblem(
        await service.request('GET', `/recall?query=redis&explain=${explain}`),
        400,
        "'explain' must be true, false or the id of a memory",
      );
    });
  }
});
