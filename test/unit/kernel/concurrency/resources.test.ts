import { expect } from 'chai';
import { createResources } from '../../../../shared/kernel/concurrency/resources.js';

describe('resources', () => {
  it('close in reverse order, once', async () => {
    const closed: string[] = [];
    const resources = createResources();
    for (const name of ['first', 'second', 'third']) resources.add(name, (resource) => void closed.push(resource));
    await Promise.all([resources.close(), resources.close()]);
    expect(closed).to.deep.equal(['third', 'second', 'first']);
  });

  it('all close when some of them fail, and throw the failures together', async () => {
    const closed: string[] = [];
    const resources = createResources();
    resources.add('first', (resource) => void closed.push(resource));
    resources.add('second', () => Promise.reject(new Error('second')));
    resources.add('third', () => {
      throw new Error('third');
    });
    const failure = await resources.close().then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).to.be.instanceOf(AggregateError);
    expect((failure as AggregateError).errors.map((error: Error) => error.message)).to.deep.equal(['third', 'second']);
    expect(closed).to.deep.equal(['first']);
  });

  it('accept no new resource while they close', async () => {
    const resources = createResources();
    await resources.close();
    expect(() => resources.add('late', () => undefined)).to.throw('No resource can be added');
  });
});
