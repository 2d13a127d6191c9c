/** Recall and what the caller works on: what fits it counts more and is brought in, but never past the filters and states. */
import { expect } from 'chai';
import { startService, type Service } from '../support/service.js';

type Result = { readonly id: string; readonly match_type: string; readonly score_components: { readonly context: number } };

const LUNCHES = 'query=soup+for+lunch&adaptive_floor=false';

describe('recall and the context of the caller', () => {
  let service: Service;
  const ids: Record<string, string> = {};
  before(async () => {
    // The vectors bring six candidates, so that a search for lunches finds nothing else.
    service = await startService({ variables: { RECALL_MAX_LIMIT: '6', RECALL_VECTOR_OVERFETCH: '1', RECALL_LAPSED_POOL: '0' } });
    await store('indent', { content: 'Four blanks for each level', tags: ['python'], type: 'Style', importance: 0.3 });
    await store('rollback', { content: 'Roll a broken release back first', tags: ['debugging:ops'], importance: 0.8 });
    await store('traces', { content: 'Turn on traces before anything else', tags: ['debugging:ops'], importance: 0.9 });
    for (const day of [1, 2, 3, 4, 5, 6]) await store(`lunch ${day}`, { content: `Lunch on day ${day} was soup`, tags: ['lunch'], importance: 0.5 });
    await service.settled();
  });
  after(() => service.close());

  async function store(name: string, fields: object): Promise<string> {
    const { status, body } = await service.request('POST', '/memory', { body: { type: 'Context', timestamp: '2024-05-01T00:00:00Z', ...fields } });
    expect(status, JSON.stringify(body)).to.equal(201);
    return (ids[name] = body.memory_id);
  }
  async function recall(query: string) {
    const { status, body } = await service.request('GET', `/recall?${query}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  }
  const nameOf = (id: string): string => Object.keys(ids).find((name) => ids[name] === id) ?? id;
  async function found(query: string): Promise<readonly string[]> {
    return (await recall(query)).results.map(({ id }: Result) => nameOf(id));
  }

  it('is silent where nothing tells of one', async () => {
    for (const query of ['query=soup', 'query=how+does+it+go', 'query=soup&context=&context_tags=,&priority_ids=none']) {
      expect(await recall(query), query).to.not.have.property('context_priority');
    }
  });

  it('reads every parameter and each of its other names', async () => {
    const tags = (language: string): readonly string[] =>
      ['coding-style', 'preference:coding', 'preferences', 'style', 'style-guide', language, `${language}-style`, `${language}:style`].sort();
    for (const [query, language] of [['language=py', 'python'], ['lang=golang', 'go'], ['active_path=a.rs', 'rust'], ['file_path=a.ts', 'typescript'], ['focus_path=a.js', 'javascript']] as const) {
      expect((await recall(`query=soup&${query}`)).context_priority, query).to.deep.include({
        language, context: null, priority_tags: tags(language), priority_types: ['Preference', 'Style'],
      });
    }
    expect((await recall('query=soup&context=Cooking&context_tags=b,a&context_tags=c&context_types=habit')).context_priority).to.deep.equal({
      language: null, context: 'cooking', priority_tags: ['a', 'b', 'c', 'cooking'], priority_types: ['Habit'], injected: false,
    });
  });

  it('raises what fits by a component of its own', async () => {
    const [first] = (await recall('query=broken+release+or+traces&context_tags=python&context_types=style')).results;
    expect(nameOf(first.id)).to.equal('indent');
    expect(first.score_components.context).to.equal(0.7);
  });

  it('brings in what fits where the search found none of it, the most important first', async () => {
    const body = await recall(`${LUNCHES}&context=debugging&limit=4`);
    expect(body.context_priority).to.deep.include({ injected: true, priority_tags: ['debugging'] });
    expect(body.results.slice(0, 2).map(({ id }: Result) => nameOf(id))).to.deep.equal(['traces', 'rollback']);
    expect(body.results[0]).to.deep.include({ match_type: 'trending', match_score: 0.9, source: 'graph' });
    expect(body.count).to.equal(4);
    expect(await found(`${LUNCHES}&context=debugging&limit=1`)).to.deep.equal(['traces']);
  });

  it('brings in nothing where something that fits was found', async () => {
    const body = await recall(`${LUNCHES}&context=debugging&context_tags=lunch`);
    expect(body.context_priority.injected).to.equal(false);
    expect(body.results.every(({ id }: Result) => nameOf(id).startsWith('lunch'))).to.equal(true);
  });

  it('puts the named memories first, in the order of the request', async () => {
    const named = `${ids['lunch 2']},${ids['indent']}&priority_ids=${ids['rollback']}`;
    for (const sort of ['score', 'time_desc', 'updated_asc']) {
      expect((await found(`${LUNCHES}&priority_ids=${named}&sort=${sort}`)).slice(0, 3), sort).to.deep.equal(['lunch 2', 'indent', 'rollback']);
    }
    expect(await found(`${LUNCHES}&priority_ids=${named}&limit=2`)).to.deep.equal(['lunch 2', 'indent']);
    expect((await found(`priority_ids=${named}`)).slice(0, 3)).to.deep.equal(['lunch 2', 'indent', 'rollback']);
  });

  it('says of a named memory that the search did not find that it was named', async () => {
    const body = await recall(`${LUNCHES}&priority_ids=${ids['indent']}`);
    expect(body.results[0]).to.deep.include({ id: ids['indent'], match_type: 'priority', match_score: 0, source: 'graph' });
    expect(body.results[0].score_components.context).to.equal(0.9);
    expect(body.context_priority.injected).to.equal(true);
    expect((await recall(`${LUNCHES}&tags=lunch&priority_ids=${ids['lunch 1']}`)).context_priority.injected).to.equal(false);
  });

  it('keeps to the filters of the request', async () => {
    for (const filter of ['tags=lunch', 'exclude_tags=debugging', 'end=2024-04-30']) {
      const names = await found(`${LUNCHES}&context=debugging&priority_ids=${ids['traces']}&${filter}`);
      expect(names.filter((name) => !name.startsWith('lunch')), filter).to.deep.equal([]);
    }
    expect(await found(`${LUNCHES}&context_tags=debugging&tags=debugging:ops`)).to.include.members(['traces', 'rollback']);
  });

  it('does not bring back what has lapsed, and brings what succeeded it', async () => {
    const expired = await store('expired', { content: 'Trace with printed lines', tags: ['probe'], t_invalid: '2020-01-01T00:00:00Z' });
    const older = await store('older', { content: 'Trace with the first tool', tags: ['probe'] });
    const newer = await store('newer', { content: 'Trace with the second tool', tags: ['probe'] });
    const { status } = await service.request('POST', '/associate', { body: { memory1_id: older, memory2_id: newer, type: 'EVOLVED_INTO', strength: 0.5 } });
    expect(status).to.equal(201);
    const named = await recall(`${LUNCHES}&priority_ids=${expired},${older}`);
    expect(named.results.map(({ id }: Result) => nameOf(id))).to.include('newer').and.not.include.members(['expired', 'older']);
    expect(named.results[0]).to.deep.include({ id: newer, match_type: 'replacement', state_replaces: older });
    expect(await found(`${LUNCHES}&context_tags=probe`)).to.include('newer').and.not.include.members(['expired', 'older']);
    expect((await found(`${LUNCHES}&priority_ids=${expired},${older}&state_mode=history`)).slice(0, 2)).to.deep.equal(['expired', 'older']);
  });

  it('takes whatever is sent, and refuses what no text may hold by name', async () => {
    const strange = ['%25*"\'', ':', '/::/', 'x'.repeat(3_000), Array(500).fill('a/b').join(','), '%F0%9F%A6%93', ids['traces']];
    for (const name of ['context', 'language', 'active_path', 'context_tags', 'context_types', 'priority_ids']) {
      for (const value of strange) await recall(`${LUNCHES}&${name}=${value}&${name}=again`);
      const { status, body } = await service.request('GET', `/recall?${name}=%00`);
      expect(status).to.equal(400);
      expect(body.field).to.equal(name);
    }
  });
});
