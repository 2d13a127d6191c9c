/** Checks the workflows of GitHub: they parse, bound their jobs, pin their actions and run what the repository has. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { REPOSITORY } from '../support/checks/source-files.js';

type Step = { readonly uses?: string; readonly run?: string };
type Workflow = {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, { readonly 'timeout-minutes'?: number; readonly steps: readonly Step[] }>>;
};

const FOLDER = join(REPOSITORY, '.github/workflows');

for (const file of readdirSync(FOLDER)) {
  describe(`the workflow ${file}`, () => {
    const { permissions, jobs } = parse(readFileSync(join(FOLDER, file), 'utf8')) as Workflow;
    const steps = Object.values(jobs).flatMap((job) => job.steps);

    it('may only read by default, and bounds the time of each job', () => {
      expect(permissions).to.deep.equal({ contents: 'read' });
      for (const [name, job] of Object.entries(jobs)) expect(job['timeout-minutes'], name).to.be.within(1, 120);
    });

    it('pins actions to a major version', () => {
      for (const { uses } of steps)
        if (uses !== undefined) expect(uses).to.match(/^(?:actions|docker)\/[a-z-]+@v\d+$/u);
    });

    it('runs files and npm scripts that exist', () => {
      const commands = steps.map(({ run }) => run ?? '').join('\n');
      const paths = [...commands.matchAll(/(?:^|\s)(\.?[a-z]+\/[\w./-]+)/gmu)].map(([, path = '']) => path);
      expect(paths.filter((path) => !existsSync(join(REPOSITORY, path)))).to.deep.equal([]);
      const { scripts } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8')) as {
        readonly scripts: Readonly<Record<string, string>>;
      };
      const named = [...commands.matchAll(/npm (?:run )?(test|(?<=run )[a-z:-]+)/gu)].map(([, name = '']) => name);
      for (const name of named) expect(scripts).to.have.property(name);
    });
  });
}
