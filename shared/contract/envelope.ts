/**
 * The envelope of every event, CloudEvents 1.0 in shape: who changed which subject, when, on whose behalf, and in which version.
 * Events are kept for ever, so a field given here once is never renamed; an erased event keeps its envelope and loses its data.
 */
import type { Timestamp } from './memory.js';

/** Who caused an event. `name` is the token's configured name, else 12 hex digits of its SHA-256, else `anonymous`. */
export type Actor = {
  readonly name: string;
  readonly tier: 'open' | 'api' | 'admin' | 'internal';
  /** The caller's `User-Agent`, at most 256 characters. */
  readonly agent: string | null;
};

export type Envelope = {
  /** UUID; what consumers dedupe by. */
  readonly id: string;
  readonly type: string;
  readonly schemaVersion: number;
  /** The memory's id, or an association's `source|TYPE|target`. */
  readonly subject: string;
  /** Events of one subject in one order: key of the topic's partition. The memory's id; an association's source. */
  readonly partitionKey: string;
  /** Counts every event of the subject, from 1, without holes. */
  readonly version: number;
  /** Moves only with callers' commands; the ETag. */
  readonly revision: number;
  readonly time: Timestamp;
  readonly actor: Actor;
  /** The request that this event belongs to. */
  readonly correlationId: string;
  /** The event that this one answers to; null when a caller asked for it. */
  readonly causationId: string | null;
  readonly traceparent: string | null;
  /** Reserved: always null until tenants exist. */
  readonly tenant: string | null;
};
