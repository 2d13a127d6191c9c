/**
 * The recalls of clients at the start of a session, recall in many scripts, and the access time after recalls and
 * reads.
 */
import { expect } from 'chai';
import type { MemoryId } from '../../../shared/contract/memory.js';
import { until } from '../../support/checks/until.js';
import { type Service, startService } from '../../support/processes/service.js';

const DAY_MS = 86_400_000;

describe('recall', () => {
  let service: Service;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();
  async function store(content: string, fields: object = {}): Promise<string> {
    return (await service.request('POST', '/memory', { body: { content, type: 'Decision', ...fields } })).body
      .memory_id;
  }
  async function recall(parameters: Record<string, string>) {
    const { status, body } = await service.request('GET', `/recall?${new URLSearchParams(parameters)}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  }
  const idsOf = ({ results }: { results: readonly { id: string }[] }): readonly string[] => results.map(({ id }) => id);

  describe('at the start of a session', () => {
    it('lists preferences, the last changed first', async () => {
      const [oldest, middle, newest] = [
        await store('Prefers tabs', { tags: ['preference', 'editor'], timestamp: daysAgo(30), importance: 1 }),
        await store('Prefers dark themes', { tags: ['Preference/Look'], timestamp: daysAgo(20), importance: 0.1 }),
        await store('Prefers short answers', { tags: ['preference'], timestamp: daysAgo(10), importance: 0.5 }),
      ];
      const parameters = { tags: 'preference', limit: '20', sort: 'updated_desc', format: 'detailed' };
      expect(idsOf(await recall(parameters))).to.deep.equal([newest, middle, oldest]);
      expect(
        (await service.request('PATCH', `/memory/${oldest}`, { body: { content: 'Prefers tabs of width 2' } })).status,
      ).to.equal(200);
      expect(idsOf(await recall(parameters))).to.deep.equal([oldest, newest, middle]);
    });

    it('finds memories of a project within the last 90 days', async () => {
      const fresh = await store('Moved the build to esbuild', { tags: ['palimpsest'], timestamp: daysAgo(89) });
      await store('Moved the build to webpack', { tags: ['palimpsest'], timestamp: daysAgo(91) });
      await store('Moved the build to rollup', { tags: ['elsewhere'], timestamp: daysAgo(1) });
      await service.settled();
      const body = await recall({
        query: 'how do we build',
        tags: 'palimpsest',
        time_query: 'last 90 days',
        limit: '30',
      });
      expect(idsOf(body)).to.deep.equal([fresh]);
      expect(Date.parse(body.time_window.end) - Date.parse(body.time_window.start)).to.equal(90 * DAY_MS);
    });
  });

  describe('score of a recall', () => {
    it('counts dropped results in score_filter only with min_score', async () => {
      await store('Oaks shed in November', { tags: ['trees'], importance: 0, timestamp: '2020-11-01T00:00:00Z' });
      await store('Ginkgo and maple trees', { tags: ['trees'], importance: 1 });
      await service.settled(); // a vector indexed between two recalls changes the scores
      const every = await recall({ query: 'ginkgo maple', tags: 'trees' });
      expect(every).to.not.have.property('score_filter');
      const [first, second] = every.results;
      const between = String((first.final_score + second.final_score) / 2);
      const some = await recall({ query: 'ginkgo maple', tags: 'trees', min_score: between });
      expect(idsOf(some)).to.deep.equal([first.id]);
      expect(some.score_filter).to.include({ filtered_count: 1, adaptive_floor: null });
      // min_score is clamped to 1. A score can be above 1.
      const belowOne = every.results.filter(({ final_score }: { final_score: number }) => final_score < 1).length;
      expect((await recall({ query: 'ginkgo maple', tags: 'trees', min_score: '7' })).score_filter).to.include({
        min_score: 1,
        filtered_count: belowOne,
      });
    });

    it('is the weighted sum of its components', async () => {
      await store('Quartz oscillator drift', { tags: ['quartz'], metadata: { source: 'quartz' } });
      await service.settled();
      const weights: Record<string, number> = {
        vector: 0.35,
        keyword: 0.35,
        metadata: 0.35,
        relation: 0.25,
        tag: 0.2,
        importance: 0.1,
        confidence: 0.05,
        recency: 0.1,
        exact: 0.2,
        relevance: 0,
        context: 1,
      };
      const [{ final_score, score_components: components }] = (await recall({ query: 'quartz', tags: 'quartz' }))
        .results;
      expect(components).to.include({
        keyword: 1,
        tag: 1,
        exact: 1,
        importance: 0.5,
        confidence: 0.9,
        relation: 0,
        relevance_gated: false,
      });
      expect(components.vector).to.be.within(0.1, 1);
      const sum = Object.entries(weights).reduce((total, [name, weight]) => total + weight * components[name], 0);
      expect(final_score).to.be.closeTo(sum, 0.00001);
    });
  });

  describe('recall in other scripts', () => {
    const texts = [
      ['Japanese', 'データベースの接続プールを増やした', '接続プール'],
      ['Chinese', '我们决定使用蓝绿部署', '蓝绿部署'],
      ['Russian', 'Решили хранить журналы тридцать дней', 'журналы'],
      ['Arabic', 'قررنا تأجيل الإطلاق إلى الخريف', 'الإطلاق'],
      ['Korean', '배포는 매주 목요일에 진행한다', '목요일에'],
      ['Greek', 'Η συνάντηση μεταφέρθηκε στη Θεσσαλονίκη', 'ΣΥΝΆΝΤΗΣΗ'],
    ] as const;
    for (const [language, content, query] of texts) {
      it(`finds ${language} words`, async () => {
        const id = await store(content, { tags: ['scripts'] });
        const [first] = (await recall({ query, tags: 'scripts' })).results;
        expect(first.id).to.equal(id);
        expect(first.memory.content).to.equal(content);
        expect(first.score_components.keyword).to.be.greaterThan(0.5);
      });
    }

    it('keeps different texts apart and finds a Cyrillic tag', async () => {
      expect((await recall({ tags: 'scripts', limit: '20' })).count).to.equal(texts.length);
      const id = await store('Tagged', { tags: ['проект/Альфа'] });
      expect(idsOf(await recall({ tags: 'ПРОЕКТ:альфа' }))).to.deep.equal([id]);
    });
  });

  describe('last_accessed', () => {
    type Target = { readonly id: string; readonly tag: string };
    const ways = [
      ['a recall', ({ tag }: Target) => `/recall?tags=${tag}`],
      ['a read by id', ({ id }: Target) => `/memory/${id}`],
      ['a listing by tag', ({ tag }: Target) => `/memory/by-tag?tags=${tag}`],
    ] as const;
    for (const [way, pathOf] of ways) {
      it(`is updated after ${way}, without a new revision`, async () => {
        const tag = way.replaceAll(' ', '-');
        const id = await store(`Accessed by ${way}`, { tags: [tag], last_accessed: '2020-01-01T00:00:00Z' });
        const { body } = await service.request('GET', pathOf({ id, tag }));
        expect(JSON.stringify(body)).to.contain('"last_accessed":"2020-01-01T00:00:00+00:00"');
        // Read from the graph, because a read through the API is another access.
        const [updated] = await until('last_accessed is updated', async () => {
          const loaded = await service.engines.graph.memories([id as MemoryId]);
          return loaded.some(({ memory }) => memory.last_accessed > '2024') && loaded;
        });
        expect(updated).to.include({ revision: 1 });
        expect(updated?.memory.updated_at).to.equal(updated?.memory.timestamp);
      });
    }
  });
});
