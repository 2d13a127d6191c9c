/**
 * `npm run bench:recall`: measures how long recall takes in the shapes of real clients, and in which stage, over N memories and three times as
 * many associations. Starts the embedded service as a child process, or fills and measures a running one (`--url`, `--token`; `--filled` skips
 * filling). The enricher is paused: enriching so many memories takes longer than the whole measurement. A running service needs
 * `--admin-token` for the pause.
 */
import { parseArgs } from 'node:util';
import { createHttpCaller, type HttpCaller } from '../../support/clients/http-caller.js';
import { type Random, seededRandom } from '../../support/fixtures/random.js';
import { createTempFolder } from '../../support/fixtures/temp-folder.js';
import { startChildService } from '../../support/processes/child-service.js';
import { fill } from '../corpus/fill.js';
import { controlEnricher, withAdminToken } from '../measuring/enricher.js';
import { associateAll } from './associate-all.js';
import { measureShapes, printShapes, type ShapeFigures } from './measure-shapes.js';

const { values: options } = parseArgs({
  options: {
    url: { type: 'string' },
    token: { type: 'string' },
    'admin-token': { type: 'string' },
    filled: { type: 'boolean', default: false },
    memories: { type: 'string', default: '10000' },
    // Associations for each memory.
    associations: { type: 'string', default: '3' },
    // The number of memories that the service embeds itself; the others come with a vector.
    encoded: { type: 'string', default: '10000' },
    // Calls of each shape, for each number of clients.
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
  const admin = options['admin-token'] === undefined ? null : withAdminToken(target, options['admin-token']);
  if (admin) await controlEnricher(admin, 'pause');
  if (!options.filled) await prepare(target, random, Number(options.memories));
  printShapes(
    options.filled ? options.url : `${options.memories} memories, ${options.url}`,
    await measureShapes(target, random, calls),
  );
  if (admin) await controlEnricher(admin, 'resume');
}

async function measureEmbedded(size: number): Promise<readonly ShapeFigures[]> {
  const folder = await createTempFolder();
  try {
    const filling = await startChildService({ dataFolder: folder.path, variables: { ADMIN_API_TOKEN: ADMIN_TOKEN } });
    await controlEnricher(withAdminToken(filling, ADMIN_TOKEN), 'pause');
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
