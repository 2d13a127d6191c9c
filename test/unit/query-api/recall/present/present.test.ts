import { Ajv } from 'ajv';
import ajvFormats from 'ajv-formats';
import { expect } from 'chai';
import { queryConfig } from '../../../../../query-api/config.js';
import type { HydratedCandidate } from '../../../../../query-api/recall/candidate.js';
import { planRecall } from '../../../../../query-api/recall/plan/plan-recall.js';
import { type Outcome, present } from '../../../../../query-api/recall/present/present.js';
import { createCandidateScorer } from '../../../../../query-api/recall/score/score-candidates.js';
import { selectResults } from '../../../../../query-api/recall/select/select-results.js';
import type { RecallQuery } from '../../../../../shared/contract/queries/recall-query.js';
import { recallReply } from '../../../../../shared/contract/recall-reply.js';
import type { Relation } from '../../../../../shared/ports/graph.js';
import { candidateOf, memoryOf, NOW, NOW_TEXT, numberedId, replacedOf } from '../memories.js';

const { recall: config } = queryConfig({});
const NO_RANKING = { isReranked: false, floor: null, filteredCount: 0, isFilled: false, budget: null };
const ajv = new Ajv({ allowUnionTypes: true });
ajvFormats.default(ajv);
const validate = ajv.compile(recallReply);

function presented(
  candidates: readonly HydratedCandidate[],
  query: RecallQuery = { query: 'redis' },
  overrides: Partial<Outcome> = {},
) {
  const plan = planRecall(query, { config, dimension: 4, now: NOW });
  const selected = selectResults(createCandidateScorer(config.scoring)(candidates, plan), plan);
  const reply = present({
    plan,
    selected,
    searches: [{ ...plan, weight: 1 }],
    dedupRemoved: 0,
    hits: new Map([['vector', []]]),
    degraded: [],
    suppressed: [],
    expansion: { seedCount: 0, entitiesFound: [] },
    relations: new Map(),
    ranking: NO_RANKING,
    explanation: null,
    identities: [],
    queryTimeMs: 1.23456,
    ...overrides,
  });
  expect(validate(reply), JSON.stringify(validate.errors)).to.equal(true);
  return reply;
}

const near = candidateOf(memoryOf(1, { content: 'Redis', tags: ['db'] }), {
  source: 'vector',
  similarity: 0.123456789,
});
const replacement: HydratedCandidate = {
  memory: memoryOf(2, { content: 'Postgres' }),
  position: 0,
  evidence: [],
  replaces: replacedOf(memoryOf(3, { content: 'Redis' }), {
    evidence: [{ source: 'keyword' }],
    type: 'INVALIDATED_BY',
    strength: 0.7,
  }),
};

