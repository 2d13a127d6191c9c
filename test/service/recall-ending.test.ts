/** The last stages of a recall: what is far below the best, what is newer, what a budget leaves out, what nearly repeats or contradicts. */
import { expect } from 'chai';
import { startService, type Service } from '../support/service.js';
import { store } from './memory-fixtures.js';

describe('the end of a recall', () => {
  let service: Service;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  async function recall(query: string) {
    await service.settled();
    const { status, body } = await service.request('GET', `/recall?${query}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  }
  const idsOf = ({ results }: { results: readonly { readonly id: string }[] }): readonly string[] => results.map(({ id }) => id);
  const january = (day: number): string => `2020-01-0${day}T10:00:00Z`;

  describe('leaning to what is new', () => {
    let older: string;
    let newer: string;
    before(async () => {
      older = await store(service, { content: 'The tram stops at the harbour', tags: ['tram'], timestamp: january(1), importance: 0.6 });
      newer = await store(service, { content: 'The tram stops at the museum', tags: ['tram'], timestamp: january(3), importance: 0.3 });
    });

    it('ranks the newer one first when it is asked for, and says so', async () => {
      const plain = await recall('query=tram+stops&tags=tram');
      expect(idsOf(plain)).to.deep.equal([older, newer]);
      expect(plain).to.not.have.property('recency_bias');
      expect(plain.results[0].score_components).to.not.have.property('temporal');
      const biased = await recall('query=tram+stops&tags=tram&recency_bias=on');
      expect(idsOf(biased)).to.deep.equal([newer, older]);
      expect(biased.recency_bias).to.equal('on');
      expect(biased.results[0].score_components.temporal).to.equal(1);
      expect(biased.results[1].score_components.temporal).to.equal(0);
      expect(biased.results[0].final_score - biased.results[0].original_score).to.be.closeTo(0.1, 1e-6);
    });

    it('decides by the query where it is automatic', async () => {
      expect(await recall('query=latest+tram+stops&tags=tram&recency_bias=auto')).to.include({ recency_bias: 'on' });
      expect(await recall('query=tram+stops&tags=tram&recency_bias=AUTO')).to.not.have.property('recency_bias');
    });

    it('stays off in an order by time, without results and for what cannot be read', async () => {
      for (const rest of ['recency_bias=on&sort=time_asc', 'recency_bias=on&exclude_tags=tram', 'recency_bias=off', 'recency_bias=very', 'recency_bias=']) {
        expect(await recall(`query=latest+tram+stops&tags=tram&${rest}`), rest).to.not.have.property('recency_bias');
      }
    });
  });

  describe('the adaptive floor', () => {
    before(async () => {
      for (const content of ['Kestrel habitat survey', 'Kestrel sightings', 'Rain in the valley', 'Boots at the door']) {
        await store(service, { content, tags: ['birds'], timestamp: january(1) });
      }
    });

    it('drops what is far below the best, unless it is switched off', async () => {
      const all = await recall('query=kestrel+habitat+survey&tags=birds&adaptive_floor=no');
      expect(all.count).to.equal(4);
      expect(all).to.not.have.property('score_filter');
      const floored = await recall('query=kestrel+habitat+survey&tags=birds');
      expect(idsOf(floored)).to.deep.equal(idsOf(all).slice(0, 2));
      expect(floored.score_filter).to.deep.equal({ min_score: null, adaptive_floor: all.results[1].final_score, filtered_count: 2 });
    });

    it('counts beside what min_score drops, and reads nonsense as its default', async () => {
      const { score_filter } = await recall('query=kestrel+habitat+survey&tags=birds&min_score=0.01&adaptive_floor=perhaps');
      expect(score_filter).to.include({ min_score: 0.01, filtered_count: 2 });
    });

    it('is not for lists and orders by time', async () => {
      for (const query of ['tags=birds', 'query=*&tags=birds', 'query=kestrel+habitat+survey&tags=birds&sort=time_desc']) {
        expect(await recall(query), query).to.include({ count: 4 }).and.not.have.property('score_filter');
      }
    });
  });

  describe('a budget', () => {
    before(async () => {
      for (const [letter, importance] of [['a', 0.9], ['b', 0.6], ['c', 0.3]] as const) {
        await store(service, { content: `${letter} `.repeat(100), tags: ['long'], importance });
      }
    });

    it('trims the answer, best first, and names what it leaves out', async () => {
      const whole = await recall('tags=long');
      expect(whole.count).to.equal(3);
      expect(whole).to.not.have.property('budget');
      const trimmed = await recall('tags=long&max_tokens=200');
      expect(idsOf(trimmed)).to.deep.equal(idsOf(whole).slice(0, 2));
      expect(trimmed.count).to.equal(2);
      expect(trimmed.budget).to.deep.equal({ max_tokens: 200, estimated_tokens: 182, omitted: idsOf(whole).slice(2) });
      expect(trimmed.results[1].memory.content).to.equal(whole.results[1].memory.content);
    });

    it('always leaves the best one, and is clamped or ignored where it cannot be read', async () => {
      for (const [given, count, budget] of [['0', 1, 1], ['-5', 1, 1], ['1', 1, 1], ['99999999999999999999', 3, Number.MAX_SAFE_INTEGER]] as const) {
        expect(await recall(`tags=long&max_tokens=${given}`), given).to.deep.include({ count }).and.to.nested.include({ 'budget.max_tokens': budget });
      }
      for (const given of ['many', '', '1.5', 'NaN']) expect(await recall(`tags=long&max_tokens=${given}`), given).to.not.have.property('budget');
    });
  });

  it('lets near duplicates give way to the next distinct memory', async () => {
    const report = 'The weekly report of the garden team lists every plant that was watered and every plant that was moved';
    const first = await store(service, { content: report, tags: ['garden'], importance: 0.9 });
    const again = await store(service, { content: report.replace('was moved', 'was quietly moved'), tags: ['garden'], importance: 0.8 });
    const numbered = await store(service, { content: `${report} 12`, tags: ['garden'], importance: 0.7 });
    const body = await recall('tags=garden&limit=2');
    expect(idsOf(body)).to.deep.equal([first, numbered]);
    expect(body.results[0].deduped_from).to.deep.equal([first, again].sort());
    expect(body.results[1]).to.not.have.property('deduped_from');
  });

  it('puts the newest of contradicting statements first, and shows what that is worth', async () => {
    const older = await store(service, { content: 'Standup meets at nine', tags: ['standup'], timestamp: january(1), importance: 0.9 });
    const newer = await store(service, { content: 'Standup meets at ten, after the coffee round', tags: ['standup'], timestamp: january(2), importance: 0.1 });
    expect(idsOf(await recall('query=standup+meets+nine&tags=standup'))).to.deep.equal([older, newer]);
    const said = await service.request('POST', '/associate', { body: { memory1_id: older, memory2_id: newer, type: 'CONTRADICTS', strength: 0.9 } });
    expect(said.status).to.equal(201);
    const { results } = await recall('query=standup+meets+nine&tags=standup');
    expect(idsOf({ results })).to.deep.equal([newer, older]);
    expect(results[0].final_score).to.equal(results[1].final_score);
    expect(results[0].score_components.succession).to.be.closeTo(results[0].final_score - results[0].original_score, 2e-6);
    expect(idsOf(await recall('query=standup+meets+nine&tags=standup&sort=time_asc'))).to.deep.equal([older, newer]);
  });

  it('puts what a memory evolved into first in history too', async () => {
    const older = await store(service, { content: 'Badges are made of plastic', tags: ['badge'], timestamp: january(1), importance: 0.9 });
    const newer = await store(service, { content: 'Badges became wooden', tags: ['badge'], timestamp: january(2), importance: 0.1 });
    expect((await service.request('POST', '/associate', { body: { memory1_id: older, memory2_id: newer, type: 'EVOLVED_INTO' } })).status).to.equal(201);
    expect(idsOf(await recall('query=badges+plastic&tags=badge&state_mode=history'))).to.deep.equal([newer, older]);
  });
});
