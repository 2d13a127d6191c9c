import { expect } from 'chai';
import { choosePrograms } from '../../../deploy/local/choose-programs.js';
import { demandTools, isPythonRecent, javaVersion } from '../../../deploy/local/find-tools.js';
import { argumentFile } from '../../../deploy/local/install-jars.js';
import type { Program } from '../../../deploy/local/program.js';
import { platformOf } from '../../../deploy/local/servers/unpack-postgres.js';
import { rejection } from '../../support/rejection.js';

describe('what a launch needs of the machine', () => {
  it('is told in one line when it is missing', async () => {
    const error = await rejection(demandTools(['java', 'python3'], '/nowhere'));
    expect(error).to.have.property(
      'message',
      'Not found on this machine: Java 17 or later (java), Python 3.10 or later (python3). Install them, and see that PATH leads there',
    );
  });

  it('is a recent Java', () => {
    expect(javaVersion('openjdk version "17.0.15" 2025-04-15')).to.equal(17);
    expect(javaVersion('java version "1.8.0_292"')).to.equal(8);
    expect(javaVersion('openjdk version "25" 2025-09-16')).to.equal(25);
    expect(javaVersion('')).to.equal(0);
  });

  it('is a recent Python', () => {
    expect(['Python 3.11.7', 'Python 3.10.0', 'Python 4.0.1'].map(isPythonRecent)).to.deep.equal([true, true, true]);
    expect(['Python 3.9.2', 'Python 2.7.18', ''].map(isPythonRecent)).to.deep.equal([false, false, false]);
  });

  it('is a platform that Postgres was built for', () => {
    expect(platformOf('linux', 'x64')).to.equal('linux-amd64');
    expect(platformOf('darwin', 'arm64')).to.equal('darwin-arm64v8');
    expect(() => platformOf('aix', 'ppc64')).to.throw('There are no Postgres binaries for aix on ppc64');
  });
});

describe('an argument file for Java', () => {
  it('quotes the class path, so that blanks and backslashes in it are kept', () => {
    expect(argumentFile(['/a b/x.jar', '/c\\d/"y".jar'])).to.equal('-cp "/a b/x.jar:/c\\\\d/\\"y\\".jar"\n');
  });
});

describe('the names on a command line', () => {
  const programs = (['neo4j', 'kafka'] as const)
    .map((name) => program(name, 'server'))
    .concat(program('relay', 'process'), program('gateway', 'gateway'));
  const chosen = (...names: readonly string[]): readonly string[] =>
    choosePrograms(programs, names).map(({ name }) => name);

  it('mean programs, or groups of them, each once and in order', () => {
    expect(chosen('kafka', 'neo4j')).to.deep.equal(['neo4j', 'kafka']);
    expect(chosen('servers', 'kafka')).to.deep.equal(['neo4j', 'kafka']);
    expect(chosen('service')).to.deep.equal(['relay', 'gateway']);
  });

  it('are told when one of them is none', () => {
    expect(() => chosen('mysql')).to.throw(
      'There is no "mysql" here; there are neo4j, kafka, relay, gateway, servers, service',
    );
  });

  /** Only its name and kind are looked at. */
  function program(name: string, kind: Program['kind']): Program {
    return {
      name,
      kind,
      port: 1,
      portVariable: 'X',
      stopSignal: 'SIGTERM',
      dataFolders: [],
      tools: [],
      install: () => Promise.resolve(),
      launch: () => Promise.resolve({ file: 'true', arguments: [] }),
      isHealthy: () => Promise.resolve(true),
    };
  }
});
