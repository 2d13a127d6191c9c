/** The tool recall_memory against the service: the answer for each kind of request. */
import { Ajv } from 'ajv';
import { expect } from 'chai';
import type { ToolAnswer } from '../../../deploy/mcp/tool.js';
import { createRecallMemoryTool } from '../../../deploy/mcp/tools/recall-memory.js';
import { createClient } from '../../../shared/client/http-client.js';
import { positionIn } from '../../support/checks/position-in.js';
import { type Service, startService } from '../../support/processes/service.js';
import { ABSENT_MEMORY_ID, store } from '../memories/memory-fixtures.js';

const tool = createRecallMemoryTool({ tokenBudget: 18_000 });
/** Validates as clients of the protocol do. */
const isDeclared = new Ajv({ strict: false }).compile(tool.outputSchema);

type Structured = {
  readonly mode: string;
  readonly count: number;
  readonly has_more?: boolean;
  readonly results: readonly (Readonly<Record<string, unknown>> & { readonly memory_id: string })[];
};

describe('recall_memory', () => {
  let service: Service;
  const ids: Record<string, string> = {};

  before(async () => {
    service = await startService({ variables: { RECALL_CONSISTENT_WAIT_MS: '20000' } });
    ids['chosen'] = await store(service, {
      content: 'Chose PostgreSQL for the ledger',
      tags: ['ledger', 'db'],
      importance: 0.9,
      timestamp: '2024-03-01T00:00:00Z',
    });
    const long = `The ledger closes its books every night. ${'Then it waits. '.repeat(60)}`;
    ids['long'] = await store(service, {
      content: long,
      tags: ['ledger'],
      metadata: { source: 'handbook' },
      importance: 0.8,
    });
    ids['other'] = await store(service, {
      content: 'The garden wants water in summer',
      tags: ['home'],
      importance: 0.3,
    });
    ids['old'] = await store(service, {
      content: 'The ledger is deployed by hand',
      tags: ['ledger', 'deploy'],
      importance: 0.5,
    });
    ids['new'] = await store(service, {
      content: 'The ledger is deployed by the pipeline',
      tags: ['ledger', 'deploy'],
      importance: 0.6,
    });
    await service.request('POST', '/associate', {
      body: { memory1_id: ids['old'], memory2_id: ids['new'], type: 'INVALIDATED_BY', strength: 0.9 },
    });
    await service.settled();
  });
  after(() => service.close());

  async function call(input: object): Promise<ToolAnswer> {
    const client = createClient({ baseUrl: service.url, token: null, userAgent: 'test', retryDelaysMs: [1] });
    return tool.call(input, { client, signal: new AbortController().signal, report: () => undefined });
  }

  async function recall(input: object): Promise<Structured & { readonly text: string }> {
    const { text, structured, isError } = await call(input);
    expect(isError, text.join('\n')).to.equal(undefined);
    expect(isDeclared(structured), JSON.stringify(isDeclared.errors)).to.equal(true);
    return { ...(structured as Structured), text: text.join('\n') };
  }

  async function failure(input: object): Promise<string> {
    const { text, isError } = await call(input);
    expect(isError).to.equal(true);
    return text.join('\n');
  }

  const idsOf = ({ results }: Structured): readonly string[] => results.map(({ memory_id: id }) => id);

  it('ranks by query within tags', async () => {
    const answer = await recall({ query: 'PostgreSQL', tags: ['ledger'], limit: 2 });
    expect(answer).to.include({ mode: 'ranked', count: 2 });
    expect(answer.results[0]).to.deep.include({
      memory_id: ids['chosen'],
      content: 'Chose PostgreSQL for the ledger',
      importance: 0.9,
      created_at: '2024-03-01T00:00:00+00:00',
    });
    expect(answer.text)
      .to.match(
        /^Found 2 memories.*:\n\n1\. Chose PostgreSQL for the ledger \[ledger, db\b.*\] \(importance: 0\.9\) score=\d\.\d{3} \[\w+\]/u,
      )
      .and.include(`\n   ID: ${ids['chosen']}\n`);
    expect(answer.results[0]?.['match_probability']).to.be.above(0.05);
    expect(answer.text).to.not.include('nothing fits');
    const other = await recall({ query: 'who fed the giraffes at the zoo', tags: ['ledger'] });
    expect(other.text).to.match(/^Found \d memories \(.*nothing fits: none of these is likely to answer the query/u);
  });

  for (const format of ['text', 'items', 'detailed', 'json']) {
    it(`answers by its output schema with each found memory as ${format}`, async () => {
      const answer = await recall({
        query: 'ledger',
        format,
        expand_relations: true,
        expand_entities: true,
        state_mode: 'history',
      });
      for (const id of idsOf(answer)) expect(answer.text).to.include(id);
      expect(answer.count).to.be.at.least(4).and.equal(answer.results.length);
    });
  }

  it('searches by an embedding of the configured size', async () => {
    const { effective } = (await service.request('GET', '/health')).body.vector_dimensions;
    expect(
      (await recall({ embedding: Array.from({ length: effective }, (_, index) => 1 / (index + 1)), limit: 3 })).count,
    ).to.equal(3);
    expect(await failure({ embedding: [0.1, 0.2] })).to.match(/^Error: Embedding must contain exactly \d+ values/u);
  });

  it('accepts every other parameter in one call', async () => {
    const answer = await recall({
      queries: ['ledger, books', 'database'],
      limit: 50,
      per_query_limit: 20,
      max_tokens: 5_000,
      sort: 'time_desc',
      auto_decompose: true,
      tags: ['ledger'],
      exclude_tags: ['home'],
      tag_mode: 'all',
      tag_match: 'exact',
      time_query: 'last 90 days',
      start: '2020-01-01',
      end: '2999-01-01',
      context: 'review',
      language: 'python',
      active_path: 'a.py',
      context_tags: ['db'],
      context_types: ['Style'],
      priority_ids: [ids['chosen']],
      expand_relations: true,
      expand_entities: true,
      expand_respect_tags: true,
      relation_limit: 5,
      expansion_limit: 25,
      expand_min_importance: 0.1,
      expand_min_strength: 0.1,
      min_probability: 0,
      min_score: 0.01,
      adaptive_floor: false,
      recency_bias: 'on',
      scope_fallback: true,
      state_mode: 'current',
      current_only: true,
      state_debug: true,
      explain: ids['other'],
      format: 'text',
    });
    expect(answer).to.deep.include({
      sort: 'time_desc',
      queries: ['ledger  books', 'database'],
      exclude_tags: ['home'],
    });
    expect(idsOf(answer)).to.include(ids['chosen']);
    expect(answer.text)
      .to.include('time window: from 2020-01-01')
      .and.include(`memory ${ids['other']} is not among the results: a filter of the request leaves it out`);
  });

  it('shows the successor of a superseded memory; history shows both', async () => {
    const current = await recall({ query: 'deployed by hand', tags: ['deploy'] });
    expect(idsOf(current)).to.deep.equal([ids['new']]);
    expect(current.text).to.include('state filter: 1 no longer current left out');
    expect(idsOf(await recall({ query: 'deployed by hand', tags: ['deploy'], state_mode: 'history' }))).to.have.members(
      [ids['old'], ids['new']],
    );
  });

  it('cuts a long memory and fetches it whole by its id', async () => {
    const cut = await recall({ query: 'when does the ledger close its books', limit: 1 });
    expect(cut.results[0]).to.include({ memory_id: ids['long'], content_chars: 940 }).and.not.have.property('metadata');
    const whole = await recall({ memory_id: ids['long'], query: 'anything' });
    expect(whole).to.include({ mode: 'id_fetch', count: 1 });
    expect(whole.results[0])
      .to.include({ match_type: 'direct', final_score: 1 })
      .and.have.nested.property('metadata.source', 'handbook');
    expect(whole.results[0]?.['content']).to.have.length(940);
    expect(whole.text)
      .to.include('Then it waits. '.repeat(60).trim())
      .and.include('(fetched by memory_id; not heeded: query)');
  });

  it('shows the evidence for each result as json if requested', async () => {
    expect((await recall({ query: 'ledger', explain: 'true', format: 'json' })).results[0]).to.have.nested.property(
      'explain.evidence',
    ).that.is.not.empty;
    expect((await recall({ query: 'ledger', explain: 'true' })).text).to.include(
      'the evidence that explain asks for is in format json',
    );
  });

  it('finds nothing for an unknown id', async () => {
    const answer = await recall({ memory_id: ABSENT_MEMORY_ID });
    expect(answer).to.deep.include({ mode: 'id_fetch', count: 0, results: [] });
    expect(answer.text).to.match(/^No memories found matching your query\. \(there is no memory with this id/u);
  });

  it('lists every memory with a tag page by page, in every state', async () => {
    const walked: string[] = [];
    for (let offset = 0, hasMore = true; hasMore;) {
      const page = await recall({ exhaustive: true, tags: ['LEDGER'], limit: 3, offset });
      expect(page.mode).to.equal('enumeration');
      expect(page.text.includes(`call again with offset ${offset + page.count}`)).to.equal(page.has_more);
      walked.push(...idsOf(page));
      offset += page.count;
      hasMore = page.has_more ?? false;
    }
    expect(walked).to.deep.equal([ids['chosen'], ids['long'], ids['new'], ids['old']]);
  });

  it('rejects ranking arguments in a listing, offset in a ranked recall', async () => {
    expect(await failure({ exhaustive: true, tags: ['ledger'], query: 'x', sort: 'score' })).to.match(
      /^Error: exhaustive .* does not take query, sort: leave that out/u,
    );
    expect(await failure({ query: 'ledger', offset: 5 })).to.match(/^Error: offset pages only with exhaustive/u);
  });

  it('shows a change right after its write', async () => {
    const stored = await service.request('POST', '/memory', {
      body: { content: 'The ledger moved to Oslo', tags: ['fresh'] },
    });
    const position = stored.headers.get('memory-position') ?? '';
    const answer = await recall({ query: 'where is the ledger', tags: ['fresh'], consistent_with: position });
    expect(answer.count).to.equal(1);
    expect(answer.text).to.include(`(shows position ${positionIn(position)})`);
  });

  it('passes on the reason of a rejection by the service', async () => {
    expect(await failure({ query: 'x', time_query: 'when the moon is full' })).to.match(/^Error: .*time_query/u);
    expect(await failure({ query: 'x', consistent_with: 999_999_999 })).to.match(/^Error: .*consistent_with/u);
  });

  it('warns of missing memories while the vector index is down', async () => {
    service.breakers.vectors.break();
    try {
      const answer = await recall({ query: 'ledger' });
      expect(answer.count).to.be.at.least(1);
      expect(answer.text).to.match(
        /^Found \d memories \(.*degraded, memories may be missing: vectors? did not answer/u,
      );
    } finally {
      service.breakers.vectors.mend();
    }
  });

  it('fails with a reason while the graph is down', async () => {
    service.breakers.graph.break();
    try {
      expect(await failure({ query: 'ledger' })).to.match(/^Error: .*Graph database unavailable/u);
    } finally {
      service.breakers.graph.mend();
    }
  });
});
