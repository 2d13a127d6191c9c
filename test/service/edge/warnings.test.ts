import { expect } from 'chai';
import { OPERATIONS } from '../../../shared/contract/operations.js';
import { repliesOf } from '../../../shared/http/request/ignored-names.js';
import { type Edge, openEdge } from '../../support/processes/http-edge.js';

const ID = '0b8f2f0e-6d0c-4f2a-9d8e-1c2b3a4d5e6f';

describe('warnings', () => {
  let edge: Edge;
  before(async () => {
    edge = await openEdge({
      handlers: { updateMemory: async () => ({ status: 200, body: { status: 'success', memory_id: ID } }) },
    });
  });
  after(() => edge.close());

  it('are in the schema of an answer, and in each form of an answer with several', () => {
    const formOf = (reply: object): unknown => (reply as { readonly properties?: object }).properties;
    expect(formOf(repliesOf(OPERATIONS.updateMemory)['200'] as object)).to.have.property('warnings');
    const { oneOf: forms } = repliesOf(OPERATIONS.syncIndex)['200'] as { readonly oneOf: readonly object[] };
    expect(forms).to.have.lengthOf(3);
    for (const form of forms) expect(formOf(form)).to.have.property('warnings');
  });

  async function warningsOf(response: Response): Promise<unknown> {
    expect(response.status).to.equal(200);
    return ((await response.json()) as { readonly warnings?: unknown }).warnings;
  }

  it('name an unknown field with the nearest known one', async () => {
    const response = await fetch(`${edge.url}/memory/${ID}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: '{"importence":0.9}',
    });
    expect(await warningsOf(response)).to.deep.equal([
      "'importence' is not a known field and was ignored: did you mean 'importance'?",
    ]);
  });

  it('name an unknown query parameter with the nearest known one', async () => {
    expect(await warningsOf(await edge.get('/recall?querry=x&limit=3'))).to.deep.equal([
      "'querry' is not a known query parameter and was ignored: did you mean 'query'?",
    ]);
  });

  it('name a field of an item once, with its place', async () => {
    const memories = [{ content: 'x' }, { content: 'y', tag: 'a' }, { content: 'z', tag: 'a' }];
    expect(await warningsOf(await edge.post('/memory/batch', { memories }))).to.deep.equal([
      "'memories[1].tag' is not a known field and was ignored: did you mean 'tags'?",
    ]);
  });

  it('are absent for metadata and for names that existing clients send', async () => {
    expect(await warningsOf(await edge.get('/recall?query=x&format=json&offset=0&order_by=score'))).to.equal(undefined);
    const body = { content: 'x', metadata: { anything: { at: 'all' } } };
    expect(await warningsOf(await edge.post('/memory', body))).to.equal(undefined);
  });

  it('suggest nothing for a name that is like no known one, and leave out tokens', async () => {
    expect(await warningsOf(await edge.get('/recall?zzzzzz=1&api_key=secret'))).to.deep.equal([
      "'zzzzzz' is not a known query parameter and was ignored.",
    ]);
  });

  it('are at most 10, and shorten long names', async () => {
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`unknown-${index}`, 1]));
    const long = 'n'.repeat(100_000);
    const found = await warningsOf(await edge.post('/memory', { content: 'x', [long]: 1, ...many }));
    expect(found).to.have.lengthOf(10);
    expect((found as string[])[0]).to.equal(`'${'n'.repeat(64)}...' is not a known field and was ignored.`);
  });
});
