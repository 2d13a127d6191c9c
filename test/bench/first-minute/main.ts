/**
 * `npm run bench:first-minute -- [embedded|distributed] [starts] [busy starts]`: starts the service that often in an empty folder and pastes
 * the commands of the README without a pause, the last starts next to busy loops. Counts the starts that answer as the README promises.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pasteFirstMinute } from '../../support/checks/first-minute.js';
import { createTempFolder } from '../../support/fixtures/temp-folder.js';
import { type Child, startChild } from '../../support/processes/child-process.js';

const [composition = 'embedded', starts = '20', busyStarts = '10'] = process.argv.slice(2);

const VARIABLES = { LOG_LEVEL: 'warn', EMBEDDING_PROVIDER: 'bundled' };
const LOCAL = {
  ...VARIABLES,
  HOME: process.env['HOME'] ?? '',
  LOCAL_DIR: process.env['LOCAL_DIR'] || join(tmpdir(), 'palimpsest-first-minute'),
  LOCAL_PORT_OFFSET: process.env['LOCAL_PORT_OFFSET'] || '25000',
};

function local(folder: string, command: string): Child {
  return startChild({ main: 'deploy/local/main.js', arguments: [command], folder, variables: LOCAL });
}

async function start(folder: string): Promise<Child> {
  if (composition === 'distributed') {
    await local(folder, 'reset').ended;
    return local(folder, 'foreground');
  }
  const variables = { ...VARIABLES, PORT: '0', PALIMPSEST_DATA_DIR: folder };
  return startChild({ main: 'deploy/embedded/main.js', folder, variables });
}

/** Returns the problem, or null. */
async function tryOnce(): Promise<string | null> {
  const folder = await createTempFolder();
  const service = await start(folder.path);
  try {
    const [, url = ''] = await service.prints(/Palimpsest.* listens on (http:\S+:\d+)/u);
    await pasteFirstMinute(url, folder.path);
    return null;
  } catch (error) {
    return String(error);
  } finally {
    await service.stop('SIGTERM');
    if (composition === 'distributed') await local(folder.path, 'reset').ended;
    await folder.remove();
  }
}

const BUSY_LOOPS = 2 * availableParallelism();
let answered = 0;
for (let round = 1; round <= Number(starts); round += 1) {
  const isBusy = round > Number(starts) - Number(busyStarts);
  const loops: readonly ChildProcess[] = isBusy
    ? Array.from({ length: BUSY_LOOPS }, () => spawn(process.execPath, ['-e', 'for (;;);']))
    : [];
  const problem = await tryOnce();
  for (const loop of loops) {
    loop.kill('SIGKILL');
    await once(loop, 'exit');
  }
  if (problem === null) answered += 1;
  process.stdout.write(`start ${round}${isBusy ? ' (busy)' : ''}: ${problem ?? 'answered'}\n`);
}
process.stdout.write(`${answered} of ${starts} starts answered\n`);
process.exitCode = answered === Number(starts) ? 0 : 1;
