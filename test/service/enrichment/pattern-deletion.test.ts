/** A deletion and the patterns of the deleted memories. */
import { expect } from 'chai';
import { patternId } from '../../../projectors/enricher/pattern.js';
import { type Service, startService } from '../../support/processes/service.js';
import { read, store } from '../memories/memory-fixtures.js';

describe('patterns after a deletion', () => {
  let service: Service;
  before(async () => {
    service = await startService({ enriches: true, variables: { ENRICHMENT_FAILURE_BACKOFF_SECONDS: '0' } });
  });
  after(() => service.close());

  const habit = (content: string) => store(service, { content, type: 'Habit' });
  async function pattern(): Promise<{ readonly content: unknown; readonly terms: unknown }> {
    const { content, metadata } = await read(service, patternId('Habit'));
    return { content, terms: (metadata as { readonly key_terms: unknown }).key_terms };
  }

  it('lose the words of the deleted memories', async () => {
    for (const each of ['Coffee every morning', 'Coffee before work', 'Coffee after lunch']) await habit(each);
    const ids: string[] = [];
    for (const dose of ['one', 'two', 'three', 'four']) ids.push(await habit(`Coffee with Lisinopril ${dose}`));
    await service.settled();
    expect((await pattern()).terms).to.include.members(['coffee', 'lisinopril']);

    for (const id of ids) await service.request('DELETE', `/memory/${id}`);
    await service.settled();

    const { content, terms } = await pattern();
    expect(terms).to.include('coffee').and.not.include('lisinopril');
    expect(content).to.not.include('lisinopril');
  });

  it('have no words when fewer than three memories are left', async () => {
    const { body } = await service.request('GET', '/recall?query=coffee&limit=50');
    const [, , ...others] = (body as { readonly results: readonly { readonly id: string }[] }).results;
    for (const { id } of others) await service.request('DELETE', `/memory/${id}`);
    await service.settled();

    expect(await pattern()).to.deep.equal({ content: 'Pattern across 2 Habit memories', terms: [] });
  });
});
