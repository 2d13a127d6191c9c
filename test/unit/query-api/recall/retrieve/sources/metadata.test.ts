import { expect } from 'chai';
import { queryConfig } from '../../../../../../query-api/config.js';
import { planRecall } from '../../../../../../query-api/recall/plan/plan-recall.js';
import type { RecallPlan } from '../../../../../../query-api/recall/plan/recall-plan.js';
import { createMetadataSource } from '../../../../../../query-api/recall/retrieve/sources/metadata.js';
import type { Run } from '../../../../../../query-api/recall/retrieve/sources/source.js';
import type { MetadataSearch } from '../../../../../../shared/ports/graph.js';
import { metadataValues } from '../../../../../../shared/text/metadata-values.js';
import { NOW, numberedId } from '../../memories.js';

const planned = (query: string, environment: Record<string, string> = {}, limit = 5): RecallPlan =>
  planRecall({ query, limit }, { config: queryConfig(environment).recall, dimension: 4, now: NOW });

const unmeasured: Run = { stage: (_name, work) => work(), awaitIndex: async () => undefined };

describe('metadata source', () => {
  const source = createMetadataSource({ graph: { metadata: () => Promise.resolve([]) } });

  it('applies to queries with distinctive words, unless it is switched off', () => {
    expect(source.applies(planned('provider railway'))).to.equal(true);
    expect(source.applies(planned('find all memories about the tool'))).to.equal(false);
    expect(source.applies(planned('*'))).to.equal(false);
    expect(source.applies(planned('provider railway', { RECALL_METADATA_SEARCH_ENABLED: 'false' }))).to.equal(false);
  });

  it('searches twelve words and 200 memories per pass, and keeps the best', async () => {
    const searches: MetadataSearch[] = [];
    const values = [{ tool: 'zeppelin hangar' }, { provider: 'zeppelin' }, { tool: 'zeppelin' }].map(metadataValues);
    const metadata = (search: MetadataSearch) => {
      searches.push(search);
      return Promise.resolve(values.map((each, index) => ({ id: numberedId(index + 1), values: each })));
    };
    const hits = await createMetadataSource({ graph: { metadata } }).search(
      planned('tool zeppelin', {}, 1),
      unmeasured,
    );
    const best = (pass: string) => ({ id: numberedId(3), evidence: { source: 'metadata', pass, rank: 1 } });
    expect(hits).to.deep.equal([best('current'), best('lapsed')]);
    await createMetadataSource({ graph: { metadata } }).search(
      planned(Array.from({ length: 20 }, (_, index) => `word${index}`).join(' '), {}, 10),
      unmeasured,
    );
    expect(searches.map(({ words, limit, filter }) => [words.length, limit, filter.state])).to.deep.equal([
      [1, 200, 'current'],
      [1, 200, 'lapsed'],
      [12, 250, 'current'],
      [12, 250, 'lapsed'],
    ]);
  });
});
