import { expect } from 'chai';
import { createRebuildVectors } from '../../../../query-api/admin/rebuild-vectors.js';
import { ConfigurationError } from '../../../../shared/kernel/config/config.js';
import { ConflictError, ValidationError } from '../../../../shared/kernel/errors.js';
import type { EmbeddingTarget } from '../../../../shared/ports/vector-spaces.js';
import { type OpenJobs, openSqliteJobs } from '../../../support/adapters/jobs.js';
import { type OpenSpaces, openSqliteSpaces } from '../../../support/adapters/spaces.js';
import { createWordHashEmbedder } from '../../../support/adapters/word-hash-embedder.js';
import { rejection } from '../../../support/checks/rejection.js';

const CONTEXT = { signal: new AbortController().signal } as never; // the handlers do not use the context

describe('createRebuildVectors', () => {
  let opened: OpenJobs;
  let stored: OpenSpaces;
  let targets: (EmbeddingTarget | null)[];
  const handlers = () =>
    createRebuildVectors({
      jobs: opened.jobs,
      spaces: stored.spaces,
      configuredProvider: 'ollama',
      openTarget: async (target) => {
        targets.push(target);
        const size = target?.vectorSize ?? 16;
        if (size > 100) throw new ConfigurationError([`no vectors of ${size}`]);
        return createWordHashEmbedder(size);
      },
    });
  const rebuild = (body: object) => handlers().rebuildVectors({ params: {}, query: {}, body, context: CONTEXT });
  const rollback = () => handlers().rollbackVectors({ params: {}, query: {}, body: undefined, context: CONTEXT });

  beforeEach(async () => {
    targets = [];
    stored = await openSqliteSpaces();
    await stored.spaces.begin({ model: 'word-hash/16', dimension: 16, target: null });
    opened = await openSqliteJobs();
  });
  afterEach(async () => {
    await stored.close();
    await opened.close();
  });

  it('requests a job with the target and what its embedder makes', async () => {
    const { status, body } = await rebuild({ model: 'm', vector_size: 24 });
    expect(status).to.equal(202);
    expect(body).to.have.nested.property('job.kind', 'rebuild-vectors');
    expect((await opened.jobs.unfinished())?.request).to.deep.equal({
      target: { provider: 'ollama', model: 'm', vectorSize: 24 },
      model: 'word-hash/24',
      dimension: 24,
    });
  });

  it('takes the configured embedder for an empty body', async () => {
    await rebuild({});
    expect((await opened.jobs.unfinished())?.request).to.deep.equal({
      target: null,
      model: 'word-hash/16',
      dimension: 16,
    });
  });

  it('refuses a wrong size with the name of the field, without a job', async () => {
    const error = await rejection(rebuild({ provider: 'openai', vector_size: 200 }));
    expect(error).to.be.instanceOf(ValidationError);
    expect((error as ValidationError).field).to.equal('vector_size');
    expect(await opened.jobs.list({ limit: 1 })).to.deep.equal([]);
  });

  it('refuses another job before it asks an embedder', async () => {
    const other = await opened.jobs.create({ kind: 'reembed', request: {} });
    for (const request of [rebuild({}), rollback()]) {
      const error = await rejection(request);
      expect(error).to.be.instanceOf(ConflictError);
      expect(error.message).to.contain(other.id);
    }
    expect(targets).to.deep.equal([]);
  });

  it('refuses a rollback without a previous index, and starts it with one', async () => {
    expect(await rejection(rollback())).to.be.instanceOf(ConflictError);
    const { number } = await stored.spaces.build({ model: 'word-hash/24', dimension: 24, target: null, position: 0 });
    await stored.spaces.activate(number, 0);
    expect((await rollback()).status).to.equal(202);
    expect((await opened.jobs.unfinished())?.kind).to.equal('rollback-vectors');
  });
});
