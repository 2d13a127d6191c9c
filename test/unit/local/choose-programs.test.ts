import { expect } from 'chai';
import { choosePrograms } from '../../../deploy/local/command-line.js';
import type { Program } from '../../../deploy/local/programs/program.js';

describe('choosePrograms', () => {
  const programs = (['neo4j', 'kafka'] as const)
    .map((name) => program(name, 'server'))
    .concat(program('relay', 'process'), program('gateway', 'gateway'));
  const chosen = (...names: readonly string[]): readonly string[] =>
    choosePrograms(programs, names).map(({ name }) => name);

  it('finds programs by name or by group, each once and in order', () => {
    expect(chosen('kafka', 'neo4j')).to.deep.equal(['neo4j', 'kafka']);
    expect(chosen('servers', 'kafka')).to.deep.equal(['neo4j', 'kafka']);
    expect(chosen('service')).to.deep.equal(['relay', 'gateway']);
  });

  it('rejects an unknown name with a list of the known ones', () => {
    expect(() => chosen('mysql')).to.throw(
      'Unknown program "mysql": use neo4j, kafka, relay, gateway, servers, service',
    );
  });

  /** Only the name and the kind matter here. */
  function program(name: string, kind: Program['kind']): Program {
    return {
      name,
      kind,
      port: 1,
      stopSignal: 'SIGTERM',
      dataFolders: [],
      tools: [],
      install: () => Promise.resolve(),
      launch: () => Promise.resolve({ file: 'true', arguments: [] }),
      isHealthy: () => Promise.resolve(true),
    };
  }
});
