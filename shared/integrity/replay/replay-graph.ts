/**
 * Brings an empty or an older graph to the state of the journal, while commands go on. Safe to stop and to run again:
 * versions guard every event. The steps:
 *
 *   1  compare graph and journal; refuse a graph of another journal
 *   2  note in the graph that this replay fills it
 *   3  an older graph: apply the events after the position where it ends, in order
 *   4  apply the present state of each subject; this also repairs events below that position that were applied out of
 *      order
 *   5  mark an emptied graph, and bring the mark to the position that the journal expects
 *   6  remove the note: a graph that was emptied or put back meanwhile has it no longer, and is replayed again
 */
import { randomUUID } from 'node:crypto';
import { DependencyError, RuleError } from '../../kernel/errors.js';
import type { JournalReader } from '../../ports/journal.js';
import type { JournalIdentity, JournalState, RebuildProgress } from '../../ports/journal-identity.js';
import type { OutboxReader } from '../../ports/outbox.js';
import { readComparison } from '../journal-mark/check-mark.js';
import { type Comparison, graphFinding, isBehind, type MarkFinding } from '../journal-mark/mark-findings.js';
import { type EventReplay, replayEvents } from './replay-events.js';
import { replayStates } from './replay-states.js';
import type { ReplayedGraph } from './replayed-graph.js';

export type GraphReplay = {
  readonly journal: Pick<JournalReader, 'read' | 'states' | 'lastOf' | 'estimateSubjects'>;
  readonly identity: JournalIdentity;
  readonly unapplied?: OutboxReader['unapplied'] | undefined;
  readonly graph: ReplayedGraph & {
    /** Creates the schema, which an emptied graph may have lost. */
    readonly prepare: () => Promise<void>;
  };
  /** Erases one batch of the associations of deleted memories in the journal; false when nothing is left. */
  readonly eraseRest: () => Promise<boolean>;
  readonly onProgress?: ((progress: RebuildProgress) => void) | undefined;
  /** Does nothing when the mark of the graph shows that it lacks no event. */
  readonly onlyIfBehind?: boolean | undefined;
  readonly signal: AbortSignal;
};

export type ReplayResult = { readonly found: MarkFinding['kind']; readonly progress: RebuildProgress };

/**
 * Throws RuleError, before anything is written, for a graph of another journal, or one that is ahead of a journal that
 * went back.
 */
export async function replayGraph(replay: GraphReplay): Promise<ReplayResult> {
  const comparison = await readComparison({ journal: replay.identity, store: replay.graph });
  const finding = graphFinding(comparison);
  if ('problem' in finding && finding.refusesCommands) throw new RuleError(finding.problem);
  if (replay.onlyIfBehind === true && !isBehind(finding)) return { found: finding.kind, progress: NOTHING };
  await replay.graph.prepare();
  const replayId = isBehind(finding) ? randomUUID() : null;
  if (replayId !== null) await replay.graph.beginReplay(replayId);
  const totalSubjects = await replay.journal.estimateSubjects();
  const counted = countProgress(replay, totalSubjects);
  try {
    await counted.add({ events: 0, subjects: 0 });
    await bringForward(replay, comparison, { add: counted.add, replayId });
  } finally {
    await replay.identity.saveRebuild(null);
  }
  return { found: finding.kind, progress: counted.progress() };
}

const NOTHING: RebuildProgress = { events: 0, subjects: 0, totalSubjects: 0 };

type Add = (applied: { readonly events: number; readonly subjects: number }) => Promise<void>;

async function bringForward(
  replay: GraphReplay,
  { mark, journal }: Comparison,
  { add, replayId }: { readonly add: Add; readonly replayId: string | null },
): Promise<void> {
  const onApplied = (events: number) => add({ events, subjects: 0 });
  const after = Math.min(mark?.position ?? 0, journal.behindFrom ?? Infinity);
  if (mark !== null && after < journal.applied) {
    await replay.identity.saveGraphBehind(after);
    await replayEvents({ ...replay, onApplied }, { after, through: journal.applied });
  }
  // Otherwise associations that ended with a deleted memory would return with their memory.
  while (await replay.eraseRest()) replay.signal.throwIfAborted();
  await replayStates({ ...replay, onApplied: add });
  if (mark === null) await beginMarkAgain(replay);
  const behindFrom = await moveMark(replay, { onApplied, replayId });
  if (replayId !== null && !(await replay.graph.endReplay(replayId))) throw putBackMeanwhile();
  if (behindFrom !== null) await replay.identity.saveGraphCaughtUp(behindFrom);
}

/** The graph counts as put back until its mark has reached the events that commands have applied meanwhile. */
async function beginMarkAgain({ identity, graph }: GraphReplay): Promise<void> {
  const { id, applied } = await identity.state();
  await identity.saveGraphBehind(applied);
  await graph.begin({
    journalId: id,
    position: applied,
    eventId: (await identity.eventIdsAt([applied])).get(applied) ?? null,
  });
  await identity.saveGraphMarked();
}

/** Resolves to the position where the graph was put back, as the journal had it before the mark was read. */
async function moveMark(
  replay: GraphReplay,
  { onApplied, replayId }: Pick<EventReplay, 'onApplied'> & { readonly replayId: string | null },
): Promise<JournalState['behindFrom']> {
  for (;;) {
    const { applied, behindFrom } = await replay.identity.state();
    const mark = await replay.graph.read();
    if (mark === null) throw putBackMeanwhile();
    if (mark.position >= applied) return behindFrom;
    // Without its note a replay does not move the mark, and would go on without a limit.
    if (replayId === null || mark.replayId !== replayId) throw putBackMeanwhile();
    await replayEvents({ ...replay, onApplied }, { after: mark.position, through: applied });
  }
}

function putBackMeanwhile(): DependencyError {
  return new DependencyError('graph', 'The graph was emptied or put back during its rebuild: start it again');
}

/** Saves a heartbeat at most once in this time. */
const HEARTBEAT_MS = 1_000;

function countProgress({ identity, onProgress }: GraphReplay, estimate: number) {
  let progress: RebuildProgress = { events: 0, subjects: 0, totalSubjects: estimate };
  let savedAt = -Infinity;
  const add: Add = async ({ events, subjects }) => {
    const reached = progress.subjects + subjects;
    progress = { events: progress.events + events, subjects: reached, totalSubjects: Math.max(estimate, reached) };
    onProgress?.(progress);
    if (performance.now() - savedAt < HEARTBEAT_MS) return;
    savedAt = performance.now();
    await identity.saveRebuild(progress);
  };
  return { add, progress: () => progress };
}
