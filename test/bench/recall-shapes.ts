/**
 * `npm run bench:recall`: how long recall takes in the shapes of real clients, and in which stage, over N memories and three times as many
 * associations. Starts the embedded service as a child process, or fills and measures a running one (`--url`, `--token`; with `--filled`
 * as it is). With an admin token (`--admin-token`) the enricher of a running one stands still meanwhile, as that of the embedded one does:
 * what it would derive from so many memories takes longer than all of this.
 */
import { parseArgs } from 'node:util';
import { startChildService } from '../support/child-service.js';
import { createHttpCaller, type HttpCaller } from '../support/http-caller.js';
import { seededRandom, type Random } from '../support/random.js';
import { createTempFolder } from '../support/temp-folder.js';
import { associateAll } from './associate-all.js';
import { fill } from './fill.js';
import { asAdmin, steerEnricher } from './steer-enricher.js';
import { measureShapes, printShapes, type ShapeFigures } from './measure-shapes.js';

const { values: options } = parseArgs({
  options: {
    url: { type: 'string' },
    token: { type: 'string' },
    'admin-token': { type: 'string' },
    filled: { type: 'boolean', default: false },
    memories: { type: 'string', default: '10000' },
    // For each memory.
    associations: { type: 'string', default: '3' },
    // So many are embedded by the service itself; the others bring a vector of their own.
    encoded: { type: 'string', default: '10000' },
    // Of each shape, for each number of clients.
    calls: { type: 'string', default: '500' },
    seed: { type: 'string', default: '1' },
  },
});

const ADMIN_TOKEN = 'of-the-bench';
const random = seededRandom(Number(options.seed));
const calls = Number(options.calls);
if (options.url === undefined) {
  for (const size of options.memories.split(',').map(Number))
    printShapes(`${size} memories, embedded`, await measureEmbedded(size));
} else {
  const target = createHttpCaller(options.url, options.token);
  const admin = options['admin-token'] === undefined ? null : asAdmin(target, options['admin-token']);
  if (admin) await steerEnricher(admin, 'pause');
  if (!options.filled) await prepare(target, random, Number(options.memories));
  printShapes(
    options.filled ? options.url : `${options.memories} memories, ${options.url}`,
    await measureShapes(target, random, calls),
  );
  if (admin) await steerEnricher(admin, 'resume');
}

async function measureEmbedded(size: number): Promise<readonly ShapeFigures[]> {
  const folder = await createTempFolder();
  try {
    const filling = await startChildService({ dataFolder: folder.path, variables: { ADMIN_API_TOKEN: ADMIN_TOKEN } });
    await steerEnricher(asAdmin(filling, ADMIN_TOKEN), 'pause');
    await prepare(filling, random, size);
    await filling.stop('SIGTERM');
    const service = await startChildService({ dataFolder: folder.path });
    const figures = await measureShapes(service, random, calls);
    await service.stop('SIGTERM');
    return figures;
  } finally {
    await folder.remove();
  }
}

async function prepare(target: HttpCaller, source: Random, size: number): Promise<void> {
  await fill(target, source, { size, encoded: Number(options.encoded) });
  await associateAll(target, source, Number(options.associations));
}
