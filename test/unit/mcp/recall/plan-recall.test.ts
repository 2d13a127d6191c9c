/** Each argument of recall_memory: the routes that take it, and the parameter that is sent. */
import { expect } from 'chai';
import {
  planRecall,
  RANKED_PARAMETERS,
  type RecallInput,
  recallInput,
} from '../../../../deploy/mcp/recall/plan-recall.js';
import { createValidator } from '../../../../shared/kernel/validation/validate.js';

const ID = '00000000-0000-4000-8000-000000000001';

/** One value for every parameter, as a model gives it, and as it is sent. */
const SENT: Readonly<Record<string, readonly [given: unknown, sent: unknown]>> = {
  query: ['what we chose', 'what we chose'],
  queries: [
    ['who, when', 'where'],
    ['who  when', 'where'],
  ],
  auto_decompose: [true, true],
  embedding: [[0.25, -1e-7, 1], '0.25,-1e-7,1'],
  limit: ['20', 20],
  per_query_limit: [50, 50],
  max_tokens: [900, 900],
  sort: ['Updated_Desc', 'updated_desc'],
  tags: ['one,still one', ['one,still one']],
  exclude_tags: ['one,two', ['one', 'two']],
  tag_mode: ['all', 'all'],
  tag_match: ['exact', 'exact'],
  time_query: ['last 7 days', 'last 7 days'],
  start: ['2024-01-01', '2024-01-01'],
  end: ['2024-02-01', '2024-02-01'],
  context: ['review', 'review'],
  language: ['python', 'python'],
  active_path: ['src/main.py', 'src/main.py'],
  context_tags: [['a', ' '], ['a']],
  context_types: [['Style'], ['Style']],
  priority_ids: [[ID], [ID]],
  expand_relations: [true, true],
  expand_entities: [false, false],
  expand_respect_tags: [true, true],
  relation_limit: [200, 200],
  expansion_limit: [500, 500],
  expand_min_importance: [0, 0],
  expand_min_strength: [1, 1],
  min_probability: [0.1, 0.1],
  min_score: [0.2, 0.2],
  adaptive_floor: [false, false],
  recency_bias: ['auto', 'auto'],
  distinct_by: ['document_id', 'document_id'],
  scope_fallback: [true, true],
  state_mode: ['history', 'history'],
  current_only: [true, true],
  state_debug: [true, true],
  explain: [ID, ID],
  consistent_with: ['6c1f09b2.12', '6c1f09b2.12'],
};

const validate = createValidator(recallInput as object);

function planOf(given: object): ReturnType<typeof planRecall> {
  const read = validate(given);
  if (!read.ok) throw new Error(read.problem.message);
  return planRecall(read.value as RecallInput);
}

describe('recall plan', () => {
  it('covers every parameter of GET /recall', () => {
    expect(Object.keys(SENT)).to.have.members(RANKED_PARAMETERS.map(({ name }) => name));
  });

  for (const [name, [given, sent]] of Object.entries(SENT)) {
    it(`sends ${name} and no other parameter`, () => {
      expect(planOf({ [name]: given })).to.deep.equal({ mode: 'ranked', query: { [name]: sent } });
    });
  }

  it('accepts explain as a flag, as models give it', () => {
    expect(planOf({ query: 'x', explain: true })).to.deep.equal({
      mode: 'ranked',
      query: { query: 'x', explain: true },
    });
    expect(planOf({ query: 'x', explain: false })).to.deep.equal({ mode: 'ranked', query: { query: 'x' } });
  });

  it('sends nothing for blank texts, empty lists and answer options', () => {
    expect(
      planOf({
        query: ' ',
        tags: [],
        queries: [''],
        memory_id: '',
        exhaustive: false,
        offset: 0,
        format: 'json',
        limit: null,
      }),
    ).to.deep.equal({ mode: 'ranked', query: {} });
  });

  it('fetches a memory by any spelling of its id and lists unused arguments', () => {
    expect(planOf({ memory_id: ` {${ID.toUpperCase()}} `, format: 'json' })).to.deep.equal({
      mode: 'id_fetch',
      id: ID,
      unused: [],
    });
    expect(planOf({ memory_id: ID, query: 'x', exhaustive: true })).to.deep.include({
      unused: ['exhaustive', 'query'],
    });
  });

  it('rejects an invalid id', () => {
    expect(planOf({ memory_id: 'the last one' }))
      .to.deep.include({ mode: 'refused' })
      .and.property('reason')
      .to.match(/^memory_id must be a valid UUID.*'the last one'/u);
  });

  it('lists by tag with the parameters of the listing', () => {
    const given = { tags: ['a', 'b'], limit: 200, offset: 40, consistent_with: 3 };
    const plan = planOf({ ...given, exhaustive: true, tag_match: 'exact', tag_mode: 'any', format: 'items' });
    expect(plan).to.deep.equal({ mode: 'enumeration', query: given });
  });

  it('rejects a listing without tags', () => {
    for (const tags of [undefined, [], [' ']]) {
      expect(planOf({ exhaustive: true, tags }))
        .to.include({ mode: 'refused' })
        .and.property('reason')
        .to.match(/^exhaustive needs tags/u);
    }
  });

  const TAKEN_BY_LISTING = ['tags', 'limit', 'consistent_with'];
  for (const [name, [given]] of Object.entries(SENT).filter(([known]) => !TAKEN_BY_LISTING.includes(known))) {
    const value = { tag_mode: 'all', tag_match: 'prefix' }[name] ?? given;
    it(`rejects ${name} together with exhaustive and names it`, () => {
      expect(planOf({ exhaustive: true, tags: ['a'], [name]: value }))
        .to.deep.include({ mode: 'refused' })
        .and.property('reason')
        .to.include(`does not take ${name}`);
    });
  }

  it('names the values of the tag options that exhaustive allows', () => {
    const plan = planOf({ exhaustive: true, tags: ['a'], tag_mode: 'all', tag_match: 'prefix', query: 'x' });
    expect(plan)
      .to.have.property('reason')
      .that.includes('query')
      .and.includes('tag_match may only be exact')
      .and.includes('tag_mode may only be any');
  });

  it('rejects an offset for a ranked recall, which has no pages', () => {
    expect(planOf({ query: 'x', offset: 5 }))
      .to.have.property('reason')
      .that.matches(/^offset pages only with exhaustive/u);
  });
});
