/** Checks the sources: imports between layers, reads of the environment, and names of files. */
import { expect } from 'chai';
import { readSourceFiles, type SourceFile } from '../support/checks/source-files.js';
import { COMPOSERS, type Layer, LAYERS, OPENERS, RECALL_STAGES, ROOTS } from './import-rules.js';

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

  it('import only files that the rules of their layer allow', () => {
    expect(sources.flatMap(forbiddenImportsOf)).to.deep.equal([]);
  });

  it('import packages only in layers that may use them', () => {
    expect(sources.flatMap(forbiddenPackagesOf)).to.deep.equal([]);
  });

  it('import only earlier stages in query-api/recall, which has at most 15 nodes', () => {
    expect(sources.flatMap(forbiddenStageImportsOf)).to.deep.equal([]);
    expect(sources.flatMap(({ path }) => recallNodeOf(path) ?? [])).to.include.members([...RECALL_STAGES.order]);
    expect(RECALL_STAGES.order.length).to.be.at.most(RECALL_STAGES.maxNodes);
  });

  it('have no import cycles', () => {
    expect([findCycle(sources)]).to.deep.equal([null]);
  });

  it('read the environment only in main.ts and in tests', () => {
    // An assignment is for a native library, which reads nothing else.
    const readers = sources.filter(
      ({ path, text }) =>
        /process\.env\b(?!\['\w+'\] = )/u.test(text) && !path.endsWith('/main.ts') && !path.startsWith('test/'),
    );
    expect(
      readers.map(
        ({ path }) =>
          `${path} reads process.env: declare a variable in the config.ts of its layer and take its value as a dependency`,
      ),
    ).to.deep.equal([]);
  });

  it('check the version of Node first in each main.ts of a process or a command', () => {
    const mains = sources.filter(({ path }) => /^(?!test\/|deploy\/docs\/).*\/main\.ts$/u.test(path));
    const firstImport = (text: string) => text.split('\n').find((line) => line.startsWith('import ')) ?? '';
    const unchecked = mains.filter(({ text }) => !firstImport(text).endsWith("/shared/kernel/require-node.js';"));
    expect(unchecked.map(({ path }) => `${path}: import shared/kernel/require-node.js first`)).to.deep.equal([]);
  });

  it('have names that describe their content', () => {
    const unclear = sources.filter(({ path }) =>
      path
        .replace(/(?:\.test)?\.ts$/u, '')
        .split(/[/-]/u)
        .some((word) => FORBIDDEN_NAMES.includes(word)),
    );
    expect(
      unclear.map(({ path }) => `${path} has a name without meaning: name it after its main export`),
    ).to.deep.equal([]);
  });

  it('have each engine in one folder', () => {
    const folders = new Set(sources.map(({ folder }) => folder).filter((folder) => folder.startsWith('shared/')));
    for (const engine of ['postgres', 'sqlite', 'neo4j', 'qdrant', 'kafka']) {
      const named = [...folders].flatMap((folder) => new RegExp(`^.*/${engine}(?=/|$)`, 'u').exec(folder) ?? []);
      expect([...new Set(named)]).to.deep.equal([`shared/engines/${engine}`]);
    }
  });

  it(`have at most ${ROOTS.maxImports} imports in each file that composes a process`, () => {
    const roots = sources.filter(({ path }) => ROOTS.file.test(path));
    expect(roots.map(({ path }) => path)).to.include.members([
      'command-api/open-command-api.ts',
      'deploy/embedded/main.ts',
    ]);
    const long = roots.filter(({ text }) => (text.match(/^import /gmu) ?? []).length > ROOTS.maxImports);
    expect(long.map(({ path }) => `${path} has too many imports: open a part in a file of its own`)).to.deep.equal([]);
  });

  it('all belong to a layer of the import rules', () => {
    const folders = [...LAYERS, ...COMPOSERS].map(({ folder }) => folder);
    const uncovered = sources.filter(({ path }) => !folders.some((folder) => path.startsWith(`${folder}/`)));
    expect(uncovered.map(({ path }) => `${path} belongs to no layer: add its layer to import-rules.ts`)).to.deep.equal(
      [],
    );
  });
});

