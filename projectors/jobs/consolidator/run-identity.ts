/**
 * The task `identity`: merges entities that are certainly the same, and has the language model write what is known of
 * the most referenced ones. An entity is described again when the number of its memories changed.
 */
import type { EntityRecord } from '../../../shared/contract/entities/entity.js';
import { entityId, entityName } from '../../../shared/entities/entity-key.js';
import type { MergeCandidate } from '../../../shared/entities/merge-candidates.js';
import type { JsonRecord } from '../../../shared/ports/jobs.js';
import type { LanguageModel } from '../../../shared/ports/language-model.js';
import { type Entity, mergeCertain, type MergePorts, readEntities } from './merge-certain.js';
import { type RunTask, send, type TaskRun } from './task.js';

/** Entities that one run describes. */
const DESCRIBED = 100;
/** Memories that a description is made from, the most important first. */
const NOTES = 50;
const NOTE_CHARACTERS = 300;
/** Every description of this number is written without the one before, so that an error does not stay forever. */
const AFRESH_EVERY = 5;
/** Without an answer of the model the other entities would get none, too. */
const FAILURES_IN_A_ROW = 3;
/** Candidates for a review in a result. */
const REVIEWED = 100;

export type IdentityPorts = MergePorts & {
  /** Null: no language model is configured. */
  readonly describe: LanguageModel['describe'] | null;
};

export function createRunIdentity(ports: IdentityPorts): RunTask {
  const { describe, config } = ports;
  return async (run) => {
    if (!config.identity.isEnabled) return { skipped: true, reason: 'Identity synthesis is disabled' };
    if (describe === null) return { skipped: true, reason: 'No OpenAI client available' };
    const { performed, review } = await mergeCertain(ports, run);
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
    const { draft, derivedFrom } = await draftOf(entity, ports);
    const identity = await ports.describe(draft);
    if (identity === null) {
      errors.push(`The language model gave no answer about ${entityId(entity.key)}`);
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
      derivedFrom,
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

/** Archived memories are left out. `derivedFrom`: also what the description before was made from, if it is used. */
async function draftOf({ key, use, loaded }: Entity, { inspector, graph }: IdentityPorts) {
  const ids = (await inspector.memoriesTagged({ tags: [use.tag], limit: NOTES })).get(use.tag) ?? [];
  const memories = (await graph.memories(ids)).map(({ memory }) => memory).filter(({ archived }) => archived !== true);
  const previous = previousOf(loaded?.entity);
  const earlier = previous === null ? [] : (loaded?.entity.derived_from ?? []);
  return {
    draft: {
      name: loaded?.entity.name ?? entityName(key.slug),
      category: key.category,
      notes: memories.map(({ content }) => [...content].slice(0, NOTE_CHARACTERS).join('')),
      previous,
    },
    derivedFrom: [...new Set([...memories.map(({ id }) => id), ...earlier])],
  };
}

function previousOf(record: EntityRecord | undefined): string | null {
  const next = (record?.identity_version ?? 0) + 1;
  return next % AFRESH_EVERY === 0 ? null : (record?.identity ?? null);
}

/** As the contract names its parts, with ids in place of the names, which the answer to a request adds. */
function reviewItem({ canonical, alias, confidence, reason }: MergeCandidate): JsonRecord {
  return { canonical: entityId(canonical), alias: entityId(alias), confidence, reason };
}
