/**
 * Asks promtool what the alert rules make of recorded figures. Faults of tests last for seconds and alerts wait for
 * minutes, so the figures of each phase go on as they were: counters and positions grow at their measured rates, during
 * the fault ages too, and all others keep their values.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Context } from 'mocha';
import { skipWithReason } from '../checks/not-run.js';
import { REPOSITORY } from '../checks/source-files.js';
import { createTempFolder } from '../fixtures/temp-folder.js';
import { findProgram } from '../processes/programs.js';
import { type FigureRecord, type Phase, startOf } from './figure-record.js';

const RULES = join(REPOSITORY, 'deploy', 'observability', 'alerts.yaml');
/** Longer than the longest wait of an alert, which is an hour. */
const [MINUTES_BEFORE, MINUTES_DURING] = [10, 75];
const COUNTER = /_(?:total|count|sum|bucket)\{/u;
const POSITION = /_position\{/u;
const AGE = /_seconds\{/u;
/** The marker of Prometheus for a series that a scrape no longer has. */
const ABSENT = 'stale';

/**
 * Expects that each of these alerts was quiet before the fault and fires during it. An alert may name labels:
 * `Name{label="value"}`. Skips the test on a machine without promtool.
 */
export async function expectAlerts(
  context: Context,
  record: FigureRecord,
  alerts: readonly [string, ...string[]],
): Promise<void> {
  const promtool = findProgram('promtool');
  if (promtool === null) skipWithReason(context, "alerts: install Debian's package prometheus for its promtool");
  const folder = await createTempFolder();
  try {
    const file = join(folder.path, 'alerts.test.json');
    await writeFile(file, JSON.stringify(testFile(record, alerts)));
    await promisify(execFile)(promtool, ['test', 'rules', file]).catch(
      ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) => {
        throw new Error(
          `Expected ${alerts.join(', ')} quiet before the fault (0) and firing during it (1):\n${stdout}${stderr}`,
        );
      },
    );
  } finally {
    await folder.remove();
  }
}

/** A test file of promtool. JSON is YAML. */
function testFile(record: FigureRecord, alerts: readonly string[]): object {
  const expect = (minutes: number, value: number) =>
    alerts.map((alert) => ({
      expr: `(count(ALERTS{${selectorOf(alert)},alertstate="firing"}) > bool 0) or vector(0)`,
      eval_time: `${minutes}m`,
      exp_samples: [{ labels: '{}', value }],
    }));
  return {
    rule_files: [RULES],
    evaluation_interval: '1m',
    tests: [
      {
        interval: '1m',
        input_series: seriesOf(record),
        promql_expr_test: [...expect(MINUTES_BEFORE, 0), ...expect(MINUTES_BEFORE + MINUTES_DURING, 1)],
      },
    ],
  };
}

function selectorOf(alert: string): string {
  const [name = '', labels = ''] = alert.split(/[{}]/u);
  return [`alertname="${name}"`, ...(labels === '' ? [] : [labels])].join();
}

function seriesOf(record: FigureRecord): readonly { readonly series: string; readonly values: string }[] {
  const { before, during } = record.phases();
  const names = new Set(readFileSync(RULES, 'utf8').match(/\bpalimpsest_[a-z_]+/gu));
  const all = new Set([...before.last.values.keys(), ...during.last.values.keys()]);
  return [...all]
    .filter((series) => names.has(series.slice(0, series.indexOf('{'))))
    .map((series) => {
      const quiet = valuesOf(before, {
        series,
        minutes: MINUTES_BEFORE + 1,
        isGrowing: isCounted(series),
        grownTo: null,
      });
      const grownTo = grownUntil(series, { before, during, reached: quiet.at(-1) ?? null });
      const isGrowing = isCounted(series) || AGE.test(series);
      const faulty = valuesOf(during, { series, minutes: MINUTES_DURING, isGrowing, grownTo });
      return { series, values: [...quiet, ...faulty].map((value) => value ?? ABSENT).join(' ') };
    });
}

/**
 * Where a counter stands at the begin of the fault: it goes on from the minutes before, and from 0 after a restart of
 * its process.
 */
function grownUntil(
  series: string,
  { before, during, reached }: { readonly before: Phase; readonly during: Phase; readonly reached: number | null },
): number | null {
  const [earlier, now] = [before.last.values.get(series), during.first.values.get(series)];
  if (!isCounted(series) || reached === null || earlier === undefined || now === undefined || now < earlier)
    return null;
  return reached + now - earlier;
}

const isCounted = (series: string): boolean => COUNTER.test(series) || POSITION.test(series);

/** The values of one minute each; null while the scrapes have no such series. */
function valuesOf(
  { first, last }: Phase,
  {
    series,
    minutes,
    isGrowing,
    grownTo,
  }: {
    readonly series: string;
    readonly minutes: number;
    readonly isGrowing: boolean;
    readonly grownTo: number | null;
  },
): readonly (number | null)[] {
  const end = last.values.get(series);
  if (end === undefined) return Array.from({ length: minutes }, () => null);
  const begin = (COUNTER.test(series) ? startOf(series, first) : first.values.get(series)) ?? end;
  if (!isGrowing) return Array.from({ length: minutes }, () => end);
  const perMinute = ((end - begin) / (last.atMs - first.atMs)) * 60_000;
  return Array.from({ length: minutes }, (_, minute) => (grownTo ?? begin) + minute * perMinute);
}
