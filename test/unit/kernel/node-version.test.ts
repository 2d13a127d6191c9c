import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { nodeProblem } from '../../../shared/kernel/node-version.js';
import { REPOSITORY } from '../../support/checks/source-files.js';

describe('nodeProblem', () => {
  const old = ['14.21.3', '18.20.8', '19.9.0', '20.18.3', '22.12.0'];
  for (const version of old)
    it(`rejects ${version}`, () => expect(nodeProblem(version)).to.contain(`Node ${version} is too old: install`));

  it('accepts the first version of each line in the engines of package.json', () => {
    const { engines } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8')) as {
      engines: { node: string };
    };
    const firsts = engines.node.match(/\d{1,3}\.\d{1,3}\.\d{1,3}/gu) ?? [];
    expect(firsts).to.have.lengthOf(4);
    expect(firsts.map(nodeProblem)).to.deep.equal([null, null, null, null]);
  });
});
