/** Makes `deploy/docs/metrics.md` from the definitions that the processes register. */
import type { GaugeDefinition, HistogramDefinition } from '../../../shared/kernel/metrics/definitions.js';

export function metricsDocument({
  histograms,
  counters,
  processGauges,
  gauges,
}: {
  readonly histograms: Readonly<Record<string, HistogramDefinition>>;
  readonly counters: Readonly<Record<string, GaugeDefinition>>;
  readonly processGauges: Readonly<Record<string, GaugeDefinition>>;
  readonly gauges: Readonly<Record<string, GaugeDefinition>>;
}): string {
  return `# Metrics

The file is made by \`npm run docs:metrics\`.

With \`METRICS_PORT\` a process serves \`GET /metrics\` in the text format of Prometheus on a port of its own, by default for this machine alone (\`METRICS_HOST\`). The port asks for no token: the metrics name operations, states and times, never an id or a word of a memory. The embedded service has them, each process of the distributed composition, the router of the project (nginx has none), and the MCP bridge over HTTP.

[Alerts](observability.md) for these metrics, with what to do about each one.

## Of each process

Every process also reports the metrics of Node (memory, event loop delay, garbage collection) and \`palimpsest_build_info\`, whose labels \`service\` and \`version\` say what runs.

| histogram | labels | what it measures |
|---|---|---|
${rowsOf(histograms, ({ help, buckets }) => `${help} Buckets: ${buckets.join(', ')}.`)}
| counter | labels | what it counts |
|---|---|---|
${rowsOf(counters, ({ help }) => help)}
| gauge | labels | what it says |
|---|---|---|
${rowsOf(processGauges, ({ help }) => help)}
## Of the whole service

One process reports these: the embedded service, or in the distributed composition the relay that leads. It reads them at each scrape. A metric without an answer within 2 s is absent.

| gauge | labels | what it says |
|---|---|---|
${rowsOf(gauges, ({ help }) => help)}`;
}

function rowsOf<D extends GaugeDefinition>(definitions: Readonly<Record<string, D>>, says: (one: D) => string): string {
  return Object.entries(definitions)
    .map(([name, one]) => `| \`${name}\` | ${one.labels.map((label) => `\`${label}\``).join(', ')} | ${says(one)} |\n`)
    .join('');
}
