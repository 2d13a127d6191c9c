/** The check behind every service test: an answer that the contract does not allow fails the request that got it. */
import { expect } from 'chai';
import { rejection } from '../support/rejection.js';
import { checkingReplies } from '../support/reply-check.js';

describe('the check of replies', () => {
  const answering = (status: number, body: unknown) =>
    checkingReplies({ request: async () => ({ status, headers: new Headers(), body }) });
  const problem = { status: 'error', code: 404, message: 'Memory not found', error: 'Memory not found' };

  it('lets pass what the contract says', async () => {
    const body = { status: 'success', memory_id: 'x' };
    expect((await answering(200, body).request('DELETE', '/memory/x')).body).to.equal(body);
    expect((await answering(404, problem).request('DELETE', '/memory/x')).status).to.equal(404);
  });

  it('refuses a field too many, a field too few and another type', async () => {
    for (const body of [
      { status: 'success', memory_id: 'x', extra: 1 },
      { status: 'success' },
      { status: 'success', memory_id: 1 },
    ]) {
      expect((await rejection(answering(200, body).request('DELETE', '/memory/x'))).message).to.contain('another body');
    }
  });

  it('tells a path of its own from an id', async () => {
    const body = { status: 'success', tags: ['a'], deleted_count: 0 };
    expect((await answering(200, body).request('DELETE', '/memory/by-tag?tags=a')).status).to.equal(200);
  });

  it('refuses a status that the operation does not declare, and a problem in another shape', async () => {
    expect((await rejection(answering(500, problem).request('GET', '/recall'))).message).to.contain('500');
    expect((await rejection(answering(404, { error: 'gone' }).request('GET', '/memory/x'))).message).to.contain(
      'another body',
    );
  });
});
