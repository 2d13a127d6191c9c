import { expect } from 'chai';
import { apiOf, ROUTES, routesOf } from '../../../deploy/gateway/routes.js';
import type { Operation } from '../../../shared/contract/operation.js';
import { OPERATIONS } from '../../../shared/contract/operations.js';

const ID = '00000000-0000-4000-8000-000000000001';

function operation(overrides: Partial<Operation>): Operation {
  return {
    method: 'GET',
    path: '/a',
    servedBy: 'query',
    access: 'api',
    summary: '',
    replies: {},
    ...overrides,
  };
}

describe('routing table', () => {
  const operations: readonly Operation[] = Object.values(OPERATIONS);

  it('sends every open operation to its API and closes all others', () => {
    for (const { method, path, servedBy, access } of operations) {
      const isOpen = access !== 'internal';
      const expected = path === '/livez' ? 'gateway' : servedBy === 'command' ? 'command' : 'query';
      expect(apiOf(method, path.replace(':id', ID)), `${method} ${path}`).to.equal(isOpen ? expected : null);
    }
  });

  it('sends HEAD to the API of GET', () => {
    for (const { path } of operations.filter(({ method }) => method === 'GET')) {
      expect(apiOf('HEAD', path.replace(':id', ID)), path).to.equal(apiOf('GET', path.replace(':id', ID)));
    }
  });

  it('sends an unsupported method to an API that has the path', () => {
    const routes = routesOf([
      operation({ method: 'POST', path: '/b', servedBy: 'command' }),
      operation({ path: '/c' }),
    ]);
    expect([apiOf('PUT', '/b', routes), apiOf('POST', '/c', routes), apiOf('OPTIONS', '/b', routes)]).to.deep.equal([
      'command',
      'query',
      'command',
    ]);
  });

  it('sends unknown paths to the query API', () => {
    for (const path of [
      '/',
      '',
      '*',
      '/memoryx',
      '/memory/',
      `/memory/${ID}/x`,
      '/recall/',
      '/openapi-json',
      '/.lanes/command',
    ])
      expect(apiOf('POST', path), path).to.equal('query');
  });

  it('closes operations with an unknown kind of access', () => {
    // A kind that the contract does not have yet.
    const unknownAccess = 'partners' as unknown as Operation['access'];
    const routes = routesOf([
      operation({ method: 'POST', path: '/open/:id', servedBy: 'command' }),
      operation({ method: 'POST', path: '/open/closed', servedBy: 'command', access: unknownAccess }),
      operation({ path: '/closed', access: unknownAccess }),
    ]);
    expect([
      apiOf('POST', '/open/closed', routes),
      apiOf('GET', '/closed', routes),
      apiOf('POST', '/open/1', routes),
    ]).to.deep.equal([null, null, 'command']);
  });

  it('uses the first operation that matches, as the APIs do', () => {
    expect([
      apiOf('GET', '/memory/by-tag'),
      apiOf('PATCH', '/memory/by-tag'),
      apiOf('GET', '/memory/batch'),
    ]).to.deep.equal(['query', 'command', 'query']);
  });

  it('has patterns that PCRE and JavaScript match in the same way', () => {
    for (const { pattern } of ROUTES)
      expect(pattern).to.match(/^\^[A-Z()|[\]^:+]+:(?:\/|(?:\/(?:[a-z-]+(?:\\\.json)?|\[\^\/\]\+|\.\+))+\/?)\$$/u);
  });
});
