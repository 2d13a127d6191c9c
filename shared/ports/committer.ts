/**
 * The commit port: the only place where events become durable. Two adapters give the same guarantees: `sqlite/`
 * (journal and graph in one transaction) and `outbox/` (the journal commits, then the graph follows). One contract
 * suite tests both.
 */
import type { NewEvent, RecordedEvent } from '../contract/events.js';
import type { MemoryId } from '../contract/memory.js';

/**
 * Hash (64 hex digits) of the caller's scope, the operation and its `Idempotency-Key`, and the hash of the body sent
 * with that key.
 */
export type CommandKey = { readonly key: string; readonly requestHash: string };

/** A supplied embedding, written to the embedding cache with the events that refer to it. */
export type SuppliedVector = { readonly ref: string; readonly memoryId: MemoryId; readonly vector: Float32Array };

/** One caller's command after its decision: all of its events are committed, or none. */
export type Command = {
  /** UUID. */
  readonly id: string;
  /**
   * At least one. Ids, times and versions are fixed. The first event of a subject in a command expects the subject at
   * `version - 1` (0: the subject has no event yet); its further events follow without gaps.
   */
  readonly events: readonly NewEvent[];
  /** Memories that the command does not change but that must be present at the commit (the ends of an association). */
  readonly requires: readonly MemoryId[];
  /** Subjects that the decision read and does not change, which must have these versions at the commit. */
  readonly unchanged?: readonly { readonly subject: string; readonly version: number }[];
  /**
   * Subjects of these events whose earlier data the commit erases, because a later event replaces the words that it
   * copied from other memories.
   */
  readonly erases?: readonly string[];
  readonly key: CommandKey | null;
  /**
   * `RequestContext.fingerprint` (`shared/http/handler.ts` says what it covers). A client that lost its answer and
   * repeats the request without a key gets the first outcome by it. Null: never matched.
   */
  readonly fingerprint: string | null;
  readonly vectors: readonly SuppliedVector[];
};

export type Outcome =
  | { readonly kind: 'committed'; readonly events: readonly RecordedEvent[] }
  /**
   * The key was committed before with the same body, perhaps just now by a concurrent request: its events with their
   * current data.
   */
  | { readonly kind: 'repeated'; readonly events: readonly RecordedEvent[] }
  /** The key was committed before with another body. */
  | { readonly kind: 'key_reused' }
  /** A subject of an event or of `unchanged` is at another version than the command expected: load and decide again. */
  | { readonly kind: 'conflict'; readonly subject: string; readonly version: number }
  /** A required memory is absent: load and decide again. */
  | { readonly kind: 'absent'; readonly memoryId: MemoryId };

export interface Committer {
  /**
   * Commits each command by itself; outcome i belongs to command i, and one bad command fails alone. Commands of one
   * call, and calls made while another call is running, may share a transaction.
   *
   * Before it resolves, an implementation must: move every subject from its expected version; append the events to the
   * journal with positions in commit order; insert the key; apply the events to the graph; all durable against loss of
   * power. Then it must wake the stream. A `memory.deleted` erases the data of all journalled events of that memory and
   * of its associations in the same commit, ends its associations, and removes its entries from the embedding cache
   * (its `SuppliedVector`s included). The subjects of `erases` lose the data of their earlier events. Of the
   * associations, the commit erases and ends at most ERASED_AT_ONCE; `eraseRest` does the others in batches, also after
   * a restart. An association event with an absent end is refused with `absent`; once a memory is deleted, the deletion
   * permanently wins over its associations.
   *
   * Errors: DependencyError, with `outcomeUnknown` when the events may be committed. It never retries a refused command
   * itself.
   */
  commit(commands: readonly Command[]): Promise<readonly Outcome[]>;

  /**
   * Returns what an earlier request with this key (kept for 24 h), or an unanswered request with this fingerprint (kept
   * for 60 s), committed. Undefined when there is none; `key_reused` when the key came with another body. A fingerprint
   * matches only while its request has no answer: another process rolled its rows forward, its process died, or it was
   * abandoned.
   */
  earlier(request: {
    readonly key: CommandKey | null;
    readonly fingerprint: string | null;
  }): Promise<Extract<Outcome, { kind: 'repeated' | 'key_reused' }> | undefined>;

  /** The caller received the answer to this command, so an equal request is a new request. May be lost in a crash. */
  answered(commandId: string): void;

  /**
   * The caller of this command is gone without an answer, so an equal request is a repeat of it. May be lost in a
   * crash.
   */
  abandoned(commandId: string): void;

  /**
   * Events that are committed but not yet applied to the graph (a gauge for health, which may stop at the limit of
   * pending events; always 0 where both share one transaction).
   */
  pending(): Promise<number>;
}

/**
 * The steps at which a test may make a commit fail. An adapter calls `hit` at its own steps, with the ids of the
 * group's commands.
 */
export const COMMIT_STEPS = [
  'before_commit',
  'inside_commit',
  'after_commit',
  'before_apply',
  'after_apply',
  'after_mark',
] as const;
export type CommitStep = (typeof COMMIT_STEPS)[number];

export interface Failpoints {
  /** Throws to make the commit fail at this step; returns to let it continue. Production passes no failpoints. */
  hit(step: CommitStep, commandIds: readonly string[]): void | Promise<void>;
}
