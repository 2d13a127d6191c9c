/**
 * `npm run bench:graph-views`: measures the routes that show the graph. `--memories 0` measures a running service
 * (`--url`) that is filled.
 */
import { associateAll, fill } from '../corpus/fill.js';
import { runBench } from '../measuring/run-bench.js';
import { type Row, timeCalls, timingRow } from '../measuring/timing.js';

const SNAPSHOT_NODES = 5_000;
/** A snapshot is large, so it is measured with fewer calls. */
const SNAPSHOT_CALLS = 20;

await runBench({
  defaults: { memories: '20000', encoded: '0', associations: '3', calls: '100' },
  measure: async (target, options, random) => {
    const size = Number(options.memories);
    const rows: Row[] = await fill(target, random, { size, encoded: Number(options.encoded) });
    if (size > 0) rows.push(...(await associateAll(target, random, Number(options.associations))));
    const { body } = await target.call('GET', `/graph/snapshot?limit=${SNAPSHOT_NODES}`);
    const nodes = body.nodes as readonly { readonly id: string }[];
    // Over the whole range of importance.
    const ids = nodes.filter((_, index) => index % Math.ceil(nodes.length / 200) === 0).map(({ id }) => id);
    const paths = [
      '/memories/ID/related',
      '/memories/ID/related?max_depth=3',
      '/graph/neighbors/ID',
      '/graph/neighbors/ID?depth=3',
      '/graph/snapshot',
      '/graph/snapshot?types=Insight',
      `/graph/snapshot?limit=${SNAPSHOT_NODES}`,
      '/graph/stats',
      '/analyze',
    ];
    for (const path of paths) {
      const call = (index: number) => target.call('GET', path.replace('ID', ids[index % ids.length] ?? ''));
      await call(0); // plans of statements are made once
      const count = path.includes('limit') ? SNAPSHOT_CALLS : Number(options.calls);
      rows.push(timingRow(path, await timeCalls(count, 1, call)));
    }
    return rows;
  },
});
