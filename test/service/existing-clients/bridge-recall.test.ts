/**
 * AutoMem's own bridge, unmodified, recalls from our service: its three kinds of request, and every field that it
 * reads.
 */
import { expect } from 'chai';
import { rejection } from '../../support/checks/rejection.js';
import {
  BRIDGE_BEHAVIOUR,
  type ClientError,
  createExistingClient,
  type ExistingClient,
} from '../../support/clients/existing-client.js';
import {
  associateRequest,
  listByTagRequest,
  type Parameters,
  readRequest,
  RECALL_OF_EVERY_PARAMETER,
  recallRequest,
  storeBatchRequest,
} from '../../support/fixtures/existing-client-requests.js';
import { type Service, startService } from '../../support/processes/service.js';
import { ABSENT_MEMORY_ID } from '../memories/memory-fixtures.js';

const WORLD = [
  {
    content: 'The deploy pipeline of atlas runs on every merge',
    tags: ['atlas', 'ops'],
    importance: 0.9,
    type: 'Decision',
    metadata: { source: 'wiki' },
  },
  {
    content: 'Atlas is deployed by Anna Lind on Thursdays',
    tags: ['atlas', 'entity:people:anna-lind'],
    importance: 0.6,
    type: 'Habit',
  },
  {
    content: 'Anna Lind keeps the keys of the vault',
    tags: ['people', 'entity:people:anna-lind'],
    importance: 0.5,
    type: 'Context',
  },
  {
    content: 'Rollbacks of the deploy pipeline take four minutes',
    tags: ['runbook'],
    importance: 0.5,
    type: 'Insight',
  },
  { content: 'A draft on the deploy pipeline', tags: ['atlas', 'draft'], importance: 0.4, type: 'Context' },
];

const TEXTS = ['content', 'created_at', 'updated_at', 'type', 'last_accessed', 'match_type', 'source'];
const NUMBERS = ['final_score', 'match_score', 'importance', 'confidence'];

/** The fields that the bridge reads from a result, before it formats them. */
const viewOf = ({ id, match_type, final_score, score, relations, related_to, memory, ...rest }: Result) => ({
  id,
  match_type,
  final_score: final_score ?? score ?? 0,
  relations: relations || related_to || [],
  ...rest,
  content: memory?.content || '',
  summary: memory?.summary,
  tags: memory?.tags || [],
  importance: memory?.importance ?? 0,
  created_at: memory?.timestamp || memory?.created_at || '',
  updated_at: memory?.updated_at || memory?.timestamp || '',
  metadata: memory?.metadata || {},
  type: memory?.type,
  confidence: memory?.confidence,
  last_accessed: memory?.last_accessed,
});
// Without a schema, as the bridge reads it.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Result = any;

