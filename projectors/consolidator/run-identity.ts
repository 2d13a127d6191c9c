/**
 * The task `identity`: merges entities that are certainly the same, and has the language model write what is known of the most referenced ones. An
 * entity is described again when the number of its memories changed.
 */
import { CANDIDATE_MEMORIES, CANDIDATES_EXAMINED, type EntityKey } from '../../shared/contract/entities/entity.js';
import type { EntityRecord } from '../../shared/contract/entities/entity-record.js';
import { entitiesIn, memoriesByEntity } from '../../shared/entities/entities-in-pairs.js';
import { ENTITY_CATEGORIES } from '../../shared/entities/entity.js';
import { entityKeyOf, entityName, entityTag } from '../../shared/entities/entity-key.js';
import { findSimilarPairs, judgePairs, type MergeCandidate } from '../../shared/entities/merge-candidates.js';
import { mergeKey } from '../../shared/entities/rename-entities.js';
import type { LoadedEntity } from '../../shared/graph/graph.js';
import type { GraphInspector, TagCount } from '../../shared/graph/graph-inspector.js';
import type { JsonRecord } from '../../shared/jobs/jobs.js';
import type { LanguageModel } from '../../shared/language/language-model.js';
import { type RunTask, send, type TaskPorts, type TaskRun } from './task.js';

/** Entities that one run describes. */
const DESCRIBED = 100;
/** Memories that a description is made from, the most important first. */
const NOTES = 50;
const NOTE_CHARACTERS = 300;
/** Every description of this number is written without the one before, so that an error does not stay forever. */
const AFRESH_EVERY = 5;
/** Without an answer of the model the other entities would get none, too. */
const FAILURES_IN_A_ROW = 3;
/** Merges make other pairs certain. */
const MERGE_ROUNDS = 10;
/** Memories in one round of a move. */
const MOVED_AT_ONCE = 100;
/** Candidates for a review in a result. */
const REVIEWED = 100;

export type IdentityPorts = TaskPorts & {
  readonly inspector: Pick<GraphInspector, 'tagCounts' | 'memoriesTagged'>;
  /** Null: no language model is configured. */
  readonly describe: LanguageModel['describe'] | null;
};
type Entity = { readonly key: EntityKey; readonly use: TagCount; readonly loaded: LoadedEntity | undefined };

export function createRunIdentity(ports: IdentityPorts): RunTask {
  const { describe, config } = ports;
  return async (run) => {
    if (!config.identity.isEnabled) return { skipped: true, reason: 'Identity synthesis is disabled' };
    if (describe === null) return { skipped: true, reason: 'No OpenAI client available' };
    const { performed, review } = await mergeAll(ports, run);
    const entities = (await readEntities(ports)).slice(0, DESCRIBED);
    const { written, errors } = run.isDry
      ? { written: 0, errors: [] }
      : await describeAll(entities, { ...ports, describe }, run);
    return {
      merges_performed: performed,
      merge_candidates_for_review: review.slice(0, REVIEWED).map(reviewItem),
      identities_synthesized: written,
      entities_examined: entities.length,
      errors,
    };
  };
}

/** The most referenced first. A merged entity is left out; memories may still have its tag. */
async function readEntities({ inspector, graph }: IdentityPorts): Promise<readonly Entity[]> {
  const found = await readUses({ inspector, graph });
  return found.filter(({ loaded }) => loaded?.entity.merged_into === undefined);
}

