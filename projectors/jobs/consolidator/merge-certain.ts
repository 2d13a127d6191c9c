/** Merges entities that are certainly the same, and moves what earlier merges left. */
import {
  CANDIDATE_MEMORIES,
  CANDIDATES_EXAMINED,
  ENTITY_CATEGORIES,
  type EntityKey,
} from '../../../shared/contract/entities/entity.js';
import { areDistinct, entitiesIn, memoriesByEntity } from '../../../shared/entities/entities-in-pairs.js';
import { entityId, entityKeyOf, entityTag } from '../../../shared/entities/entity-key.js';
import { findSimilarPairs, type MergeCandidate, ratePairs } from '../../../shared/entities/merge-candidates.js';
import { mergeKey } from '../../../shared/entities/rename-entities.js';
import type { LoadedEntity } from '../../../shared/ports/graph.js';
import type { GraphInspector, TagCount } from '../../../shared/ports/graph-inspector.js';
import type { JsonRecord } from '../../../shared/ports/jobs.js';
import { send, type TaskPorts, type TaskRun } from './task.js';

/** Merges make other pairs certain. */
const MERGE_ROUNDS = 10;
/** Memories in one round of a move. */
const MOVED_AT_ONCE = 100;

export type MergePorts = TaskPorts & { readonly inspector: Pick<GraphInspector, 'tagCounts' | 'memoriesTagged'> };
export type Entity = { readonly key: EntityKey; readonly use: TagCount; readonly loaded: LoadedEntity | undefined };

/** The most referenced first. A merged entity is left out; memories may still have its tag. */
export async function readEntities({ inspector, graph }: MergePorts): Promise<readonly Entity[]> {
  const found = await readUses({ inspector, graph });
  return found.filter(({ loaded }) => loaded?.entity.merged_into === undefined);
}

async function readUses({ inspector, graph }: Pick<MergePorts, 'inspector' | 'graph'>): Promise<readonly Entity[]> {
  const prefixes = ENTITY_CATEGORIES.map((category) => entityTag({ category, slug: '' }));
  const uses = await inspector.tagCounts({ prefixes, limit: CANDIDATES_EXAMINED });
  const named = uses.flatMap((use) => {
    const key = entityKeyOf(use.tag);
    return key === null ? [] : [{ key, use }];
  });
  const records = new Map(
    (await graph.entities(named.map(({ key }) => key))).map((one) => [mergeKey(one.entity), one]),
  );
  return named.map((one) => ({ ...one, loaded: records.get(mergeKey(one.key)) }));
}

type Merged = { readonly performed: readonly JsonRecord[]; readonly review: readonly MergeCandidate[] };

/**
 * First moves what earlier merges left, then merges until no pair is certain. A dry run only reports the pairs for a
 * review.
 */
export async function mergeCertain(ports: MergePorts, run: TaskRun): Promise<Merged> {
  const performed: JsonRecord[] = [];
  for (let round = 0; ; round++) {
    run.signal.throwIfAborted();
    if (!run.isDry) await moveLeftovers(ports, run);
    const candidates = await findCandidates(await readEntities(ports), ports);
    const certain = candidates.filter(({ isCertain }) => isCertain);
    const review = candidates.filter(({ isCertain }) => !isCertain);
    if (run.isDry || certain.length === 0 || round === MERGE_ROUNDS) return { performed, review };
    for (const candidate of certain) performed.push(...(await merge(candidate, ports, run)));
  }
}

async function findCandidates(found: readonly Entity[], { inspector }: MergePorts): Promise<readonly MergeCandidate[]> {
  const records = new Map(found.flatMap(({ key, loaded }) => (loaded ? [[mergeKey(key), loaded] as const] : [])));
  const pairs = findSimilarPairs(found.map(({ key }) => key)).filter(
    ({ canonical, alias }) => !areDistinct(canonical, alias, records),
  );
  const entities = entitiesIn(pairs);
  const tags = entities.map(entityTag);
  const memories = tags.length === 0 ? null : await inspector.memoriesTagged({ tags, limit: CANDIDATE_MEMORIES });
  return ratePairs(pairs, memoriesByEntity(entities, memories ?? new Map()));
}

async function merge(
  { canonical, alias, reason }: MergeCandidate,
  ports: MergePorts,
  run: TaskRun,
): Promise<readonly JsonRecord[]> {
  const [outcome] = await send([{ kind: 'merge', source: alias, target: canonical, reason }], { ...ports, ...run });
  if (outcome !== 'done') return [];
  const moved = await move(alias, canonical, { ports, run });
  return [{ canonical: entityId(canonical), alias: entityId(alias), edges_moved: moved }];
}

async function moveLeftovers(ports: MergePorts, run: TaskRun): Promise<void> {
  for (const { key, loaded } of await readUses(ports)) {
    const target = loaded?.entity.merged_into;
    if (target !== undefined) await move(key, target, { ports, run });
  }
}

/** Resolves with the number of memories that moved. One that changes meanwhile is left to the next run. */
async function move(
  source: EntityKey,
  target: EntityKey,
  { ports, run }: { readonly ports: MergePorts; readonly run: TaskRun },
): Promise<number> {
  const tag = entityTag(source);
  for (let moved = 0; ;) {
    run.signal.throwIfAborted();
    const ids = (await ports.inspector.memoriesTagged({ tags: [tag], limit: MOVED_AT_ONCE })).get(tag) ?? [];
    const commands = (await ports.graph.memories(ids)).map(({ memory, version }) => ({
      kind: 'move' as const,
      id: memory.id,
      expectedVersion: version,
      source,
      target,
      reason: `${tag} was merged into ${entityTag(target)}.`,
    }));
    const outcomes = await send(commands, { ...ports, ...run });
    const done = outcomes.filter((outcome) => outcome === 'done').length;
    moved += done;
    if (done === 0) return moved;
  }
}
