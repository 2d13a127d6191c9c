import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { foldersIn } from '../../../../deploy/local/folders.js';
import {
  createProcessRecords,
  parsePs,
  parseRecord,
  parseStat,
  stateOf,
} from '../../../../deploy/local/programs/process-record.js';
import { until } from '../../../support/checks/until.js';
import { createTempFolder, type TempFolder } from '../../../support/fixtures/temp-folder.js';

describe('process records', () => {
  let folder: TempFolder;
  before(async () => {
    folder = await createTempFolder();
  });
  after(() => folder.remove());

  it('report a process as running, paused or gone', async () => {
    const records = createProcessRecords(foldersIn(folder.path));
    const child = spawn('sleep', ['60'], { stdio: 'ignore' });
    const record = await records.write('sleeper', { pid: child.pid ?? 0, port: 7_000 });
    if (record === null) throw new Error('no record of a process that was just started');
    expect(await records.read('sleeper')).to.deep.equal(record);
    expect(await stateOf(record)).to.equal('running');
    expect(await stateOf({ ...record, birth: '1' }), 'another process with its number').to.equal('gone');
    child.kill('SIGSTOP');
    await until('the process is paused', async () => (await stateOf(record)) === 'paused');
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
    expect(await stateOf(record)).to.equal('gone');
  });

  it('are not written for a process that has already ended', async () => {
    const child = spawn('true', { stdio: 'ignore' });
    await once(child, 'exit');
    expect(
      await createProcessRecords(foldersIn(folder.path)).write('gone', { pid: child.pid ?? 0, port: 7_000 }),
    ).to.equal(null);
  });

  it('return null for a program that was never started', async () => {
    expect(await createProcessRecords(foldersIn(folder.path)).read('unknown')).to.equal(null);
  });

  it('parse an invalid text as null, so that no wrong process is signalled', () => {
    for (const text of [
      '',
      '12',
      'null',
      '{}',
      '{"pid":1,"birth":"5","port":80}',
      '{"pid":-3,"birth":"5","port":80}',
      '{"pid":"9","birth":"5","port":80}',
      '{"pid":9,"port":80}',
      '{"pid":9,"birth":',
    ]) {
      expect(parseRecord(text), text).to.equal(null);
    }
    expect(parseRecord('{"pid":9,"birth":"5","port":80}')).to.deep.equal({ pid: 9, birth: '5', port: 80 });
  });
});

describe('parseStat', () => {
  const rest = '1 4 4 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 1 0 987654 1000 200';

  it('reads the start time of a process with any name', () => {
    for (const name of ['postgres', 'a b', 'x) S 1 (y', 'z)'])
      expect(parseStat(`4711 (${name}) S ${rest}`), name).to.deep.equal({ birth: '987654', isPaused: false });
  });

  it('recognizes a paused process', () => expect(parseStat(`4711 (java) T ${rest}`)?.isPaused).to.equal(true));

  it('returns null for a zombie', () => expect(parseStat(`4711 (postgres) Z ${rest}`)).to.equal(null));

  it('returns null for an empty line', () => expect(parseStat('')).to.equal(null));
});

describe('parsePs', () => {
  it('reads the start time of a process and recognizes a paused one', () => {
    expect(parsePs('Ss   Sat Nov 21 13:02:11 2026\n')).to.deep.equal({
      birth: 'Sat Nov 21 13:02:11 2026',
      isPaused: false,
    });
    expect(parsePs('T+   Sat Nov 21 13:02:11 2026\n')?.isPaused).to.equal(true);
  });

  it('returns null for a zombie and for an empty line', () => {
    expect(parsePs('Z    Sat Nov 21 13:02:11 2026\n')).to.equal(null);
    expect(parsePs('')).to.equal(null);
  });
});
