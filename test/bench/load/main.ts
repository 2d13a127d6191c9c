/**
 * `npm run bench:load`: measures time and throughput of a deployment with N memories, each figure next to its floor from the same run. Starts
 * the embedded service as a child process, or measures a running one (`--url`, `--token`), with the floors of its servers if the environment
 * names them.
 */
import { parseArgs } from 'node:util';
import { createHttpCaller } from '../../support/clients/http-caller.js';
import { seededRandom } from '../../support/fixtures/random.js';
import { createTempFolder } from '../../support/fixtures/temp-folder.js';
import { startChildService } from '../../support/processes/child-service.js';
import { fill } from '../corpus/fill.js';
import { printTable, type Row } from '../measuring/timing.js';
import { measureFloors } from './floors.js';
import { measureFootprint, measureLoopDelay, measureStartUp } from './process-figures.js';
import { measureReads } from './reads.js';
import { measureRunningService } from './running-service.js';
import { measureTimeToFound, measureWrites } from './writes.js';

const { values: options } = parseArgs({
  options: {
    url: { type: 'string' },
    token: { type: 'string' },
    memories: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    // The number of memories that the service embeds itself, at the speed of its encoder; the others come with a vector.
    encoded: { type: 'string', default: '10000' },
  },
});

for (const size of options.memories.split(',').map(Number)) {
  const random = seededRandom(Number(options.seed));
  const rows: Row[] = [];
  if (options.url !== undefined) {
    const target = createHttpCaller(options.url, options.token);
    rows.push(...(await measureRunningService(target, random, { size, encoded: Number(options.encoded) })));
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