describe('import rules', () => {
  function source(path: string, files: readonly string[], packages: readonly string[] = []): SourceFile {
    return { path, folder: path.slice(0, path.lastIndexOf('/')), text: '', files, packages };
  }

  const forbidden: readonly (readonly [string, string])[] = [
    ['command-api/a.ts', 'query-api/b.ts'],
    ['query-api/a.ts', 'shared/engines/sqlite/graph/b.ts'],
    ['projectors/a.ts', 'shared/engines/sqlite/threads/b.ts'],
    ['shared/contract/a.ts', 'shared/kernel/b.ts'],
    ['shared/ports/graph.ts', 'shared/engines/sqlite/threads/b.ts'],
    ['shared/engines/sqlite/graph/a.ts', 'shared/engines/sqlite/journal/b.ts'],
    ['shared/http/a.ts', 'command-api/b.ts'],
    ['shared/kernel/a.ts', 'test/b.ts'],
    ['command-api/main.ts', 'query-api/b.ts'],
    ['command-api/memories/open-graph.ts', 'shared/engines/neo4j/b.ts'],
  ];
  for (const [from, to] of forbidden) {
    it(`reject ${to} in ${from}`, () => expect(forbiddenImportsOf(source(from, [to]))).to.have.lengthOf(1));
  }

  it('let process files import adapters, but no packages', () => {
    for (const path of ['command-api/main.ts', 'command-api/relay/open-relay.ts', 'projectors/process-config.ts']) {
      expect(
        forbiddenImportsOf(
          source(path, [
            'shared/engines/postgres/journal/b.ts',
            'shared/engines/postgres/connection/b.ts',
            'shared/client/b.ts',
          ]),
        ),
      ).to.deep.equal([]);
    }
    expect(forbiddenPackagesOf(source('command-api/main.ts', [], ['pg']))).to.have.lengthOf(1);
  });

  it('allow libsql only in the SQLite host and Koa only at the HTTP edge', () => {
    expect(forbiddenPackagesOf(source('shared/engines/sqlite/graph/a.ts', [], ['libsql']))).to.have.lengthOf(1);
    expect(forbiddenPackagesOf(source('command-api/a.ts', [], ['koa']))).to.have.lengthOf(1);
    expect(forbiddenPackagesOf(source('shared/http/a.ts', [], ['koa']))).to.deep.equal([]);
  });

  it('reject imports of later recall stages, and stages without an order', () => {
    const recall = (from: string, to: string): SourceFile =>
      source(`query-api/recall/${from}`, [`query-api/recall/${to}`]);
    for (const [from, to] of [
      ['plan/a.ts', 'retrieve/sources/b.ts'],
      ['score/signals/a.ts', 'select/b.ts'],
      ['candidate.ts', 'plan/b.ts'],
      ['present/a.ts', 'recall.ts'],
    ] as const)
      expect(forbiddenStageImportsOf(recall(from, to)), `${from} -> ${to}`).to.have.lengthOf(1);
    expect(forbiddenStageImportsOf(source('query-api/recall/extra/a.ts', []))).to.have.lengthOf(1);
    for (const [from, to] of [
      ['retrieve/sources/a.ts', 'plan/b.ts'],
      ['retrieve/sources/a.ts', 'retrieve/b.ts'],
      ['recall.ts', 'present/b.ts'],
    ] as const)
      expect(forbiddenStageImportsOf(recall(from, to)), `${from} -> ${to}`).to.deep.equal([]);
  });

  it('find an import cycle over several files', () => {
    const cycle = findCycle([
      source('a/1.ts', ['a/2.ts']),
      source('a/2.ts', ['a/3.ts', 'a/1.ts']),
      source('a/3.ts', []),
    ]);
    expect(cycle).to.equal('a/1.ts -> a/2.ts -> a/1.ts: move the shared code to a third file');
  });
});

function layerOf(path: string): Layer | undefined {
  return LAYERS.filter(({ folder }) => path.startsWith(`${folder}/`)).sort(
    (one, other) => other.folder.length - one.folder.length,
  )[0];
}

function forbiddenImportsOf({ path, files }: SourceFile): readonly string[] {
  const layer = layerOf(path);
  if (layer === undefined) return [];
  const opens = OPENERS.file.test(path);
  const isSeen = (file: string): boolean =>
    file.startsWith(`${layer.folder}/`) ||
    layer.sees.includes(file.slice(0, file.lastIndexOf('/'))) ||
    (opens && OPENERS.sees.test(file));
  return files.filter((file) => !isSeen(file)).map((file) => `${path} imports ${file}: ${layer.advice}`);
}

/** The folder or file directly in the recall folder to which a path belongs; null for other paths. */
function recallNodeOf(path: string): string | null {
  const prefix = `${RECALL_STAGES.folder}/`;
  return path.startsWith(prefix) ? (path.slice(prefix.length).split('/')[0] ?? null) : null;
}

function forbiddenStageImportsOf({ path, files }: SourceFile): readonly string[] {
  const placeOf = (file: string): number | null => {
    const node = recallNodeOf(file);
    return node === null ? null : RECALL_STAGES.order.findIndex((stage) => stage === node);
  };
  const place = placeOf(path);
  if (place === null) return [];
  if (place < 0) return [`${path} belongs to no recall stage: move it, or add its folder to RECALL_STAGES`];
  return files
    .filter((file) => (placeOf(file) ?? place) > place)
    .map(
      (file) => `${path} imports ${file} of a later stage: move the shared code to the earliest stage that needs it`,
    );
}

function forbiddenPackagesOf({ path, packages }: SourceFile): readonly string[] {
  const layer = layerOf(path) ?? COMPOSERS.find(({ folder }) => path.startsWith(`${folder}/`));
  const allowed = layer?.packages ?? [];
  if (allowed === 'any') return [];
  return packages
    .filter((name) => !allowed.includes(name))
    .map((name) => `${path} imports ${name}: use it behind a port, or add it to this layer in import-rules.ts`);
}

function findCycle(sources: readonly SourceFile[]): string | null {
  const imports = new Map(sources.map(({ path, files }) => [path, files]));
  const done = new Set<string>();
  const visit = (path: string, way: readonly string[]): string | null => {
    if (way.includes(path))
      return `${[...way.slice(way.indexOf(path)), path].join(' -> ')}: move the shared code to a third file`;
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