describe("recall by AutoMem's bridge", () => {
  let service: Service;
  let bridge: ExistingClient;
  let ids: readonly string[];
  before(async () => {
    service = await startService();
    bridge = createExistingClient(service, BRIDGE_BEHAVIOUR);
    ids = (await bridge.send(storeBatchRequest(WORLD))).memory_ids;
    await bridge.send(associateRequest({ memory1_id: ids[0], memory2_id: ids[3], type: 'LEADS_TO', strength: 0.8 }));
    await service.settled();
  });
  after(() => service.close());

  const recall = (...parameters: Parameters) => bridge.send(recallRequest(parameters));
  const idsOf = ({ results }: { results: readonly Result[] }) => results.map(({ id }: Result) => id);

  describe('ranked', () => {
    it('finds every field that it shows in each result', async () => {
      const answer = await recall(
        ['query', 'deploy pipeline'],
        ['limit', '5'],
        ['tags', 'atlas'],
        ['exclude_tags', 'draft'],
      );
      const first = viewOf(answer.results[0]);
      const { tags: ownTags, metadata, ...own } = WORLD[0]!;
      expect(first).to.deep.include({ id: ids[0], ...own });
      expect(first.tags).to.include.members(ownTags);
      expect(first.metadata).to.include(metadata);
      for (const view of answer.results.map(viewOf)) {
        for (const name of TEXTS) expect(view[name], name).to.match(/./u);
        for (const name of NUMBERS) expect(view[name], name).to.be.a('number');
        expect(view.score_components).to.include.keys('vector', 'keyword', 'importance', 'recency');
      }
      const stub = first.relations.find(({ type }: Result) => type === 'LEADS_TO');
      expect(stub).to.include({ strength: 0.8 }).and.to.have.nested.property('memory.id', ids[3]);
      expect(stub.memory.summary ?? stub.memory.content).to.be.a('string');
      expect(answer).to.include({
        count: answer.results.length,
        dedup_removed: 0,
        query: 'deploy pipeline',
        sort: 'score',
        state_mode: 'current',
      });
      expect(answer.vector_search).to.deep.equal({ enabled: true, matched: true });
      expect(answer.query_time_ms).to.be.a('number');
    });

    it('accepts every parameter in one request', async () => {
      const answer = await recall(...RECALL_OF_EVERY_PARAMETER);
      expect(idsOf(answer)).to.include(ids[0]).and.not.include(ids[4]);
      expect(answer).to.deep.include({
        tags: ['atlas', 'ops'],
        exclude_tags: ['draft', 'private'],
        tag_mode: 'any',
        tag_match: 'prefix',
      });
      expect(answer.recency_bias).to.equal('on');
      expect(Date.parse(answer.time_window.start)).to.equal(Date.parse('2020-01-01'));
      expect(answer.queries[0]).to.equal('deploy pipeline');
      expect(answer.expansion).to.include({
        enabled: true,
        relation_limit: 3,
        expansion_limit: 10,
        respect_tags: false,
      });
      expect(answer.entity_expansion).to.include({ enabled: true });
      expect(answer.state_filter).to.include.keys(
        'current_only',
        'suppressed_count',
        'replacement_count',
        'suppressed',
        'replacements',
      );
      expect(answer.score_filter).to.include({ min_score: 0.01 });
      expect(answer.tag_scope).to.include({ filtered: true });
      expect(answer.context_priority).to.include({ language: 'typescript', context: 'architecture' });
    });

    it('ignores format and offset, which only the bridge uses', async () => {
      const asked: Parameters = [
        ['query', 'deploy pipeline'],
        ['limit', '3'],
      ];
      const answers = [await recall(...asked), await recall(...asked, ['format', 'items'], ['offset', '2'])];
      expect(idsOf(answers[1])).to.deep.equal(idsOf(answers[0])).and.to.have.length(3);
    });

    it('reports duplicates of several queries', async () => {
      const answer = await recall(['queries', 'deploy pipeline'], ['queries', 'rollbacks of deploys'], ['limit', '10']);
      expect(answer.queries).to.deep.equal(['deploy pipeline', 'rollbacks of deploys']);
      expect(answer.dedup_removed).to.be.greaterThan(0);
      expect(new Set(idsOf(answer)).size).to.equal(answer.count);
    });

    it('marks results from relations, entities and other tags', async () => {
      const related = await recall(['query', 'runs on every merge'], ['limit', '1'], ['expand_relations', 'true']);
      const followed = viewOf(related.results.find(({ id }: Result) => id === ids[3]));
      expect(followed).to.include({ match_type: 'relation' });
      expect(followed.relation_score).to.be.a('number');
      expect(followed.relations[0]).to.include({ type: 'LEADS_TO', strength: 0.8, from: ids[0] });
      const named = await recall(['query', 'deployed on Thursdays'], ['limit', '1'], ['expand_entities', 'true']);
      expect(named.results.find(({ id }: Result) => id === ids[2]))
        .to.have.property('expanded_from_entity')
        .that.is.a('string');
      const filled = await recall(
        ['query', 'rollbacks take minutes'],
        ['tags', 'ops'],
        ['limit', '3'],
        ['scope_fallback', 'true'],
      );
      expect(filled.scope_fallback).to.equal(true);
      expect(
        filled.results.filter(({ outside_tag_scope }: Result) => outside_tag_scope).map(({ id }: Result) => id),
      ).to.include(ids[3]);
    });

    it('lists the equal memories behind one result', async () => {
      const twins = { content: 'Twin beds are in the attic', tags: ['attic'] };
      const { memory_ids: both } = await bridge.send(storeBatchRequest([twins, twins]));
      const { results } = await recall(['query', 'twin beds'], ['tags', 'attic']);
      expect(results).to.have.length(1);
      expect(both).to.include(results[0].id);
      expect(both).to.include.members(results[0].deduped_from);
    });

    it('answers a recall without filters', async () => {
      expect((await recall()).count).to.equal(5);
      expect((await recall(['query', '*'], ['limit', '200'], ['current_only', 'false'])).state_mode).to.equal(
        'history',
      );
    });
  });

  describe('by id', () => {
    it('reads the whole record with its relations', async () => {
      const { memory } = await bridge.send(readRequest(ids[0]!));
      expect(memory).to.include({ id: ids[0], content: WORLD[0]!.content, importance: 0.9, type: 'Decision' });
      for (const name of ['timestamp', 'updated_at', 'last_accessed']) expect(memory[name], name).to.be.a('string');
      expect(memory.relations).to.be.an('array');
    });

    it('answers 404 for an unknown id and 400 for an invalid id', async () => {
      const refusals = await Promise.all(
        [ABSENT_MEMORY_ID, 'not an id'].map((id) => rejection(bridge.send(readRequest(id)))),
      );
      expect(refusals.map((refusal) => (refusal as ClientError).status)).to.deep.equal([404, 400]);
    });
  });

  describe('exhaustively', () => {
    it('lists all pages of a tag by has_more and offset', async () => {
      const tags = ['walk/one', 'walk/two'];
      const memories = Array.from({ length: 7 }, (_, index) => ({
        content: `Step ${index} of the walk`,
        tags: [tags[index % 2]],
        importance: index / 10,
      }));
      const { memory_ids: stored } = await bridge.send(storeBatchRequest(memories));
      const seen: string[] = [];
      for (let isMore = true; isMore && seen.length <= memories.length;) {
        const behind: Parameters = seen.length === 0 ? [] : [['offset', String(seen.length)]];
        const page = await bridge.send(listByTagRequest(tags, [['limit', '3'], ...behind]));
        expect(page).to.deep.include({ tags, limit: 3, offset: seen.length, count: page.memories.length });
        seen.push(...page.memories.map(({ id }: Result) => id));
        isMore = page.has_more;
      }
      expect(seen).to.deep.equal([...stored].reverse());
    });

    it('reads stored records', async () => {
      const { memories } = await bridge.send(listByTagRequest(['ops'], [['limit', '200']]));
      expect(memories[0]).to.include({ id: ids[0], content: WORLD[0]!.content, importance: 0.9, type: 'Decision' });
      expect(memories[0].metadata).to.include({ source: 'wiki' });
    });
  });
});
