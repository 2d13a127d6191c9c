/** Makes `deploy/docs/metrics.md` from the definitions that the processes register. */
import type { MetricDefinition } from '../../../shared/kernel/metrics/definitions.js';

export function metricsDocument(metrics: Readonly<Record<string, MetricDefinition>>): string {
  const rows = Object.entries(metrics).map(
    ([name, { help, labels, buckets }]) =>
      `| \`${name}\` | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help} Buckets: ${buckets.join(', ')}. |\n`,
  );
  return `# Metrics

The file is made by \`npm run docs:metrics\`.

With \`METRICS_PORT\` a process serves \`GET /metrics\` in the text format of Prometheus on a port of its own, by default for this machine alone (\`METRICS_HOST\`). The port asks for no token: the metrics name operations, states and times, never an id or a word of a memory. The embedded service and each process of the distributed composition have them; the gateway router and the MCP bridge have none.

Every process also reports the metrics of Node (memory, event loop delay, garbage collection) and \`palimpsest_build_info\`, whose labels \`service\` and \`version\` say what runs.

| histogram | labels | what it measures |
|---|---|---|
${rows.join('')}`;
}
