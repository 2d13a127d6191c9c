/** Attacks by the graph: a hub with many associations, and reads of the whole graph. */
import { BATCH_LIMIT } from '../../shared/contract/limits.js';
import { type Attack, json, many, type Target } from './attack.js';

/** `count` reads at the same time. */
function reads(name: string, count: number, path: (target: Target, index: number) => string): Attack {
  return {
    class: 'graph',
    name,
    attack: ({ target, flood }) => flood(count, (index) => ({ path: path(target, index) })),
  };
}

/** Associations between the hub and its spokes, in both directions. */
function hubBatches({ hub, spokes }: Target): readonly Buffer[] {
  return many(40, (batch) =>
    json({
      associations: many(BATCH_LIMIT, (index) => {
        const spoke = spokes[(batch * BATCH_LIMIT + index) % spokes.length];
        const [memory1_id, memory2_id] = batch % 2 === 0 ? [hub, spoke] : [spoke, hub];
        return { memory1_id, memory2_id, type: 'EXEMPLIFIES', strength: (batch + 1) / 100 };
      }),
    }),
  );
}

export const graphAttacks: readonly Attack[] = [
  reads(
    'hub: 50 recalls with both expansions, limit 100',
    50,
    ({ hub }, index) =>
      `/recall?query=hub+${index}&priority_ids=${hub}&limit=100&expand_relations=true&expand_entities=true&expansion_limit=500&relation_limit=200`,
  ),
  reads('hub: 50 x related to depth 3', 50, ({ hub }) => `/memories/${hub}/related?max_depth=3&limit=200`),
  reads('hub: 50 x neighbours to depth 3', 50, ({ hub }) => `/graph/neighbors/${hub}?depth=3&semantic_limit=20`),
  reads('hub: 200 reads of the memory', 200, ({ hub }) => `/memory/${hub}`),
  reads('50 whole snapshots', 50, () => '/graph/snapshot?limit=0'),
  reads('60 statistics of the whole graph', 60, (_, index) => (index % 2 === 0 ? '/graph/stats' : '/analyze')),
  {
    class: 'graph',
    name: 'hub: 40 batches of 500 associations',
    prepare: hubBatches,
    attack: ({ flood }, body) => flood(40, (index) => ({ method: 'POST', path: '/associate', body: body(index) })),
  },
  {
    class: 'graph',
    name: 'hub: 300 changes of the memory',
    attack: ({ target, flood }) =>
      flood(300, (index) => ({
        method: 'PATCH',
        path: `/memory/${target.hub}`,
        body: json({ importance: (index % 100) / 100 }),
      })),
  },
];
