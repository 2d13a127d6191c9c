/**
 * Turns the query parameters of the feed into the terms of the journal, or throws an error that names the wrong
 * parameter. Pure.
 */
import { ASSOCIATION_TYPES, associationSubject, type AssociationType } from '../../shared/contract/association.js';
import { EVENT_TYPES, type EventType } from '../../shared/contract/events.js';
import type { eventsQuery } from '../../shared/contract/feed.js';
import { FEED_LIMIT, FEED_SCAN_LIMIT, FEED_WAIT_LIMIT_SECONDS } from '../../shared/contract/limits.js';
import type { QueryValues } from '../../shared/contract/queries.js';
import { ValidationError } from '../../shared/kernel/errors.js';
import { parseMemoryId } from '../../shared/kernel/memory-id.js';
import { shorten } from '../../shared/kernel/shorten.js';

const DEFAULT_LIMIT = 100;

export type FeedRequest = {
  readonly after: number;
  readonly limit: number;
  readonly waitMs: number;
  /** The last position that this request reads. */
  readonly scanEnd: number;
  readonly types?: readonly EventType[];
  readonly subject?: string;
};

export function feedRequestOf(query: QueryValues<typeof eventsQuery>): FeedRequest {
  const { after = 0, limit = DEFAULT_LIMIT, wait = 0 } = query;
  const types = query.type && typesOf(query.type);
  const subject = query.subject === undefined ? undefined : subjectOf(query.subject);
  return {
    after,
    limit: Math.min(Math.max(1, limit), FEED_LIMIT),
    waitMs: Math.min(Math.max(0, wait), FEED_WAIT_LIMIT_SECONDS) * 1_000,
    // A filter by subject uses an index; without a filter, `limit` bounds the read.
    scanEnd: types !== undefined && subject === undefined ? after + FEED_SCAN_LIMIT : Infinity,
    ...(types !== undefined && { types }),
    ...(subject !== undefined && { subject }),
  };
}

function typesOf(names: readonly string[]): readonly EventType[] {
  return [...new Set(names)].map((name) => {
    const type = EVENT_TYPES.find((known) => known === name);
    if (type === undefined)
      throw new ValidationError(
        `'type' ${JSON.stringify(shorten(name))} is not known: use ${EVENT_TYPES.join(', ')}`,
        'type',
      );
    return type;
  });
}

function subjectOf(text: string): string {
  const subject = parseSubject(text);
  if (subject === null)
    throw new ValidationError(
      "'subject' must be the id of a memory, or an association's source|TYPE|target",
      'subject',
    );
  return subject;
}

/**
 * The subject in the form of the journal: the id of a memory, or `source|TYPE|target` of an association; null for any
 * other text.
 */
export function parseSubject(text: string): string | null {
  const [source = '', type, target = '', ...rest] = text.split('|');
  const from = parseMemoryId(source);
  if (from === null || type === undefined) return from;
  const to = parseMemoryId(target);
  return to !== null && isAssociationType(type) && rest.length === 0
    ? associationSubject({ source: from, type, target: to })
    : null;
}

function isAssociationType(text: string): text is AssociationType {
  return Object.hasOwn(ASSOCIATION_TYPES, text);
}