async function readUses({ inspector, graph }: Pick<IdentityPorts, 'inspector' | 'graph'>): Promise<readonly Entity[]> {
  const beginnings = ENTITY_CATEGORIES.map((category) => entityTag({ category, slug: '' }));
  const uses = await inspector.tagCounts({ beginnings, limit: CANDIDATES_EXAMINED });
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

/** First moves what earlier merges left, then merges until no pair is certain. A dry run only reports the pairs for a review. */
async function mergeAll(ports: IdentityPorts, run: TaskRun): Promise<Merged> {
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

async function findCandidates(
  found: readonly Entity[],
  { inspector }: IdentityPorts,
): Promise<readonly MergeCandidate[]> {
  const pairs = findSimilarPairs(found.map(({ key }) => key));
  const entities = entitiesIn(pairs);
  const tags = entities.map(entityTag);
  const memories = tags.length === 0 ? null : await inspector.memoriesTagged({ tags, limit: CANDIDATE_MEMORIES });
  return judgePairs(pairs, memoriesByEntity(entities, memories ?? new Map()));
}

async function merge(
  { canonical, alias, reason }: MergeCandidate,
  ports: IdentityPorts,
  run: TaskRun,
): Promise<readonly JsonRecord[]> {
  const [outcome] = await send([{ kind: 'merge', source: alias, target: canonical, reason }], { ...ports, ...run });
  if (outcome !== 'done') return [];
  const moved = await move(alias, canonical, { ports, run });
  return [{ canonical: canonical.slug, alias: entityName(alias.slug), alias_slug: alias.slug, edges_moved: moved }];
}

async function moveLeftovers(ports: IdentityPorts, run: TaskRun): Promise<void> {
  for (const { key, loaded } of await readUses(ports)) {
    const target = loaded?.entity.merged_into;
    if (target !== undefined) await move(key, target, { ports, run });
  }
}

/** Resolves with the number of memories that moved. One that changes meanwhile is left to the next run. */
async function move(
  source: EntityKey,
  target: EntityKey,
  { ports, run }: { readonly ports: IdentityPorts; readonly run: TaskRun },
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

type Described = { readonly written: number; readonly errors: readonly string[] };

async function describeAll(
  entities: readonly Entity[],
  ports: IdentityPorts & { readonly describe: LanguageModel['describe'] },
  run: TaskRun,
): Promise<Described> {
  const errors: string[] = [];
  let written = 0;
  let failures = 0;
  for (const entity of entities.filter(isOutdated)) {
    run.signal.throwIfAborted();
    const identity = await ports.describe(await draftOf(entity, ports));
    if (identity === null) {
      errors.push(`The language model gave no answer about ${entity.use.tag}`);
      failures += 1;
      if (failures >= FAILURES_IN_A_ROW) break;
      continue;
    }
    failures = 0;
    const { uses: sources } = entity.use;
    const reason = `Its description was made from ${sources} memories.`;
    const command = {
      kind: 'identity' as const,
      entity: entity.key,
      expectedVersion: entity.loaded?.version ?? 0,
      identity,
      sources,
      reason,
    };
    const [outcome] = await send([command], { ...ports, ...run });
    if (outcome === 'done') written += 1;
  }
  return { written, errors };
}

function isOutdated({ use, loaded }: Entity): boolean {
  return loaded?.entity.identity === undefined || loaded.entity.identity_source_count !== use.uses;
}

/** Archived memories are left out. */
async function draftOf({ key, use, loaded }: Entity, { inspector, graph }: IdentityPorts) {
  const ids = (await inspector.memoriesTagged({ tags: [use.tag], limit: NOTES })).get(use.tag) ?? [];
  const notes = (await graph.memories(ids))
    .filter(({ memory }) => memory.archived !== true)
    .map(({ memory }) => [...memory.content].slice(0, NOTE_CHARACTERS).join(''));
  return {
    name: loaded?.entity.name ?? entityName(key.slug),
    category: key.category,
    notes,
    previous: previousOf(loaded?.entity),
  };
}

function previousOf(record: EntityRecord | undefined): string | null {
  const next = (record?.identity_version ?? 0) + 1;
  return next % AFRESH_EVERY === 0 ? null : (record?.identity ?? null);
}

/** As the contract names its parts. */
function reviewItem({ canonical, alias, confidence, reason }: MergeCandidate): JsonRecord {
  return { canonical: canonical.slug, alias: alias.slug, confidence, reason };
}
