/** The check in every service test: a response that the contract does not allow fails the request of the test. */
import { expect } from 'chai';
import { rejection } from '../../support/checks/rejection.js';
import { withReplyCheck } from '../../support/checks/reply-check.js';

describe('reply check', () => {
  const answering = (status: number, body: unknown) =>
    withReplyCheck({ request: async () => ({ status, headers: new Headers(), body }) });
  const problem = { status: 'error', code: 404, message: 'Memory not found', error: 'Memory not found' };

  it('accepts a reply of the contract', async () => {
    const body = { status: 'success', memory_id: 'x' };
    expect((await answering(200, body).request('DELETE', '/memory/x')).body).to.equal(body);
    expect((await answering(404, problem).request('DELETE', '/memory/x')).status).to.equal(404);
  });

  it('rejects an extra field, a missing field and a wrong type', async () => {
    for (const body of [
      { status: 'success', memory_id: 'x', extra: 1 },
      { status: 'success' },
      { status: 'success', memory_id: 1 },
    ]) {
      expect((await rejection(answering(200, body).request('DELETE', '/memory/x'))).message).to.contain('another body');
    }
  });

  it('distinguishes a fixed path from an id', async () => {
    const body = { status: 'success', tags: ['a'], deleted_count: 0 };
    expect((await answering(200, body).request('DELETE', '/memory/by-tag?tags=a')).status).to.equal(200);
  });

  it('rejects an undeclared status, and a problem in another shape', async () => {
    expect((await rejection(answering(500, problem).request('GET', '/recall'))).message).to.contain('500');
    expect((await rejection(answering(404, { error: 'gone' }).request('GET', '/memory/x'))).message).to.contain(
      'another body',
    );
  });
});
