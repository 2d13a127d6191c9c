/** GET /graph/stats and GET /analyze: statistics of the graph. */
import { expect } from 'chai';
import { type Service, startService } from '../../support/processes/service.js';

const NOW = new Date('2024-06-30T22:30:00Z');

describe('graph statistics', () => {
  let service: Service;
  before(async () => (service = await startService({ clock: { now: () => NOW } })));
  after(() => service.close());

  const stats = async () => (await service.request('GET', '/graph/stats?limit=x&since=nonsense')).body;
  const analyze = async () => (await service.request('GET', '/analyze?limit=-1')).body;

  it('of an empty service are zero', async () => {
    const { totals, by_type: byType, importance_distribution: importance, recent_activity: activity } = await stats();
    expect([totals, byType, importance]).to.deep.equal([{ nodes: 0, edges: 0 }, {}, { high: 0, medium: 0, low: 0 }]);
    expect(activity).to.have.length(30);
    const { analytics } = await analyze();
    expect(analytics).to.deep.equal({
      memory_types: {},
      patterns: [],
      preferences: [],
      temporal_insights: {},
      entity_frequency: {},
      confidence_distribution: { low: 0, medium: 0, high: 0 },
    });
  });

  describe('of some memories', () => {
    before(async () => {
      const ids: string[] = [];
      for (const [content, more] of [
        [
          'tea in the morning',
          { importance: 0.9, timestamp: '2024-06-30T08:10:00Z', metadata: { entities: ['Anna', 'Tea'] } },
        ],
        ['coffee', { importance: 0.8, timestamp: '2024-06-01T08:50:00Z', confidence: 0.5, type: 'Preference' }],
        ['old', { importance: 0.5, timestamp: '2024-05-31T23:59:59Z', metadata: { entities: { people: ['Anna'] } } }],
        [
          'later',
          {
            importance: 0.4,
            timestamp: '2024-07-01T00:00:00Z',
            metadata: { topics: 'tea', keywords: [7, ' ', '__proto__'] },
          },
        ],
      ] as const) {
        const body = { content, type: 'Insight', confidence: 0.3, ...more };
        ids.push((await service.request('POST', '/memory', { body })).body.memory_id);
      }
      const [tea, coffee, old] = ids;
      for (const [one, other, type, strength] of [
        [tea, coffee, 'PREFERS_OVER', 0.7],
        [tea, old, 'PREFERS_OVER', 0.9],
        [old, tea, 'RELATES_TO', 0.5],
      ] as const) {
        const body = {
          memory1_id: one,
          memory2_id: other,
          type,
          strength,
          ...(strength === 0.7 ? { context: 'mornings' } : {}),
        };
        await service.request('POST', '/associate', { body });
      }
    });

    it('count by type, importance and the last thirty days', async () => {
      const body = await stats();
      expect(body.totals).to.deep.equal({ nodes: 4, edges: 3 });
      expect(body.by_type).to.deep.equal({ Insight: 3, Preference: 1 });
      expect(body.by_relationship).to.deep.equal({ PREFERS_OVER: 2, RELATES_TO: 1 });
      expect(body.importance_distribution).to.deep.equal({ high: 2, medium: 1, low: 1 });
      const days = body.recent_activity as readonly { date: string; count: number }[];
      expect([days.length, days[0]?.date, days.at(-1)?.date]).to.deep.equal([30, '2024-06-01', '2024-06-30']);
      expect(days.filter(({ count }) => count > 0)).to.deep.equal([
        { date: '2024-06-01', count: 1 },
        { date: '2024-06-30', count: 1 },
      ]);
      expect(body.meta.relation_colors).to.have.property('PREFERS_OVER');
    });

    it('analyze types, preferences, hours, names and confidence', async () => {
      const { status, elapsed_ms: elapsed, analytics } = await analyze();
      expect(status).to.equal('success');
      expect(elapsed).to.be.greaterThan(0);
      expect(analytics.memory_types).to.deep.equal({
        Insight: { count: 3, average_confidence: 0.3 },
        Preference: { count: 1, average_confidence: 0.5 },
      });
      expect(analytics.preferences).to.deep.equal([
        { prefers: 'tea in the morning', over: 'old', context: '', strength: 0.9 },
        { prefers: 'tea in the morning', over: 'coffee', context: 'mornings', strength: 0.7 },
      ]);
      expect(analytics.temporal_insights.hour_08).to.deep.equal({ count: 2, avg_importance: 0.85 });
      expect(Object.entries(analytics.entity_frequency)).to.deep.equal([
        ['Anna', 2],
        ['Tea', 1],
        ['__proto__', 1],
        ['tea', 1],
      ]);
      expect(analytics.confidence_distribution).to.deep.equal({ low: 3, medium: 1, high: 0 });
    });

    it('answer 503 while the graph is down', async () => {
      service.breakers.graph.break();
      for (const path of ['/graph/stats', '/analyze']) {
        const { status, body } = await service.request('GET', path);
        expect([status, body.message], path).to.deep.equal([503, 'Graph database unavailable']);
      }
      service.breakers.graph.mend();
    });
  });
});

describe('patterns of GET /analyze', () => {
  it('come from the pattern memories with a high confidence', async () => {
    const service = await startService({ enriches: true });
    try {
      const memories = Array.from({ length: 8 }, (_, at) => ({
        content: `bridges rust slowly ${at}`,
        type: 'Insight',
        confidence: 0.95,
      }));
      await service.request('POST', '/memory/batch', { body: { memories } });
      await service.settled();
      const { patterns } = (await service.request('GET', '/analyze')).body.analytics;
      expect(patterns).to.have.length(1);
      expect(patterns[0]).to.deep.include({ type: 'Insight', observations: 8 });
      expect(patterns[0].description).to.contain('bridges');
    } finally {
      await service.close();
    }
  });
});
