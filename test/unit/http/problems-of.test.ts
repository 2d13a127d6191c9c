import { expect } from 'chai';
import { type OperationName, OPERATIONS } from '../../../shared/contract/operations.js';
import { problemsOf } from '../../../shared/http/openapi/describe-parameters.js';

/** One operation of each kind, with what a caller of it must be ready for. */
const EXPECTED: Readonly<Partial<Record<OperationName, readonly number[]>>> = {
  storeMemory: [400, 401, 403, 409, 413, 414, 422, 429, 503],
  getMemory: [400, 401, 403, 404, 414, 429, 503],
  updateMemory: [400, 401, 403, 404, 409, 412, 413, 414, 422, 429, 503],
  deleteMemory: [400, 401, 403, 404, 409, 412, 414, 422, 429, 503],
  listByTag: [400, 401, 403, 414, 429, 503],
  associate: [400, 401, 403, 404, 409, 413, 414, 422, 429, 503],
  reprocess: [400, 401, 403, 409, 413, 414, 422, 429, 503],
  recordAccess: [400, 401, 403, 413, 414, 503],
  syncIndex: [400, 401, 403, 409, 413, 414, 429, 503],
  rebuildGraph: [401, 403, 409, 414, 429, 503],
  listRelated: [400, 401, 403, 414, 429, 503],
  listGraphTypes: [401, 403, 414, 429, 503],
  streamStatus: [401, 403, 414, 429, 503],
  showConsole: [404, 414],
  health: [414],
  readyz: [414, 503],
};

describe('error statuses', () => {
  for (const [name, statuses] of Object.entries(EXPECTED)) {
    it(`of ${name} are ${statuses.join(', ')}`, () =>
      expect(problemsOf(OPERATIONS[name as OperationName])).to.deep.equal(statuses));
  }
});
