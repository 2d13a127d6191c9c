/** The command line `palimpsest` without a service: help, wrong arguments, completion, and the binary itself. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { COMMANDS } from '../../../deploy/commands/command-list.js';
import { CommandError, readBounded } from '../../../deploy/commands/host.js';
import { programVersion } from '../../../shared/kernel/program-version.js';
import { rejection } from '../../support/checks/rejection.js';
import { readSourceFiles, REPOSITORY } from '../../support/checks/source-files.js';
import { createTempFolder, type TempFolder } from '../../support/fixtures/temp-folder.js';
import { startChild } from '../../support/processes/child-process.js';
import { runPalimpsest } from '../../support/processes/run-palimpsest.js';

describe('the command line', () => {
  let folder: TempFolder;
  before(async () => void (folder = await createTempFolder()));
  after(() => folder.remove());

  it('lists its commands and prints its version', async () => {
    const { code, out } = await runPalimpsest(['--help']);
    expect(code).to.equal(0);
    for (const { name, summary } of COMMANDS)
      expect(out)
        .to.match(new RegExp(`^ {2}${name}\\b.* ${summary}$`, 'mu'))
        .and.match(/^Examples:\n {2}\$ palimpsest /mu);
    expect(await runPalimpsest(['--version'])).to.deep.equal({ code: 0, out: programVersion(), err: '' });
  });

  for (const { name } of COMMANDS)
    it(`has help with examples for ${name}`, async () => {
      const { code, out } = await runPalimpsest([name, '--help']);
      expect(code).to.equal(0);
      expect(out).to.match(new RegExp(`^Usage: palimpsest ${name}\\b`, 'u'));
      expect(out).to.match(new RegExp(`^Examples:\\n {2}\\$ palimpsest ${name}\\b`, 'mu'));
    });

  const FAILURES = [
    [[], 2, /^Usage: palimpsest \[options\] \[command\]/u],
    [['recal'], 2, /^error: unknown command 'recal'\n\(Did you mean recall\?\)/u],
    [['serve', 'now'], 2, /too many arguments for 'serve'/u],
    [['serve', '--prot', '1'], 2, /unknown option '--prot'/u],
    [['mcp', '--htp'], 2, /unknown option '--htp'\n\(Did you mean --http\?\)/u],
    [['mcp', 'now'], 2, /too many arguments for 'mcp'/u],
    [['import'], 2, /missing required argument 'file'/u],
    [['import', 'absent.jsonl'], 1, /^The file cannot be read: ENOENT/u],
    [['import', 'file', '--batch-size', '501'], 2, /It must be a whole number, 1 to 500\./u],
    [['import', 'file', '--concurrency', 'many'], 2, /It must be a whole number, 1 to 16\./u],
    [['import', 'file', '--embed-agian'], 2, /\(Did you mean --embed-again\?\)/u],
    [['backup'], 2, /missing required argument 'file'/u],
    [['backup', 'file'], 1, /^An admin token is needed: set ADMIN_API_TOKEN, or use --admin-token\.$/u],
    [['backup', 'file', '--url', 'memory', '--admin-token', 'x'], 1, /^memory is not the address of a service/u],
    [['backup', 'file', '--histroy'], 2, /\(Did you mean --history\?\)/u],
    [['backup', 'file', 'file'], 2, /too many arguments for 'backup'/u],
    [['restore'], 2, /missing required argument 'file'/u],
    [['restore', 'absent.tar.gz'], 1, /absent\.tar\.gz/u],
    [['restore', 'file', '--deletions'], 2, /option '--deletions <list>' argument missing/u],
    [['restore', 'file', '--distribute'], 2, /\(Did you mean --distributed\?\)/u],
    [['restore', 'file', 'file'], 2, /too many arguments for 'restore'/u],
    [['verify'], 2, /has no palimpsest\.db: set PALIMPSEST_DATA_DIR/u],
    [['verify', '--wait', 'long'], 2, /It must be a number, 0 to 3600\./u],
    [['verify', '--wait', '-1'], 2, /It must be a number, 0 to 3600\./u],
    [['verify', 'graph'], 2, /too many arguments for 'verify'/u],
    [['verify', '--jsn'], 2, /\(Did you mean --json\?\)/u],
    [['rebuild'], 2, /missing required argument 'projection'/u],
    [
      ['rebuild', 'vectors'],
      2,
      /value 'vectors' is invalid for argument 'projection'\. Allowed choices are graph, history\./u,
    ],
    [['rebuild', 'graph'], 1, /has no palimpsest\.db: set PALIMPSEST_DATA_DIR/u],
    [['rebuild', 'graph', 'vectors'], 2, /too many arguments for 'rebuild'/u],
    [['rebuild', 'graph', '--distribute'], 2, /\(Did you mean --distributed\?\)/u],
    [['rebuild', 'graph', '--accept-loss'], 2, /'--accept-loss' is for the projection 'history'/u],
    [['rebuild', 'history'], 1, /has no palimpsest\.db: set PALIMPSEST_DATA_DIR/u],
    [['deletions'], 2, /missing required argument 'file'/u],
    [['deletions', 'list'], 1, /has no palimpsest\.db: set PALIMPSEST_DATA_DIR/u],
    [['deletions', 'list', '--since', '1.5'], 2, /It must be a whole number, 0 or more\./u],
    [['deletions', 'list', '--since', '1', '--after', 'a'], 2, /cannot be used with option/u],
    [['deletions', 'list', '--befor', 'a'], 2, /unknown option '--befor'/u],
    [['migrate'], 1, /^The configuration cannot be used:.*POSTGRES_URL/su],
    [['migrate', 'postgres'], 2, /too many arguments for 'migrate'/u],
    [['migrate', '--distributed'], 2, /unknown option '--distributed'/u],
    [['completion'], 2, /missing required argument 'shell'/u],
    [['completion', 'tcsh'], 2, /Allowed choices are bash, zsh, fish\./u],
    [['doctor', 'now'], 2, /too many arguments for 'doctor'/u],
    [['doctor', '--distribute'], 2, /\(Did you mean --distributed\?\)/u],
  ] as const;
  for (const [line, code, text] of FAILURES)
    it(`\`palimpsest ${line.join(' ')}\` ends with ${code} and says why`, async () => {
      const ran = await runPalimpsest(line, { variables: { PALIMPSEST_DATA_DIR: folder.path, POSTGRES_URL: '' } });
      expect([ran.code, ran.out], ran.err).to.deep.equal([code, '']);
      expect(ran.err)
        .to.match(text)
        .and.not.match(/^ {4}at /mu);
    });

  it('reads a bounded standard input', async () => {
    const piece = Buffer.alloc(1024 * 1024, 'x');
    expect(await readBounded(Readable.from([piece, Buffer.from('end')]))).to.have.length(piece.length + 3);
    const endless = Readable.from(
      (function* () {
        for (;;) yield piece;
      })(),
    );
    expect(await rejection(readBounded(endless)))
      .to.be.instanceOf(CommandError)
      .with.property('message', 'The standard input has more than 6291456 bytes: give less');
  });

  it('loads no engine for the commands that call a service', () => {
    const sources = new Map(readSourceFiles().map((source) => [source.path, source]));
    const loaded = new Set(['deploy/commands/program.ts']);
    for (const path of loaded) {
      const isList = path === 'deploy/commands/command-list.ts';
      for (const file of isList ? [] : (sources.get(path)?.files ?? [])) loaded.add(file);
      if (isList)
        for (const file of sources.keys()) if (/^deploy\/commands\/(?:keys|memories)\//u.test(file)) loaded.add(file);
    }
    for (const file of ['deploy/commands/memories/recall.ts', 'deploy/commands/keys/command.ts'])
      expect(loaded).to.include(file).and.include('shared/client/http-client.ts');
    expect([...loaded].filter((path) => path.startsWith('shared/engines/'))).to.deep.equal([]);
  });

  it('is the binary palimpsest, which serves, stores and refuses', async () => {
    const { bin } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8')) as {
      bin: Record<string, string>;
    };
    expect(bin['palimpsest']).to.equal('dist/deploy/commands/main.js');
    expect(readFileSync(join(REPOSITORY, 'dist/deploy/commands/main.js'), 'utf8')).to.match(
      /^#!\/usr\/bin\/env node\n/u,
    );
    const start = (line: readonly string[], variables = {}) =>
      startChild({ main: 'deploy/commands/main.js', arguments: line, folder: folder.path, variables });
    const data = join(folder.path, 'data');
    const service = start(['serve'], { PORT: '0', LOG_LEVEL: 'warn', PALIMPSEST_DATA_DIR: data });
    const [, port] = await service.prints(/http:\/\/[^\s:]+:(\d+)/u);
    const stored = start(['store', 'From the binary'], { PALIMPSEST_URL: `http://127.0.0.1:${port}` });
    expect(await stored.ended, stored.output()).to.equal(0);
    expect(JSON.parse(stored.output())).to.include({ status: 'success' });
    expect(await service.stop('SIGTERM')).to.equal(0);
    const refused = start(['store', '-']);
    expect([await refused.ended, refused.output()]).to.deep.equal([
      1,
      'The content is empty: give the words to remember, or - and the words on standard input\n',
    ]);
  });
});
