/**
 * Checks alert rules and dashboard: each metric and operation that they name exists, and each alert is tested and has
 * its page in the runbook.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { OPERATIONS } from '../../shared/contract/operations.js';
import { COUNTERS, GAUGES, HISTOGRAMS, PROCESS_GAUGES } from '../../shared/kernel/metrics/definitions.js';
import { readSourceFiles, REPOSITORY } from '../support/checks/source-files.js';

type Rule = {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
};
type RulesFile = { readonly groups: readonly { readonly rules: readonly Rule[] }[] };
type TestCase = { readonly alertname: string; readonly exp_alerts?: readonly unknown[] };
type TestsFile = { readonly tests: readonly { readonly alert_rule_test: readonly TestCase[] }[] };

const read = (path: string): string => readFileSync(join(REPOSITORY, 'deploy', path), 'utf8');
const rules = (parse(read('observability/alerts.yaml')) as RulesFile).groups.flatMap((group) => group.rules);
const cases = (parse(read('observability/alerts.test.yaml'), { merge: true }) as TestsFile).tests.flatMap(
  (test) => test.alert_rule_test,
);
/** Alerts whose expression no test makes true with the figures of a running service, and why. */
const UNOBSERVED: Readonly<Record<string, string>> = {
  PalimpsestDiskFills: 'the tests of a full disk limit files, and the file system of the machine has space',
};
const tests = readSourceFiles().filter(
  ({ path }) => path.startsWith('test/') && !path.startsWith('test/architecture/'),
);

const runbook = read('docs/observability.md');

const METRIC_NAMES = [
  ...Object.keys(GAUGES),
  ...Object.keys(PROCESS_GAUGES),
  ...Object.keys(COUNTERS),
  ...Object.keys(HISTOGRAMS).flatMap((name) => ['bucket', 'count', 'sum'].map((part) => `${name}_${part}`)),
  'palimpsest_build_info',
];
const unknownMetrics = (text: string): readonly string[] =>
  (text.match(/\bpalimpsest_[a-z_]+/gu) ?? []).filter((name) => !METRIC_NAMES.includes(name));

describe('alerts', () => {
  it('are several', () => expect(rules.length).to.be.above(5));

  for (const { alert, expr, labels, annotations } of rules) {
    it(`use metrics and operations that exist: ${alert}`, () => {
      expect(unknownMetrics(expr)).to.deep.equal([]);
      const operations = [...expr.matchAll(/operation=~?"([^"]+)"/gu)].flatMap(([, names = '']) => names.split('|'));
      expect(operations.filter((name) => !(name in OPERATIONS))).to.deep.equal([]);
    });

    it(`have a case that raises them and one that does not: ${alert}`, () => {
      const own = cases.filter(({ alertname }) => alertname === alert);
      expect(own.map(({ exp_alerts: raised = [] }) => raised.length > 0)).to.include.members([true, false]);
    });

    it(`fire in a test of a fault: ${alert}`, () => {
      const isObserved = tests.some(({ text }) => text.includes(`'${alert}`) || text.includes(`\`${alert}`));
      expect(isObserved, UNOBSERVED[alert]).to.equal(!(alert in UNOBSERVED));
    });

    it(`have a page in the runbook: ${alert}`, () => {
      expect(['page', 'ticket']).to.include(labels.severity);
      expect(annotations.runbook).to.equal(`deploy/docs/observability.md#${alert.toLowerCase()}`);
      const [, page = ''] = runbook.split(`\n## ${alert}\n`);
      const [text = ''] = page.split('\n## ');
      for (const part of ['**Means.**', '**Look at.**', '**Do.**']) expect(text).to.contain(part);
    });
  }

  it('are the only pages of the runbook', () => {
    const pages = [...runbook.matchAll(/^## (.+)$/gmu)].map(([, name]) => name);
    expect(pages).to.deep.equal(rules.map(({ alert }) => alert));
  });
});

describe('the dashboard', () => {
  it('shows metrics that exist', () => {
    const dashboard = JSON.parse(read('observability/grafana/dashboard.json')) as {
      readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[];
    };
    expect(dashboard.panels).to.not.be.empty;
    for (const { title, targets } of dashboard.panels)
      expect(
        targets.flatMap(({ expr }) => unknownMetrics(expr)),
        title,
      ).to.deep.equal([]);
  });
});
