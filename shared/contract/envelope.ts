/**
 * The envelope of every event, in the form of CloudEvents 1.0: actor, subject, time and version. Events are stored
 * permanently, so a field name never changes. An erased event keeps its envelope and loses its data.
 */
import type { Timestamp } from './memory.js';

/** `name`: the configured name of the token, else 12 hex digits of its SHA-256, else `anonymous`. */
export type Actor = {
  readonly name: string;
  readonly tier: 'open' | 'api' | 'admin' | 'internal';
  /** The caller's `User-Agent`, at most 256 characters. */
  readonly agent: string | null;
};

export type Envelope = {
  /** UUID; consumers use it to ignore duplicates. */
  readonly id: string;
  readonly type: string;
  readonly schemaVersion: number;
  /** The id of the memory, entity or key, or an association's `source|TYPE|target`. */
  readonly subject: string;
  /** Partition key in Kafka: the subject, or an association's source. */
  readonly partitionKey: string;
  /** Counts every event of the subject, from 1, without gaps. */
  readonly version: number;
  /** The ETag; increases only with commands of callers. */
  readonly revision: number;
  readonly time: Timestamp;
  readonly actor: Actor;
  /** The id of the request that this event belongs to. */
  readonly correlationId: string;
  /** The id of the event that caused this one; null when a caller caused it. */
  readonly causationId: string | null;
  readonly traceparent: string | null;
  /** The name of the tenant of the event; null: the default one. */
  readonly tenant: string | null;
};

/** An event at its position. A journal that went back and on has another event there. */
export type EventMark = { readonly position: number; readonly eventId: string };

/** A point of one journal. A store keeps it, to recognize a journal that it does not belong to. */
export type JournalMark = {
  /** The identity of the journal: a UUID that is made with its tables, and again when another history begins. */
  readonly journalId: string;
  /** The applied position: the highest position of an event that was applied to the store; 0 before the first event. */
  readonly position: number;
  /** Of the event at this position; null at position 0. */
  readonly eventId: string | null;
};
