/** GET /entities/audit: checks the tags of entities by the quality gate. It changes nothing. */
import { AUDIT_SAMPLE, AUDITED_TAGS } from '../../shared/contract/entities/audit.js';
import { ENTITY_LIST } from '../../shared/contract/entities/entity.js';
import { checkEntity } from '../../shared/entities/check-entity.js';
import { entityKeyOf, entityName, entityTag } from '../../shared/entities/entity-key.js';
import type { Handler } from '../../shared/http/handler.js';
import type { TagCount } from '../../shared/ports/graph-inspector.js';
import { candidateBody, type CandidateDeps, readMergeCandidates } from './list-merge-candidates.js';

export function createAuditEntities({ graph, inspector }: CandidateDeps): Handler<'auditEntities'> {
  return async ({ query }) => {
    const { summary = false, include_merge_candidates: wantsCandidates = false, category, reason, offset = 0 } = query;
    const limit = Math.min(query.limit ?? ENTITY_LIST.default, ENTITY_LIST.maximum);
    const [uses, candidates] = await Promise.all([
      inspector.tagCounts({ prefixes: ['entity:'], limit: AUDITED_TAGS + 1 }),
      wantsCandidates ? readMergeCandidates({ graph, inspector }) : null,
    ]);
    const all = checkAll(uses.slice(0, AUDITED_TAGS));
    const accepted = reason === undefined ? all.accepted.filter((one) => isOf(one, category)) : [];
    const rejected = all.rejected.filter(
      (one) => isOf(one, category) && (reason === undefined || one.reason === reason),
    );
    const shown = summary ? { from: 0, until: AUDIT_SAMPLE } : { from: offset, until: offset + limit };
    const rejectedPage = await withMemory(rejected.slice(shown.from, shown.until), inspector);
    const acceptedPage = accepted.slice(shown.from, shown.until);
    const found = candidates?.candidates ?? [];
    const certain = found.filter(({ isCertain }) => isCertain).length;
    return {
      status: 200,
      body: {
        status: 'success',
        dry_run: true,
        ...(summary
          ? { accepted_sample: acceptedPage, rejected_sample: rejectedPage }
          : { accepted: acceptedPage, rejected_entities: rejectedPage }),
        merge_candidates: found.map(candidateBody),
        counts: {
          accepted_entities: accepted.length,
          rejected_entities: rejected.length,
          accepted_total_unfiltered: all.accepted.length,
          rejected_total_unfiltered: all.rejected.length,
          merge_candidates: found.length,
          auto_merge_candidates: certain,
          review_merge_candidates: found.length - certain,
        },
        counts_by_reason: countBy(rejected.map((one) => one.reason)),
        counts_by_category: countByCategory(accepted, rejected),
        limit,
        offset,
        summary,
        merge_candidates_skipped: !wantsCandidates,
        truncated: uses.length > AUDITED_TAGS,
      },
    };
  };
}

type Accepted = {
  readonly id: string;
  readonly category: string;
  readonly slug: string;
  readonly name: string;
  readonly source_tags: readonly string[];
  readonly references: number;
  readonly confidence: number;
};
type Rejected = { readonly tag: string; readonly category: string; readonly slug: string; readonly reason: string };

/** The gate corrects some spellings, so several tags may name one entity. */
function checkAll(uses: readonly TagCount[]): {
  readonly accepted: readonly Accepted[];
  readonly rejected: readonly Rejected[];
} {
  const accepted = new Map<string, Accepted>();
  const rejected: Rejected[] = [];
  for (const { tag, uses: references } of uses) {
    const key = entityKeyOf(tag);
    if (key === null) {
      const [, category = '', ...slug] = tag.split(':');
      rejected.push({ tag, category, slug: slug.join(':'), reason: 'invalid_entity_tag' });
      continue;
    }
    const verdict = checkEntity({ category: key.category, name: key.slug });
    if (!verdict.ok) {
      rejected.push({ tag, ...key, reason: verdict.reason });
      continue;
    }
    const { category, slug, confidence } = verdict;
    const id = entityTag({ category, slug });
    const known = accepted.get(id);
    accepted.set(id, {
      id,
      category,
      slug,
      name: entityName(slug),
      source_tags: [...(known?.source_tags ?? []), tag],
      references: (known?.references ?? 0) + references,
      confidence,
    });
  }
  return { accepted: [...accepted.values()], rejected };
}

function isOf(one: { readonly category: string }, category: string | undefined): boolean {
  return category === undefined || one.category === category.toLowerCase();
}

async function withMemory(rejected: readonly Rejected[], inspector: CandidateDeps['inspector']) {
  const tags = rejected.map(({ tag }) => tag);
  const memories = tags.length === 0 ? null : await inspector.memoriesTagged({ tags, limit: 1 });
  return rejected.map((one) => ({ ...one, memory_id: memories?.get(one.tag)?.[0] ?? null }));
}

function countBy(names: readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries(counts);
}

function countByCategory(accepted: readonly Accepted[], rejected: readonly Rejected[]) {
  const [ofAccepted, ofRejected] = [accepted, rejected].map((list) => countBy(list.map(({ category }) => category)));
  const names = new Set([...Object.keys(ofAccepted ?? {}), ...Object.keys(ofRejected ?? {})]);
  return Object.fromEntries(
    [...names].map((name) => [name, { accepted: ofAccepted?.[name] ?? 0, rejected: ofRejected?.[name] ?? 0 }]),
  );
}
