/**
 * `npm run bench:load`: what a deployment of N memories costs and yields, each figure beside its floor from the same run. Starts the
 * embedded service as a child process, or measures a running one (`--url`, `--token`), with the floors of its servers where the
 * environment names them.
 */
import { parseArgs } from 'node:util';
import { startChildService } from '../support/child-service.js';
import { createHttpCaller } from '../support/http-caller.js';
import { measureRunning } from './running.js';
import { seededRandom } from '../support/random.js';
import { createTempFolder } from '../support/temp-folder.js';
import { fill } from './fill.js';
import { measureFloors } from './floors.js';
import { printTable, type Row } from './measure.js';
import { measureFootprint, measureLoopDelay, measureStartUp } from './process-figures.js';
import { measureReads } from './reads.js';
import { measureWrites, measureTimeToFound } from './writes.js';

const { values: options } = parseArgs({
  options: {
    url: { type: 'string' },
    token: { type: 'string' },
    memories: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    // So many of them are embedded by the service itself, at the pace of its encoder; the others bring a vector of their own.
    encoded: { type: 'string', default: '10000' },
  },
});

for (const size of options.memories.split(',').map(Number)) {
  const random = seededRandom(Number(options.seed));
  const rows: Row[] = [];
  if (options.url !== undefined) {
    const target = createHttpCaller(options.url, options.token);
    rows.push(...(await measureRunning(target, random, { size, encoded: Number(options.encoded) })));
  } else {
    rows.push(...(await measureEmbedded(size)));
  }
  printTable(`${size} memories`, rows);

  async function measureEmbedded(memories: number): Promise<Row[]> {
    const folder = await createTempFolder();
    const probe = new URL('./loop-delay-probe.js', import.meta.url).href;
    const variables = { NODE_OPTIONS: `--import=${probe}` };
    try {
      const floors = await measureFloors(memories);
      const filling = await startChildService({ dataFolder: folder.path, variables });
      const filled = await fill(filling, random, { size: memories, encoded: Number(options.encoded) });
      await filling.stop('SIGTERM');
      const startUp = await measureStartUp(folder.path);
      const service = await startChildService({ dataFolder: folder.path, variables });
      const figures = [
        ...filled,
        ...(await measureReads(service, random, floors)),
        ...(await measureWrites(service, random, floors)),
        ...(await measureTimeToFound(service)),
        ...(await measureLoopDelay(service, random)),
        startUp,
        ...(await measureFootprint(service, folder.path)),
      ];
      await service.stop('SIGTERM');
      return figures;
    } finally {
      await folder.remove();
    }
  }
}
