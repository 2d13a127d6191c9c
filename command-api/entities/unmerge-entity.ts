/**
 * POST /entity/:slug/unmerge: one command over the records, then rounds over the memories of the entity that it was
 * merged into. The histories of the memories say which tags the merge took. A repeat continues with the rest.
 */
import { ENTITY_CATEGORIES, type EntityKey, type EntityRecord } from '../../shared/contract/entities/entity.js';
import { type EventType, type RecordedEvent, STATE_EVENTS } from '../../shared/contract/events.js';
import type { MemoryId, Timestamp } from '../../shared/contract/memory.js';
import { entityId, entityTag } from '../../shared/entities/entity-key.js';
import { mergeKey } from '../../shared/entities/rename-entities.js';
import type { Handler, ReplyFor, RequestContext } from '../../shared/http/handler.js';
import { mapConcurrently } from '../../shared/kernel/concurrency/map-concurrently.js';
import { NotFoundError, ValidationError } from '../../shared/kernel/errors.js';
import { shorten } from '../../shared/kernel/shorten.js';
import type { JournalReader } from '../../shared/ports/journal.js';
import { roundIdentity, withReceipt } from '../command-handling.js';
import { NOTHING_CHANGES } from '../decision.js';
import { endOfMerges, followMerges } from './decide-merge.js';
import {
  decideReturn,
  decideUnmerge,
  isAfter,
  type MemoryHistory,
  type MemoryWithHistory,
  type Moment,
  type Return,
  type TagVersion,
  type UnmergeState,
} from './decide-unmerge.js';
import { keysOf, type MergeDeps, pathBetween } from './merge-entity.js';

/** Memories in one command. */
const ROUND = 100;
/** Keys in one read of records. */
const KEYS = 5_000;
/** Versions of a memory or an entity in one read of its history. */
const VERSIONS = 200;
const CONCURRENT_READS = 8;

export type UnmergeDeps = MergeDeps & { readonly journal: Pick<JournalReader, 'read' | 'lastOf'> };

type Loaded = UnmergeState & {
  readonly record: EntityRecord;
  /** The entity that it is now; after the undo, the one that it was. */
  readonly end: EntityKey;
  /** When it was merged. */
  readonly mergedAt: Moment;
};

