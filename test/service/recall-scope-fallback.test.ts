/** What fills a recall that its tags leave short: found by meaning outside of them, while everything else that was asked for holds. */
import { expect } from 'chai';
import { startService, type Service } from '../support/service.js';
import { store } from './memory-fixtures.js';

type Result = { readonly id: string; readonly final_score: number; readonly outside_tag_scope?: boolean; readonly state_replaces?: string };

describe('filling from outside the tags', () => {
  const QUERY = 'query=brewing+green+tea&scope_fallback=true';
  let service: Service;
  let ids: Readonly<Record<string, string>>;
  before(async () => {
    service = await startService();
    const on = (day: number): string => `2020-01-0${day}T10:00:00Z`;
    ids = {
      scoped: await store(service, { content: 'Brewing green tea takes two minutes', tags: ['kitchen'], timestamp: on(1) }),
      near: await store(service, { content: 'Green tea is brewed at eighty degrees', tags: ['drinks'], timestamp: on(2) }),
      repeat: await store(service, { content: 'brewing green tea takes TWO minutes!', tags: ['drinks'], timestamp: on(2) }),
      secret: await store(service, { content: 'Green tea for the secret brew', tags: ['drinks', 'private:mine'], timestamp: on(3) }),
      expired: await store(service, { content: 'Brewing green tea in a sock', tags: ['drinks'], timestamp: on(4), t_invalid: on(5) }),
      stale: await store(service, { content: 'Brewing green tea with boiling water', tags: ['drinks'], timestamp: on(5) }),
      fresh: await store(service, { content: 'Let the water cool down first', tags: ['water'], timestamp: on(6) }),
    };
    const evolved = { memory1_id: ids['stale'], memory2_id: ids['fresh'], type: 'EVOLVED_INTO', strength: 0.9 };
    expect((await service.request('POST', '/associate', { body: evolved })).status).to.equal(201);
    await service.settled();
  });
  after(() => service.close());

  async function recall(query: string) {
    const { status, body } = await service.request('GET', `/recall?${query}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  }
  async function found(query: string): Promise<readonly string[]> {
    const names = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
    return (await recall(query)).results.map(({ id }: Result) => names.get(id));
  }

  it('comes after what is inside, is marked, and holds to the states', async () => {
    const body = await recall(`${QUERY}&tags=kitchen&limit=6`);
    expect(body.scope_fallback).to.equal(true);
    const [first, ...fills]: readonly Result[] = body.results;
    expect(first).to.include({ id: ids['scoped'] }).and.not.have.property('outside_tag_scope');
    expect(fills.map(({ id }) => id)).to.have.members([ids['near'], ids['secret'], ids['fresh']]);
    for (const fill of fills) expect(fill.outside_tag_scope).to.equal(true);
    expect(fills.map(({ final_score }) => final_score)).to.deep.equal(fills.map(({ final_score }) => final_score).sort((one, other) => other - one));
    expect(fills.find(({ id }) => id === ids['fresh'])?.state_replaces).to.equal(ids['stale']);
  });

  it('stops at the limit', async () => {
    expect(await found(`${QUERY}&tags=kitchen&limit=2`)).to.have.length(2);
    expect(await recall(`${QUERY}&tags=kitchen&limit=1`)).to.not.have.property('scope_fallback');
  });

  it('holds to exclusions, windows and the smallest score', async () => {
    expect(await found(`${QUERY}&tags=kitchen&exclude_tags=private`)).to.not.include('secret');
    expect(await found(`${QUERY}&tags=kitchen&end=2020-01-02T12:00:00Z`)).to.have.members(['scoped', 'near']);
    expect(await found(`${QUERY}&tags=kitchen&min_score=1`)).to.deep.equal([]);
  });

  it('shows in history what was superseded', async () => {
    expect(await found(`${QUERY}&tags=kitchen&limit=7&state_mode=history`)).to.include.members(['scoped', 'near', 'stale', 'expired']);
  });

  it('needs to be asked for, with tags and something to search for', async () => {
    const tagged = ['query=brewing+green+tea', 'query=tea&scope_fallback=perhaps', 'scope_fallback=true', 'query=*&scope_fallback=1'];
    for (const query of [...tagged.map((parameters) => `${parameters}&tags=kitchen`), 'query=tea&scope_fallback=true']) {
      const body = await recall(query);
      expect(body, query).to.not.have.property('scope_fallback');
      if (query.includes('tags')) expect(body.count, query).to.equal(1);
    }
  });

  it('fills an answer that has nothing of its own', async () => {
    expect(await found(`${QUERY}&tags=nowhere`)).to.have.members(['repeat', 'near', 'secret', 'fresh']);
  });

  it('leaves the answer short while the vectors are away', async () => {
    service.breakers.vectors.break();
    try {
      const body = await recall(`${QUERY}&tags=kitchen`);
      expect(body.results.map(({ id }: Result) => id)).to.deep.equal([ids['scoped']]);
      expect(body).to.not.have.property('scope_fallback');
      expect(body.degraded).to.have.length(1);
    } finally {
      service.breakers.vectors.mend();
    }
  });
});
