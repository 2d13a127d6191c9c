import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { foldersIn } from '../../../deploy/local/folders.js';
import {
  createProcessRecords,
  parsePs,
  parseRecord,
  parseStat,
  stateOf,
} from '../../../deploy/local/process-record.js';
import { createTempFolder, type TempFolder } from '../../support/temp-folder.js';
import { until } from '../../support/until.js';

describe('the record of a process', () => {
  let folder: TempFolder;
  before(async () => {
    folder = await createTempFolder();
  });
  after(() => folder.remove());

  it('finds a process that runs, is paused or is gone', async () => {
    const records = createProcessRecords(foldersIn(folder.path));
    const child = spawn('sleep', ['60'], { stdio: 'ignore' });
    const record = await records.write('sleeper', { pid: child.pid ?? 0, port: 7_000 });
    if (record === null) throw new Error('a process that has just been started is there');
    expect(await records.read('sleeper')).to.deep.equal(record);
    expect(await stateOf(record)).to.equal('running');
    expect(await stateOf({ ...record, birth: '1' }), 'another process with its number').to.equal('gone');
    child.kill('SIGSTOP');
    await until('it is paused', async () => (await stateOf(record)) === 'paused');
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
    expect(await stateOf(record)).to.equal('gone');
  });

  it('is not made for a process that is gone already', async () => {
    const child = spawn('true', { stdio: 'ignore' });
    await once(child, 'exit');
    expect(
      await createProcessRecords(foldersIn(folder.path)).write('gone', { pid: child.pid ?? 0, port: 7_000 }),
    ).to.equal(null);
  });

  it('is null where nothing was started', async () => {
    expect(await createProcessRecords(foldersIn(folder.path)).read('nobody')).to.equal(null);
  });

  it('is null for what is no record, so that nothing is signalled by mistake', () => {
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

describe('a line of /proc', () => {
  const rest = '1 4 4 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 1 0 987654 1000 200';

  it('says when a process was born, whatever it is called', () => {
    for (const name of ['postgres', 'a b', 'x) S 1 (y', 'z)'])
      expect(parseStat(`4711 (${name}) S ${rest}`), name).to.deep.equal({ birth: '987654', isPaused: false });
  });

  it('says that a process is paused', () => expect(parseStat(`4711 (java) T ${rest}`)?.isPaused).to.equal(true));

  it('takes a zombie for dead', () => expect(parseStat(`4711 (postgres) Z ${rest}`)).to.equal(null));

  it('is nothing when it is empty', () => expect(parseStat('')).to.equal(null));
});

describe('a line of ps', () => {
  it('says when a process was born and whether it is paused', () => {
    expect(parsePs('Ss   Sat Nov 21 13:02:11 2026\n')).to.deep.equal({
      birth: 'Sat Nov 21 13:02:11 2026',
      isPaused: false,
    });
    expect(parsePs('T+   Sat Nov 21 13:02:11 2026\n')?.isPaused).to.equal(true);
  });

  it('takes a zombie, and no line, for dead', () => {
    expect(parsePs('Z    Sat Nov 21 13:02:11 2026\n')).to.equal(null);
    expect(parsePs('')).to.equal(null);
  });
});