export function createUnmergeEntity({ commands, graph, inspector, journal }: UnmergeDeps): Handler<'unmergeEntity'> {
  /** A merged entity, else one whose merge was undone: that undo may have been interrupted. */
  async function find(slug: string, category: string | undefined): Promise<EntityKey> {
    const keys = keysOf(slug, category);
    const records = keys.length === 0 ? [] : (await graph.entities(keys)).map(({ entity }) => entity);
    const merged = records.filter(({ merged_into: into }) => into !== undefined);
    const found = merged.length > 0 ? merged : records.filter((one) => undoneIn(one).length > 0);
    if (found.length > 1) {
      const names = found.map((one) => one.category).join(', ');
      throw new ValidationError(
        `Entities of several categories were merged: 'category' must be one of ${names}`,
        'category',
      );
    }
    if (found[0] !== undefined) return { category: found[0].category, slug: found[0].slug };
    const isKnown =
      records.length > 0 || (keys.length > 0 && (await inspector.tagUsesOf(keys.map(entityTag))).length > 0);
    const name = `Entity '${shorten(slug)}'`;
    throw new NotFoundError(
      isKnown
        ? `${name} is not merged into another one: undo the merge of one of its 'aliases' (GET /entity/:slug)`
        : `${name} not found`,
    );
  }

  async function load(source: EntityKey): Promise<Loaded> {
    const records = new Map(await followMerges([source], graph));
    const record = records.get(mergeKey(source))?.entity;
    if (record === undefined) throw new NotFoundError(`Entity '${shorten(source.slug)}' not found`);
    const last = record.merged_into ?? undoneIn(record).at(-1) ?? source;
    const add = async (keys: readonly EntityKey[]) => {
      for (const [key, one] of await followMerges(keys, graph)) records.set(key, one);
    };
    await add([last]);
    const end = endOfMerges({ category: last.category, slug: last.slug }, records);
    const aliases = [source, end].flatMap((key) => records.get(mergeKey(key))?.entity.aliases ?? []);
    const keys = [...new Set(aliases)].flatMap((slug) => ENTITY_CATEGORIES.map((category) => ({ category, slug })));
    for (let from = 0; from < keys.length; from += KEYS) await add(keys.slice(from, from + KEYS));
    const path = record.merged_into === undefined ? [source] : [...pathBetween(source, end, records), end];
    const keysOfRecords = [...records.values()].map(({ entity: { category, slug } }) => ({ category, slug }));
    const isBelow = (key: EntityKey): boolean =>
      mergeKey(key) !== mergeKey(source) &&
      pathBetween(key, end, records).some((one) => mergeKey(one) === mergeKey(source));
    const below = keysOfRecords.filter(isBelow);
    const others = keysOfRecords.filter(
      (key) =>
        mergeKey(key) !== mergeKey(source) && !isBelow(key) && mergeKey(endOfMerges(key, records)) === mergeKey(end),
    );
    const merges = await journal.lastOf({ subjects: path.map(entityId), types: ['entity.merged'] });
    const mergeOf = (key: EntityKey): Moment =>
      merges.find(({ subject }) => subject === entityId(key)) ?? { position: 0, time: '' };
    const mixed = new Set<string>();
    for (const [index, key] of path.slice(1).entries()) {
      const writtenAt = records.get(mergeKey(key))?.entity.identity_updated_at;
      if (writtenAt === undefined) continue;
      if (isAfter(await momentOf(key, writtenAt, journal), mergeOf(path[index] ?? key))) mixed.add(mergeKey(key));
    }
    return { path, records, record, end, below, others, mixed, mergedAt: mergeOf(source) };
  }

  /** The next memories of the end; none when one of the two was merged into the other again. */
  async function readPage(change: Return, after: string): Promise<Page> {
    const [source] = await graph.entities([change.source]);
    const isOne = source?.entity.merged_into !== undefined || mergeKey(change.source) === mergeKey(change.end);
    const ids = isOne ? [] : await graph.idsByTag({ tags: [entityTag(change.end)], after, limit: ROUND });
    const loaded = await graph.memories(ids);
    const memories = await mapConcurrently(loaded, CONCURRENT_READS, async (one) => ({
      loaded: one,
      history: await readHistory(one.memory.id, journal),
    }));
    return { memories, last: ids.at(-1) };
  }

  /** Committed rounds of an earlier request with the key are counted, and then the memories that they left are read. */
  async function giveBack(change: Return, context: RequestContext): Promise<readonly RecordedEvent[]> {
    const done: RecordedEvent[] = [];
    let after = '';
    for (let round = 0; ;) {
      const { events, state } = await commands.run(roundIdentity(context, `${mergeKey(change.source)}:${round}`), {
        load: () => readPage(change, after),
        decide: ({ memories }) => decideReturn(memories, change, commands.facts(context, memories.length)),
      });
      done.push(...events);
      if (events.length > 0) round += 1;
      if (state === undefined) continue;
      if (state.last === undefined) return done;
      after = state.last;
    }
  }

  return async ({ params: { slug }, query: { category }, context }) => {
    commands.requireWholeGraph();
    const source = await find(slug, category);
    return commands.inFlight(context.commandKey, async () => {
      const { events } = await commands.run(roundIdentity(context, 'unmerge'), {
        load: () => load(source),
        decide: (state) =>
          state.path.length > 1 ? decideUnmerge(state, commands.facts(context, state.path.length)) : NOTHING_CHANGES,
      });
      const { record, end, below, others, mergedAt } = await load(source);
      const apart = undoneIn(record);
      const done = await giveBack(
        {
          source,
          name: record.name,
          end,
          own: [source, ...below],
          above: apart,
          others,
          mergedAt,
          undoneAt: await momentOf(source, apart.at(-1)?.at ?? '', journal),
        },
        context,
      );
      const unmerge = {
        canonical: end.slug,
        alias: record.name,
        alias_slug: source.slug,
        edges_moved: done.filter(({ data }) => data !== null && 'changed' in data && data.changed.includes('tags'))
          .length,
        enrichments_requested: done.filter(({ type }) => type === 'memory.enrichment.requested').length,
      };
      return withReceipt<ReplyFor<'unmergeEntity'>>(
        { status: 200, body: { status: 'success', unmerge } },
        done.at(-1) ?? events.at(-1),
      );
    });
  };
}

/** The entities that its own merges led to. */
function undoneIn({ distinct_from: apart = [] }: EntityRecord) {
  return apart.filter(({ at }) => at !== undefined);
}

type Page = {
  readonly memories: readonly MemoryWithHistory[];
  /** Absent after the last page. */
  readonly last: MemoryId | undefined;
};

/** The events of merges and of their undo. */
const MOVES: ReadonlySet<string> = new Set(['memory.updated', 'memory.enrichment.requested']);

type Journal = Pick<JournalReader, 'read'>;

/** An erased version is left out. A move by a merge or its undo keeps the revision, unlike a change by a caller. */
async function readHistory(subject: MemoryId, journal: Journal): Promise<MemoryHistory> {
  const versions: TagVersion[] = [];
  let enrichedAt: number | undefined;
  let revision = 0;
  for await (const event of eventsOf(subject, STATE_EVENTS, journal)) {
    if (event.data !== null && 'memory' in event.data)
      versions.push({ isMove: MOVES.has(event.type) && event.revision === revision, tags: event.data.memory.tags });
    if (event.type === 'memory.enriched') enrichedAt = event.position;
    revision = event.revision;
  }
  return { versions, enrichedAt };
}

/** When the change was made whose time is in the record. An event has the time that its record was given. */
async function momentOf(key: EntityKey, time: Timestamp, journal: Journal): Promise<Moment> {
  for await (const event of eventsOf(entityId(key), ['entity.updated'], journal)) if (event.time === time) return event;
  return { position: undefined, time };
}

/** The oldest version first. */
async function* eventsOf(
  subject: string,
  types: readonly EventType[],
  journal: Journal,
): AsyncGenerator<RecordedEvent> {
  for (let afterVersion = 0; ;) {
    const events = await journal.read({ subject, after: 0, afterVersion, limit: VERSIONS, types });
    yield* events;
    const last = events.at(-1);
    if (last === undefined || events.length < VERSIONS) return;
    afterVersion = last.version;
  }
}
