/** The house is still the house: who imports what, where the environment is read, and how files are called. */
import { expect } from 'chai';
import { readSourceFiles, type SourceFile } from '../support/source-files.js';
import { COMPOSERS, OPENERS, ROOMS, type Room } from './import-rules.js';

const FORBIDDEN_NAMES = [
  'utils',
  'util',
  'helpers',
  'helper',
  'common',
  'lib',
  'types',
  'services',
  'managers',
  'manager',
  'misc',
];

describe('the sources', () => {
  const sources = readSourceFiles();

  it('import only what their room may see', () => {
    expect(sources.flatMap(trespassesOf)).to.deep.equal([]);
  });

  it('import vendors only in the rooms that have their name on the door', () => {
    expect(sources.flatMap(strangersIn)).to.deep.equal([]);
  });

  it('import nothing that imports them in turn', () => {
    expect([findCycle(sources)]).to.deep.equal([null]);
  });

  it('read the environment in main.ts and in tests alone', () => {
    const readers = sources.filter(
      ({ path, text }) => /process\.env\b/u.test(text) && !path.endsWith('/main.ts') && !path.startsWith('test/'),
    );
    expect(
      readers.map(
        ({ path }) =>
          `${path} reads process.env: declare a variable in the config.ts of its room and take its value as a dependency`,
      ),
    ).to.deep.equal([]);
  });

  it('are called after what they hold', () => {
    const drawers = sources.filter(({ path }) =>
      path
        .replace(/(\.test)?\.ts$/u, '')
        .split(/[/-]/u)
        .some((word) => FORBIDDEN_NAMES.includes(word)),
    );
    expect(
      drawers.map(({ path }) => `${path} is called after no content: name it after its one main export`),
    ).to.deep.equal([]);
  });

  it('are all covered by the rules', () => {
    const folders = [...ROOMS, ...COMPOSERS].map(({ folder }) => folder);
    const homeless = sources.filter(({ path }) => !folders.some((folder) => path.startsWith(`${folder}/`)));
    expect(
      homeless.map(({ path }) => `${path} is in no room: say in import-rules.ts what its room may see`),
    ).to.deep.equal([]);
  });
});

describe('the import rules', () => {
  function source(path: string, files: readonly string[], packages: readonly string[] = []): SourceFile {
    return { path, folder: path.slice(0, path.lastIndexOf('/')), text: '', files, packages };
  }

  const trespasses: readonly (readonly [string, string])[] = [
    ['command-api/a.ts', 'query-api/b.ts'],
    ['query-api/a.ts', 'shared/graph/sqlite/b.ts'],
    ['projectors/a.ts', 'shared/sqlite/b.ts'],
    ['shared/contract/a.ts', 'shared/kernel/b.ts'],
    ['shared/graph/graph.ts', 'shared/sqlite/b.ts'],
    ['shared/graph/sqlite/a.ts', 'shared/journal/sqlite/b.ts'],
    ['shared/http/a.ts', 'command-api/b.ts'],
    ['shared/kernel/a.ts', 'test/b.ts'],
    ['command-api/main.ts', 'query-api/b.ts'],
    ['command-api/memories/open-graph.ts', 'shared/graph/neo4j/b.ts'],
  ];
  for (const [from, to] of trespasses) {
    it(`do not let ${from} see ${to}`, () => expect(trespassesOf(source(from, [to]))).to.have.lengthOf(1));
  }

  it('let those who open a process see adapters, and no vendor', () => {
    for (const path of ['command-api/main.ts', 'command-api/relay/open-relay.ts', 'projectors/process-config.ts']) {
      expect(
        trespassesOf(source(path, ['shared/journal/postgres/b.ts', 'shared/postgres/b.ts', 'shared/client/b.ts'])),
      ).to.deep.equal([]);
    }
    expect(strangersIn(source('command-api/main.ts', [], ['pg']))).to.have.lengthOf(1);
  });

  it('keep libsql in the SQLite host and Koa at the edge', () => {
    expect(strangersIn(source('shared/graph/sqlite/a.ts', [], ['libsql']))).to.have.lengthOf(1);
    expect(strangersIn(source('command-api/a.ts', [], ['koa']))).to.have.lengthOf(1);
    expect(strangersIn(source('shared/http/a.ts', [], ['koa']))).to.deep.equal([]);
  });

  it('see a cycle over several files', () => {
    const cycle = findCycle([
      source('a/1.ts', ['a/2.ts']),
      source('a/2.ts', ['a/3.ts', 'a/1.ts']),
      source('a/3.ts', []),
    ]);
    expect(cycle).to.equal('a/1.ts -> a/2.ts -> a/1.ts: move what both need into a file of its own');
  });
});

function roomOf(path: string): Room | undefined {
  return ROOMS.filter(({ folder }) => path.startsWith(`${folder}/`)).sort(
    (one, other) => other.folder.length - one.folder.length,
  )[0];
}

function trespassesOf({ path, files }: SourceFile): readonly string[] {
  const room = roomOf(path);
  if (room === undefined) return [];
  const opens = OPENERS.file.test(path);
  const isSeen = (file: string): boolean =>
    file.startsWith(`${room.folder}/`) ||
    room.sees.includes(file.slice(0, file.lastIndexOf('/'))) ||
    (opens && OPENERS.sees.test(file));
  return files.filter((file) => !isSeen(file)).map((file) => `${path} imports ${file}: ${room.advice}`);
}

function strangersIn({ path, packages }: SourceFile): readonly string[] {
  const room = roomOf(path) ?? COMPOSERS.find(({ folder }) => path.startsWith(`${folder}/`));
  const allowed = room?.packages ?? [];
  if (allowed === 'any') return [];
  return packages
    .filter((name) => !allowed.includes(name))
    .map((name) => `${path} imports ${name}: put it behind a port, or name it in import-rules.ts with this room`);
}

function findCycle(sources: readonly SourceFile[]): string | null {
  const imports = new Map(sources.map(({ path, files }) => [path, files]));
  const done = new Set<string>();
  const visit = (path: string, way: readonly string[]): string | null => {
    if (way.includes(path))
      return `${[...way.slice(way.indexOf(path)), path].join(' -> ')}: move what both need into a file of its own`;
    if (done.has(path)) return null;
    for (const next of imports.get(path) ?? []) {
      const cycle = visit(next, [...way, path]);
      if (cycle !== null) return cycle;
    }
    done.add(path);
    return null;
  };
  for (const { path } of sources) {
    const cycle = visit(path, []);
    if (cycle !== null) return cycle;
  }
  return null;
}
