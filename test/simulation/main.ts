/** `npm run simulate -- --seed N` replays a seed; `npm run simulate -- --minutes N` looks for failing ones. */
import { parseArgs } from 'node:util';
import { type Choice, FAULT_KINDS, STEPS } from './faults.js';
import { runSeed } from './run-seed.js';
import { scheduleTable } from './schedule-table.js';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string' },
    minutes: { type: 'string' },
    faults: { type: 'string', multiple: true },
    steps: { type: 'string', multiple: true },
    invariant: { type: 'string' },
  },
});
const isNamed = (names: readonly string[] | undefined, text: string): boolean =>
  names?.some((name) => text.includes(name)) ?? true;
const choice: Choice = {
  kinds: FAULT_KINDS.filter((kind) => isNamed(values.faults, kind)),
  steps: STEPS.filter((step) => isNamed(values.steps, step)),
};
const print = (line: string): void => void process.stdout.write(`${line}\n`);

if (values.seed !== undefined) {
  const result = await runSeed(Number(values.seed), choice);
  print(
    scheduleTable(
      result,
      result.violations.find(({ invariant }) => invariant === values.invariant),
    ),
  );
  print(
    `${result.steps} steps, ${result.acknowledged} writes acknowledged; refused: ${JSON.stringify([...result.refused])}`,
  );
  process.exit(result.violations.length === 0 ? 0 : 1);
}

const startedAt = performance.now();
const limitMs = Number(values.minutes ?? 1) * 60_000;
const most = Number(values.seeds ?? Infinity);
/** How often a process crashed, paused or was slow at each step. */
const reached = new Map<string, number>(STEPS.map((step) => [step, 0]));
let [runs, steps, failed] = [0, 0, 0];
for (let seed = Math.floor(Math.random() * 1e9); runs < most && performance.now() - startedAt < limitMs; seed += 1) {
  const result = await runSeed(seed, choice);
  runs += 1;
  steps += result.steps;
  for (const { step } of result.schedule.filter(({ isFault }) => isFault)) {
    const [, at] = /(?:answer to|request after) (\S+)$/u.exec(step) ?? [];
    if (at !== undefined) reached.set(at, (reached.get(at) ?? 0) + 1);
  }
  if (result.violations.length === 0) continue;
  failed += 1;
  print(scheduleTable(result));
}
const seconds = (performance.now() - startedAt) / 1_000;
print(`faults at steps: ${[...reached].map(([step, count]) => `${step} ${count}`).join(', ')}`);
print(`${runs} seeds, ${failed} with a violation, ${steps} steps, ${Math.round(steps / seconds)} steps/s`);
process.exit(failed === 0 ? 0 : 1);
