import { expect } from 'chai';
import { type Layer, type Relation, strataOf } from '../../../deploy/console/app/views/strata.js';

const at = '2026-04-04';
const to = (id: string, type = 'INVALIDATED_BY'): Relation => ({
  type,
  direction: 'outgoing',
  created_at: at,
  memory: { id },
});
const from = (id: string, type = 'INVALIDATED_BY'): Relation => ({
  type,
  direction: 'incoming',
  created_at: at,
  memory: { id },
});
const layer = (id: string, day: number, ...relations: Relation[]): Layer => ({
  id,
  timestamp: `2026-01-0${day}`,
  relations,
});
const order = (layers: readonly Layer[]): string =>
  strataOf(layers)
    .map(({ id }) => id)
    .join(' ');

describe('strata of replaced memories', () => {
  it('have the newest on top, whatever their own timestamps', () => {
    const chain = [layer('old', 9, to('middle')), layer('middle', 5, from('old'), to('new')), layer('new', 1)];
    expect(order(chain)).to.equal('new middle old');
  });

  it('name by what each memory is replaced, each association once', () => {
    const [newest, oldest] = strataOf([
      layer('old', 1, to('new', 'EVOLVED_INTO')),
      layer('new', 2, from('old', 'EVOLVED_INTO')),
    ]);
    expect(newest?.replacedBy).to.deep.equal([]);
    expect(oldest?.replacedBy).to.deep.equal([{ older: 'old', newer: 'new', type: 'EVOLVED_INTO', at }]);
  });

  it('put a memory above all that it replaces, over the longest way', () => {
    expect(order([layer('a', 3, to('c'), to('b')), layer('b', 2, to('c')), layer('c', 1)])).to.equal('c b a');
    expect(order([layer('a', 1, to('c')), layer('b', 2, to('c')), layer('c', 3)])).to.equal('c b a');
  });

  it('follow time in a circle', () => {
    expect(order([layer('a', 1, to('b')), layer('b', 2, to('a'))])).to.equal('b a');
  });

  it('leave out other associations and unread memories', () => {
    const [only] = strataOf([layer('a', 1, to('unread'), to('b', 'LEADS_TO'))]);
    expect(only?.replacedBy).to.deep.equal([]);
  });
});