describe('present', () => {
  it('shows id, score and time of a result under both names', () => {
    const [result] = presented([near]).results;
    expect(result).to.include({ id: numberedId(1), score: result?.final_score, original_score: result?.final_score });
    expect(result?.memory).to.include({
      id: numberedId(1),
      memory_id: numberedId(1),
      created_at: NOW_TEXT,
      timestamp: NOW_TEXT,
      content: 'Redis',
    });
  });

  it('names the source of each result', () => {
    const named = (candidate: HydratedCandidate, query?: RecallQuery) => presented([candidate], query).results[0];
    const semantic = candidateOf(memoryOf(1), { source: 'vector', similarity: 0.9 }, { source: 'keyword' });
    expect(named(semantic)).to.include({ match_type: 'semantic', source: 'qdrant', match_score: 0.9 });
    expect(named(candidateOf(memoryOf(1, { content: 'Redis' }), { source: 'keyword' }))).to.include({
      match_type: 'keyword',
      source: 'graph',
      match_score: 1,
    });
    const labelled = candidateOf(
      memoryOf(1, { metadata: { tool: 'redis' } }),
      { source: 'metadata' },
      { source: 'keyword' },
    );
    expect(named(labelled)).to.include({ match_type: 'metadata', source: 'graph', match_score: 0.95 });
    expect(named(candidateOf(memoryOf(1), { source: 'trending' }), {})).to.include({
      match_type: 'trending',
      source: 'graph',
      match_score: 0.5,
    });
    expect(named(candidateOf(memoryOf(1), { source: 'tag' }), { tags: ['a'] })).to.include({
      match_type: 'tag',
      source: 'graph',
      match_score: 0.5,
    });
  });

  it('names at most 20 other pieces of the source, best first', () => {
    const pieces = Array.from({ length: 30 }, (_, index) =>
      candidateOf(memoryOf(index + 1, { metadata: { source_id: 'a' } }), {
        source: 'vector',
        similarity: 0.9 - index / 100,
      }),
    );
    const named = (count: number) => presented(pieces.slice(0, count)).results.map((result) => result.source_pieces);
    expect(named(1)).to.deep.equal([undefined]);
    expect(named(30)).to.deep.equal([Array.from({ length: 20 }, (_, index) => numberedId(index + 2))]);
  });

  it('rounds to six digits', () => {
    expect(presented([near]).results[0]?.score_components).to.include({ vector: 0.123457 });
    expect(presented([]).query_time_ms).to.equal(1.23);
  });

  it('shows the memory that a replacement replaces', () => {
    const suppressed = [
      { id: numberedId(3), reason: 'superseded', replacement_id: numberedId(2), relation_type: 'INVALIDATED_BY' },
    ] as const;
    const reply = presented([replacement], { query: 'redis', state_debug: true }, { suppressed });
    expect(reply.results[0]).to.deep.include({
      match_type: 'replacement',
      state_replaces: numberedId(3),
      relations: [{ type: 'INVALIDATED_BY', strength: 0.7, from: numberedId(3) }],
    });
    expect(reply.results[0]).to.not.have.property('original_score');
    expect(reply.state_filter).to.deep.equal({
      current_only: true,
      suppressed_count: 1,
      replacement_count: 1,
      suppressed,
      replacements: [{ id: numberedId(2), replaces_id: numberedId(3), relation_type: 'INVALIDATED_BY' }],
    });
  });

  it('counts suppressions in current mode only', () => {
    expect(presented([]).state_filter).to.deep.equal({ current_only: true, suppressed_count: 0, replacement_count: 0 });
    expect(presented([], { state_mode: 'history' })).to.not.have.property('state_filter');
  });

  it('shows the associations of a result', () => {
    const relation: Relation = {
      type: 'LEADS_TO',
      direction: 'outgoing',
      strength: 0.5,
      created_at: NOW_TEXT,
      updated_at: NOW_TEXT,
      properties: {},
      memory: { id: numberedId(5) },
    };
    expect(
      presented([near], {}, { relations: new Map([[numberedId(1), [relation]]]) }).results[0]?.relations,
    ).to.deep.equal([
      {
        type: 'LEADS_TO',
        direction: 'outgoing',
        strength: 0.5,
        created_at: NOW_TEXT,
        updated_at: NOW_TEXT,
        memory: { id: numberedId(5) },
      },
    ]);
  });

  it('echoes only parameters of the request', () => {
    const plain = presented([], {});
    for (const name of ['keywords', 'time_window', 'tags', 'tag_scope', 'exclude_tags', 'score_filter', 'degraded'])
      expect(plain).to.not.have.property(name);
    const full = presented([], {
      query: 'Redis',
      tags: ['A'],
      exclude_tags: ['b'],
      start: '2024-01-01',
      min_score: 0.5,
    });
    expect(full).to.deep.include({
      keywords: ['redis'],
      tags: ['A'],
      tag_scope: { filtered: true, pool_size_hint: 0, gated_low_evidence: 0 },
      exclude_tags: ['b'],
      time_window: { start: '2024-01-01T00:00:00+00:00', end: null },
      score_filter: { min_score: 0.5, adaptive_floor: null, filtered_count: 0 },
    });
  });

  it('names the query of each result, and lists several queries instead of keywords', () => {
    const [scored] = createCandidateScorer(config.scoring)(
      [near],
      planRecall({ query: 'redis' }, { config, dimension: 4, now: NOW }),
    );
    if (!scored) throw new Error('one candidate gives one score');
    const found = {
      selected: {
        results: [{ ...scored, dedupedFrom: [], scoredBy: { query: 'x'.repeat(300), weight: 1, hasFound: true } }],
        filteredCount: 0,
      },
    };
    const searches = ['a', 'b'].map((query) => ({
      ...planRecall({ query }, { config, dimension: 4, now: NOW }),
      weight: 1,
    }));
    const several = presented([], { queries: ['a', 'b'] }, { ...found, searches, dedupRemoved: 3 });
    expect(several).to.deep.include({ queries: ['a', 'b'], dedup_removed: 3 });
    expect(several).to.not.have.property('keywords');
    expect(several.results[0]?._query).to.equal('x'.repeat(256));
  });

  it('distinguishes a failed index from a failed encoder', () => {
    const down = (source: string) =>
      presented([], { query: 'x' }, { hits: new Map(), degraded: [{ source, reason: 'down' }] });
    expect(down('vectors')).to.deep.include({
      vector_search: { enabled: false, matched: false },
      degraded: [{ source: 'vectors', reason: 'down' }],
    });
    expect(down('embedding').vector_search).to.deep.equal({ enabled: true, matched: false });
  });
});
