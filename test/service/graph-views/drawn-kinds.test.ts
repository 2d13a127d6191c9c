/** GET /graph/types and GET /graph/relations. */
import { expect } from 'chai';
import { type Service, startService } from '../../support/processes/service.js';

describe('the types of the graph', () => {
  let service: Service;
  before(async () => (service = await startService()));
  after(() => service.close());

  it('has the seven types of memories and a colour for any other', async () => {
    const { body } = await service.request('GET', '/graph/types');
    expect(body.types).to.have.members(['Decision', 'Pattern', 'Preference', 'Style', 'Habit', 'Insight', 'Context']);
    expect(body.colors).to.include({ Decision: '#3B82F6', Memory: '#94A3B8' });
  });

  it('has the thirteen public types of associations in alphabetical order', async () => {
    const { body } = await service.request('GET', '/graph/relations');
    expect(body.relations).to.have.length(13).and.not.include('DISCOVERED');
    expect(body.relations).to.deep.equal([...body.relations].sort());
    expect(Object.keys(body.colors)).to.deep.equal(body.relations);
  });
});
