/** Checks the image: it starts no API that is open to every caller unless its user says so. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { edgeConfig } from '../../shared/http/edge-variables.js';
import { REPOSITORY } from '../support/checks/source-files.js';

describe('the image', () => {
  const dockerfile = readFileSync(join(REPOSITORY, 'Dockerfile'), 'utf8');
  const environment = Object.fromEntries(
    [...dockerfile.matchAll(/^ENV (.*)$/gmu)].flatMap(([, line = '']) =>
      line.split(' ').map((pair) => pair.split('=') as [string, string]),
    ),
  );

  it('demands a token or ALLOW_ANONYMOUS', () => {
    expect(() => edgeConfig(environment, 1)).to.throw('set SERVICE_API_TOKEN, or ALLOW_ANONYMOUS=true');
  });

  it('listens on every address with either', () => {
    for (const opened of [{ SERVICE_API_TOKEN: 'secret' }, { ALLOW_ANONYMOUS: 'true' }])
      expect(edgeConfig({ ...environment, ...opened }, 1)).to.include({ host: undefined, isLoopbackOnly: false });
  });
});
