/**
 * `npm run bench:load`: measures time and throughput of a deployment with N memories, each figure next to its floor
 * from the same run. The service embeds `--encoded` memories itself; the others come with a vector. For a running
 * service (`--url`), the floors are those of the servers that the environment names; `--memories 0 --encoded 0`
 * measures it as it is.
 */
import { fill } from '../corpus/fill.js';
import { runBench } from '../measuring/run-bench.js';
import { measureFloors } from './floors.js';
import { measureFootprint, measureLoopDelay, measureStartUp } from './measure-process.js';
import { measureReads } from './measure-reads.js';
import { measureRelayLag, measureServerFloors, serversIn } from './servers.js';
import { measureTimeToFound, measureWrites } from './writes.js';

const PROBE = new URL('./loop-delay-probe.js', import.meta.url).href;

await runBench({
  defaults: { memories: '10000', encoded: '10000' },
  variables: { NODE_OPTIONS: `--import=${PROBE}` },
  measure: async (target, options, random) => {
    const size = Number(options.memories);
    const servers = target.child === null ? serversIn(process.env) : null;
    const floors = target.child === null ? undefined : await measureFloors(size);
    const filled = await fill(target, random, { size, encoded: Number(options.encoded) });
    const startUp = target.child === null ? [] : [await measureStartUp(target)];
    const serverFloors = servers ? await measureServerFloors(servers, random) : [];
    const since = new Date();
    return [
      ...filled,
      ...startUp,
      ...serverFloors,
      ...(await measureReads(target, random, floors)),
      ...(await measureWrites(target, random, floors)),
      ...(await measureTimeToFound(target)),
      ...(servers ? [await measureRelayLag(servers, since)] : []),
      ...(target.child ? await measureLoopDelay(target, target.child, random) : []),
      ...(target.child ? await measureFootprint(target.child, target.folder) : []),
    ];
  },
});
