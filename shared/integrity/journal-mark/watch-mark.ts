/** Compares the graph with its journal once a second, and refuses commands while they would mix two histories. */
import { createLoop } from '../../kernel/concurrency/loop.js';
import { DependencyError, messageOf } from '../../kernel/errors.js';
import type { Logger } from '../../kernel/logger.js';
import type { CheckMark } from './check-mark.js';
import { isBehind, type MarkFinding } from './mark-findings.js';

export const MARK_CHECK_MS = 1_000;
const RETRY_AFTER_SECONDS = 30;

export interface MarkWatch {
  /** Throws DependencyError with the words of the finding while commands are refused. */
  requireSameJournal(): void;
  /** The same after a comparison that begins after the call. Throws DependencyError also when that fails. */
  requireSameJournalNow(): Promise<void>;
  /** The result of the last comparison. */
  finding(): MarkFinding;
  /** True while the graph lacks events, by the last comparison. */
  isBehind(): boolean;
  /**
   * The same by a comparison that begins after the call, or by the last one if that fails. Concurrent calls share a
   * comparison.
   */
  isBehindNow(): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * Resolves after the first comparison. A comparison that fails changes nothing: the engines that fail are reported
 * elsewhere.
 */
export async function watchMark({
  checkMark,
  logger,
  checkMs = MARK_CHECK_MS,
}: {
  readonly checkMark: CheckMark;
  readonly logger: Logger;
  readonly checkMs?: number;
}): Promise<MarkWatch> {
  const closing = new AbortController();
  let finding: MarkFinding = { kind: 'unmarked' };

  async function compare(): Promise<void> {
    const before = finding.kind;
    finding = await checkMark();
    if (finding.kind === before) return;
    if ('problem' in finding) logger.error({ finding: finding.kind }, finding.problem);
    else logger.info({ finding: finding.kind, before }, 'graph and journal compared');
  }

  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<void> | null = null;
  /** One comparison at a time. It begins after the call. */
  function compareNext(): Promise<void> {
    next ??= running.then(() => {
      next = null;
      const comparison = compare();
      running = comparison.catch(() => undefined /* reported to those who wait for it */);
      return comparison;
    });
    return next;
  }

  const loop = createLoop({
    step: async () => {
      await compareNext();
      return 'idle';
    },
    onFailure: (error, waitMs) =>
      logger.debug({ reason: messageOf(error), waitMs }, 'graph and journal could not be compared'),
    pace: { idleMinimumMs: checkMs, idleMaximumMs: checkMs, failedMinimumMs: checkMs, failedMaximumMs: checkMs },
  });
  await compare().catch((error: unknown) =>
    logger.warn({ reason: messageOf(error) }, 'graph and journal could not be compared'),
  );
  const watching = loop.run(closing.signal);

  return {
    requireSameJournal: () => requireSameJournal(finding),
    requireSameJournalNow: async () => {
      await compareNext();
      requireSameJournal(finding);
    },
    finding: () => finding,
    isBehind: () => isBehind(finding),
    isBehindNow: async () => {
      await compareNext().catch(() => undefined /* the last comparison counts */);
      return isBehind(finding);
    },
    close: async () => {
      closing.abort();
      await watching;
    },
  };
}

/** Throws DependencyError for a finding that refuses commands. */
export function requireSameJournal(finding: MarkFinding): void {
  if ('problem' in finding && finding.refusesCommands)
    throw new DependencyError('journal', finding.problem, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
