import { expect } from 'chai';
import type { Statement } from '../../../../shared/engines/neo4j/neo4j.js';
import { createMarkMover } from '../../../../shared/engines/neo4j/neo4j-graph-mark.js';
import type { MarkNode } from '../../../../shared/ports/graph-mark.js';
import { rejection } from '../../../support/checks/rejection.js';

describe('mover of the mark', () => {
  const nameIn = ({ given }: Statement): unknown => given['name'];

  /** A transaction that ends when the test says so. */
  function startTransaction(mover: ReturnType<typeof createMarkMover>, position: number) {
    let end: { readonly commit: () => void; readonly fail: (error: Error) => void } | null = null;
    let node: unknown;
    const ended = mover.advance({ position, id: `event ${position}` }, (statement) => {
      node = nameIn(statement);
      return new Promise<void>((resolve, fail) => {
        const commit = (): void => {
          statement.check?.([{ isForeign: false, moves: true, before: 0, isPutBack: false, changes: 1 }]);
          resolve();
        };
        end = { commit, fail };
      });
    });
    if (end === null) throw new Error('The transaction begins at once');
    return { node, ended, ...(end as { commit: () => void; fail: (error: Error) => void }) };
  }

  it('gives each running transaction a node of its own', async () => {
    const mover = createMarkMover(63);
    const [first, second] = [startTransaction(mover, 1), startTransaction(mover, 2)];
    expect([first.node, second.node]).to.deep.equal(['applied-63', 'applied-0']);
    first.commit();
    await first.ended;
    const third = startTransaction(mover, 3);
    expect(third.node, 'while the second one runs').to.equal('applied-63');
    third.fail(new Error('rolled back'));
    await rejection(third.ended);
    expect(startTransaction(mover, 4).node, 'after a failure').to.equal('applied-63');
  });

  it('finds a graph that lacks a transaction of any of its nodes', async () => {
    const mover = createMarkMover(0);
    const started = [startTransaction(mover, 1), startTransaction(mover, 2)];
    for (const { commit } of started) commit();
    await Promise.all(started.map(({ ended }) => ended));
    const node = (position: number, changes: number): MarkNode => ({ position, eventId: 'any', changes });
    const mark = (second: MarkNode) => ({
      ...{ journalId: 'j', replayId: null, position: 2, eventId: 'any' },
      nodes: new Map([
        ['applied-0', node(1, 1)],
        ['applied-1', second],
      ]),
    });
    expect(mover.compare()(mark(node(2, 1)))).to.equal(null);
    expect(mover.compare()(mark(node(0, 0)))).to.equal(0);
  });
});
