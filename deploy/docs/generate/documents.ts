/** Every generated file of the repository: `npm run docs:NAME` writes it, and a test compares it. */
import type { Operation } from '../../../shared/contract/operation.js';
import { OPERATIONS } from '../../../shared/contract/operations.js';
import { DEFAULT_PORTS } from '../../../shared/http/edge-variables.js';
import { openApiDocument } from '../../../shared/http/openapi/openapi-document.js';
import {
  COUNTERS,
  type GaugeDefinition,
  GAUGES,
  type HistogramDefinition,
  HISTOGRAMS,
  PROCESS_GAUGES,
} from '../../../shared/kernel/metrics/definitions.js';
import { nginxConfig } from '../../gateway/nginx-config.js';
import { eventDocuments, type GeneratedFile } from './event-documents.js';
import { pythonClientSource } from './python-client.js';
import { ALL_VARIABLES, variableNamesSource, withVariables } from './variables-table.js';

/** The version of the event descriptions. It changes with the events, not with each release. */
const CONTRACT_VERSION = '1.0.0';
const BUNDLED_VECTOR_SIZE = 384;
/** Docker's own name server. */
const DOCKER_RESOLVER = '127.0.0.11';

export const DOCUMENTS = {
  variables: [
    { path: 'deploy/docs/configuration.md', textFrom: (present) => withVariables(present, ALL_VARIABLES) },
    { path: 'shared/kernel/config/variable-names.ts', textFrom: () => variableNamesSource(ALL_VARIABLES) },
  ],
  gateway: [
    {
      path: 'deploy/gateway/nginx.conf',
      textFrom: () =>
        nginxConfig({
          port: DEFAULT_PORTS.service,
          commandApi: [`command-api:${DEFAULT_PORTS.commandApi}`],
          queryApi: [`query-api:${DEFAULT_PORTS.queryApi}`],
          resolver: DOCKER_RESOLVER,
        }),
    },
  ],
  metrics: [
    {
      path: 'deploy/docs/metrics.md',
      textFrom: () =>
        metricsDocument({ histograms: HISTOGRAMS, counters: COUNTERS, processGauges: PROCESS_GAUGES, gauges: GAUGES }),
    },
  ],
  events: eventDocuments(CONTRACT_VERSION),
  client: [{ path: 'shared/client/routes.ts', textFrom: () => routesSource(OPERATIONS) }],
  python: [
    {
      path: 'deploy/clients/python/src/palimpsest_client/_generated.py',
      textFrom: () =>
        pythonClientSource(openApiDocument({ version: CONTRACT_VERSION, vectorSize: BUNDLED_VECTOR_SIZE })),
    },
  ],
} as const satisfies Record<string, readonly GeneratedFile[]>;

export type DocumentName = keyof typeof DOCUMENTS;

/** The schemas and texts of the operations would be nine tenths of the client. */
function routesSource(operations: Readonly<Record<string, Operation>>): string {
  const rows = Object.entries(operations).map(
    ([name, { method, path, repeatable }]) =>
      `  ${name}: { method: '${method}', path: '${path}'${repeatable ? ', repeatable: true' : ''} },`,
  );
  return [
    '/** What the client sends for each operation. The file is made by `npm run docs:client`. */',
    "import type { Operation } from '../contract/operation.js';",
    '',
    "export type Route = Pick<Operation, 'method' | 'path' | 'repeatable'>;",
    '',
    'export const ROUTES: Readonly<Record<string, Route>> = {',
    ...rows,
    '};',
    '',
  ].join('\n');
}

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
