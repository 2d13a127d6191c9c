/**
 * The commit port: the one place where events become durable. Two adapters keep the same promises: `sqlite/` (journal and graph in
 * one transaction) and `outbox/` (a journal that commits and a graph that follows). One contract suite judges both.
 */
import type { MemoryId } from '../contract/memory.js';
import type { NewEvent, RecordedEvent } from '../contract/events.js';

/** Scope + operation + key of an `Idempotency-Key`, hashed (64 hex digits), and the hash of the body it came with. */
export type CommandKey = { readonly key: string; readonly requestHash: string };

/** A supplied embedding, written to the embedding cache with the events that refer to it. */
export type SuppliedVector = { readonly ref: string; readonly memoryId: MemoryId; readonly vector: Float32Array };

/** One caller's decided command: all of its events or none. */
export type Command = {
  /** UUID. */
  readonly id: string;
  /**
   * At least one. Ids, times and versions are fixed. The first event of a subject in a command expects the subject at `version - 1`
   * (0 = has never been); further events of it follow without holes.
   */
  readonly events: readonly NewEvent[];
  /** Memories that must be present when this commits and that the command itself does not change (an association's ends). */
  readonly requires: readonly MemoryId[];
  readonly key: CommandKey | null;
  /**
   * Hash of token, operation and body (64 hex digits). Lets a client that repeats a request without a key, because its answer was
   * lost, get the first outcome. Null: never matched.
   */
  readonly fingerprint: string | null;
  readonly vectors: readonly SuppliedVector[];
};

export type Outcome =
  | { readonly kind: 'committed'; readonly events: readonly RecordedEvent[] }
  /** The key was committed before with the same body (perhaps a moment ago, by a racing request): its events, data as of now. */
  | { readonly kind: 'repeated'; readonly events: readonly RecordedEvent[] }
  /** The key was committed before with another body. */
  | { readonly kind: 'key_reused' }
  /** A subject is not at the version that the command expected: load and decide again. */
  | { readonly kind: 'conflict'; readonly subject: string; readonly version: number }
  /** A required memory is not present (any more): load and decide again. */
  | { readonly kind: 'absent'; readonly memoryId: MemoryId };

export interface Committer {
  /**
   * Commits each command by itself; outcome i belongs to command i, and one bad command fails alone. Commands given together, and
   * calls made while another is under way, may share a transaction.
   *
   * Before it resolves, an implementation must: move every subject from its expected version; append the events to the journal with
   * positions in commit order; insert the key; make the graph show the events; all durable against loss of power. Then it must wake
   * the stream. A `memory.deleted` erases the data of all journalled events of that memory and of its associations in the same
   * commit, makes its associations gone, and removes what it held in the embedding cache (`SuppliedVector`s of it included).
   * An association event whose end is absent is refused with `absent`; afterwards a delete wins over it for ever.
   *
   * Errors: DependencyError, with `outcomeUnknown` when the events may stand. It never retries a refused command by itself.
   */
  commit(commands: readonly Command[]): Promise<readonly Outcome[]>;

  /**
   * What an earlier request with this key (kept for 24 h), or an unanswered one with this fingerprint (60 s), committed. Undefined when
   * there is none. `key_reused` when the key came with another body. A fingerprint matches only while nobody answered its request:
   * its rows were rolled forward by somebody else, its process died, or it was abandoned.
   */
  earlier(request: {
    readonly key: CommandKey | null;
    readonly fingerprint: string | null;
  }): Promise<Extract<Outcome, { kind: 'repeated' | 'key_reused' }> | undefined>;

  /** The caller of this command has its answer, so an equal request is a new one. Lossy: may be forgotten in a crash. */
  answered(commandId: string): void;

  /** Nobody hears the answer to this command any more, so an equal request is the same one. Lossy as `answered`. */
  abandoned(commandId: string): void;

  /** Events committed but not yet shown by the graph (a gauge for health; always 0 where both are one store). */
  pending(): Promise<number>;
}

/** The steps at which a test may break a commit. Adapters call `hit` at those they have, with the ids of the commands in the group. */
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
  /** Throwing breaks the commit at this step; returning lets it go on. In production nothing is passed. */
  hit(step: CommitStep, commandIds: readonly string[]): void | Promise<void>;
}
