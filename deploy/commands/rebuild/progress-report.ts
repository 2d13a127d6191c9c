/** Prints how far a rebuild is, at most once a second. */
import type { RebuildProgress } from '../../../shared/ports/journal-identity.js';

const INTERVAL_MS = 1_000;

export function createProgressReport(
  print: (line: string) => void,
  nowMs: () => number = () => performance.now(),
): {
  readonly report: (progress: RebuildProgress) => void;
  readonly summary: (progress: RebuildProgress) => string;
} {
  const startedAt = nowMs();
  let printedAt = startedAt;
  const seconds = (): number => (nowMs() - startedAt) / 1_000;
  const rate = (events: number): string => whole(events / Math.max(seconds(), 0.001));

  return {
    report: ({ events, subjects, totalSubjects }) => {
      if (nowMs() - printedAt < INTERVAL_MS) return;
      printedAt = nowMs();
      print(`${whole(subjects)} of ${whole(totalSubjects)} subjects, ${rate(events)} events/s`);
    },
    summary: ({ events, subjects }) =>
      `${whole(events)} events of ${whole(subjects)} subjects applied in ${seconds().toFixed(1)} s (${rate(events)} events/s)`,
  };
}

function whole(number: number): string {
  return Math.round(number).toLocaleString('en-US');
}
