/**
 * Lists every generated file of the repository. `npm run docs:NAME` writes it, and a test fails when it is out of date.
 */
import { DEFAULT_PORTS } from '../../../shared/http/edge-variables.js';
import { COUNTERS, GAUGES, HISTOGRAMS, PROCESS_GAUGES } from '../../../shared/kernel/metrics/definitions.js';
import { nginxConfig } from '../../gateway/nginx-config.js';
import { ALL_VARIABLES } from './all-variables.js';
import { eventDocuments } from './event-documents.js';
import type { GeneratedFile } from './generated-file.js';
import { metricsDocument } from './metrics-document.js';
import { withVariables } from './variables-table.js';

/** The version of the event descriptions. It changes with the events, not with each release. */
const CONTRACT_VERSION = '1.0.0';
/** Docker's own name server. */
const DOCKER_RESOLVER = '127.0.0.11';

export const DOCUMENTS = {
  variables: [{ path: 'deploy/docs/configuration.md', textFrom: (present) => withVariables(present, ALL_VARIABLES) }],
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
} as const satisfies Record<string, readonly GeneratedFile[]>;

export type DocumentName = keyof typeof DOCUMENTS;
