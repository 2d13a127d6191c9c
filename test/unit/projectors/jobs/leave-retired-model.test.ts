import { expect } from 'chai';
import { leaveRetiredModel } from '../../../../projectors/jobs/index-rebuilder/leave-retired-model.js';
import { silentLogger } from '../../../../shared/kernel/logger.js';
import { type OpenJobs, openSqliteJobs } from '../../../support/adapters/jobs.js';
import { type OpenSpaces, openSqliteSpaces } from '../../../support/adapters/spaces.js';
import { createWordHashEmbedder } from '../../../support/adapters/word-hash-embedder.js';
import { until } from '../../../support/checks/until.js';

const RETIRED = 'bundled/use-lite-en/512/w1';

describe('leaveRetiredModel', () => {
  let opened: OpenJobs;
  let stored: OpenSpaces;
  let asked: number;
  beforeEach(async () => {
    asked = 0;
    stored = await openSqliteSpaces();
    opened = await openSqliteJobs();
  });
  afterEach(async () => {
    await stored.close();
    await opened.close();
  });

  function start() {
    return leaveRetiredModel({
      spaces: {
        active: async () => {
          asked += 1;
          return stored.spaces.active();
        },
      },
      jobs: opened.jobs,
      openEmbedder: async () => createWordHashEmbedder(16),
      logger: silentLogger,
    });
  }

  it('requests one rebuild with the model of this release', async () => {
    await stored.spaces.begin({ model: RETIRED, dimension: 512, target: null });
    const [one, other] = [start(), start()];
    const job = await until('the job is there', async () => opened.jobs.unfinished());
    await one.close();
    await other.close();
    expect(job).to.deep.include({ kind: 'rebuild-vectors' });
    expect(job.request).to.deep.equal({ target: null, model: 'word-hash/16', dimension: 16 });
    expect(await opened.jobs.list({ limit: 10 })).to.have.length(1);
  });

  it('leaves an index of another model alone', async () => {
    await stored.spaces.begin({ model: 'openai/first/16', dimension: 16, target: null });
    const started = start();
    await until('the space was read', async () => asked > 0);
    await started.close();
    expect(await opened.jobs.unfinished()).to.equal(null);
  });
});
