/** Prints the schedule of a failed run as a table: its faults, and the steps that concern the violation. */
import type { SeedResult } from './run-seed.js';
import type { Violation } from './violation.js';

const MOST_LINES = 60;
const STEP_WIDTH = 130;

/** The first violation of each invariant, and the schedule of one of them. */
export function scheduleTable({ seed, schedule, violations, problems }: SeedResult, shown?: Violation): string {
  const violation = shown ?? violations[0];
  if (!violation) return `seed ${seed}: no violation`;
  const positions = [...violation.found.matchAll(/position (\d+)/gu)].flatMap(([, position]) => position ?? []);
  const isAbout = (step: string): boolean =>
    step.includes(violation.about.slice(0, 8)) || positions.some((position) => ` ${step} `.includes(` ${position} `));
  const lines = schedule
    .filter(({ isFault, step }) => isFault || isAbout(step))
    .slice(-MOST_LINES)
    .map(({ at, process, step, isFault }) => {
      const text = step.length > STEP_WIDTH ? `${step.slice(0, STEP_WIDTH)}...` : step;
      return `| ${(at / 1_000).toFixed(3)} | ${process} | ${isFault ? `**${text}**` : text} |`;
    });
  return [
    `seed ${seed}: ${violation.invariant}`,
    ...firstOfEach(violations).map(({ invariant, found, count }) => `  ${count} x ${invariant}: ${found}`),
    `  reported problems: ${problems.length === 0 ? 'none' : problems.join('; ')}`,
    '',
    '| seconds | process | step or fault |',
    '|---|---|---|',
    ...lines,
  ].join('\n');
}

function firstOfEach(violations: readonly Violation[]): readonly (Violation & { readonly count: number })[] {
  const groups = new Map<string, Violation & { count: number }>();
  for (const violation of violations) {
    const group = groups.get(violation.invariant);
    if (group) group.count += 1;
    else groups.set(violation.invariant, { ...violation, count: 1 });
  }
  return [...groups.values()];
}
