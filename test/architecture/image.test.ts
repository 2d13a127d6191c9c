/** Checks the image, which opens no API to every caller unless its user says so, and the unit of systemd. */
import { existsSync, readFileSync } from 'node:fs';
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

  it('runs as a user that Kubernetes can check, and reports its health', () => {
    expect(dockerfile).to.match(/^USER 1000:1000$/mu);
    const [, command = '[]'] = /^HEALTHCHECK .*CMD (\[.*\])$/mu.exec(dockerfile) ?? [];
    expect((JSON.parse(command) as string[]).at(-1)).to.include('/readyz');
  });

  it('has the binary palimpsest of the package', () => {
    const { bin } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8')) as {
      bin: { palimpsest: string };
    };
    expect(dockerfile).to.include(
      `chmod +x ${bin.palimpsest} && ln -s /app/${bin.palimpsest} /usr/local/bin/palimpsest`,
    );
  });
});

describe('the unit of systemd', () => {
  const unit = readFileSync(join(REPOSITORY, 'deploy/systemd/palimpsest.service'), 'utf8');

  it('starts the entry file of the installed package', () => {
    const [, entry = ''] = /^ExecStart=\S+ .*\/node_modules\/palimpsest\/dist\/(\S+)\.js$/mu.exec(unit) ?? [];
    expect(existsSync(join(REPOSITORY, `${entry}.ts`)), entry).to.equal(true);
  });

  it('lets the service write to its own folder alone', () => {
    expect(unit)
      .to.match(/^ProtectSystem=strict$/mu)
      .and.to.match(/^DynamicUser=yes$/mu);
    const [, folder = ''] = /PALIMPSEST_DATA_DIR=(\S+)$/mu.exec(unit) ?? [];
    expect(folder).to.equal(`/var/lib/${/^StateDirectory=(\S+)$/mu.exec(unit)?.[1]}`);
  });
});
