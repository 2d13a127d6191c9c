/**
 * What the composition of all services in one process takes: the engines behind their ports, and what belongs to the
 * process.
 */
import type { TenantAdministration } from '../../command-api/administer-tenants.js';
import type { GraphState } from '../../command-api/command-runner.js';
import type { GraphReplayRun } from '../../command-api/maintenance/graph-rebuild.js';
import type { createProjectors } from '../../projectors/projectors.js';
import type { QueryApiDependencies } from '../../query-api/query-api.js';
import type { OpenRequests } from '../../shared/http/request/open-requests.js';
import type { Clock, Ids } from '../../shared/kernel/clock.js';
import type { Resources } from '../../shared/kernel/concurrency/resources.js';
import type { Logger } from '../../shared/kernel/logger.js';
import type { Metrics } from '../../shared/kernel/metrics/metrics.js';
import type { Committer } from '../../shared/ports/committer.js';
import type { GraphWriter } from '../../shared/ports/graph.js';
import type { Jobs } from '../../shared/ports/jobs.js';
import type { Keys } from '../../shared/ports/keys.js';
import type { OutboxReader } from '../../shared/ports/outbox.js';
import type { EventPublisher, EventSource } from '../../shared/ports/stream.js';
import type { Tenant } from '../../shared/ports/tenants.js';
import type { Webhooks } from '../../shared/ports/webhooks.js';
import type { EmbeddedConfig } from './config.js';

type ProjectorDependencies = Parameters<typeof createProjectors>[0];

export type Engines = Pick<
  QueryApiDependencies,
  | 'graph'
  | 'inspector'
  | 'lock'
  | 'journal'
  | 'archive'
  | 'deadLetters'
  | 'projectorStates'
  | 'embedder'
  | 'localIndexer'
  | 'topicRecord'
  | 'writable'
  | 'checkMark'
  | 'openTarget'
  | 'configuredProvider'
> &
  Pick<
    ProjectorDependencies,
    | 'graphScan'
    | 'spaces'
    | 'indexes'
    | 'openEmbedder'
    | 'consolidationRecords'
    | 'cache'
    | 'embeddingUses'
    | 'vectors'
    | 'indexMarks'
  > & {
    /** Present where events pass through an outbox on their way to the stream. */
    readonly outbox?: OutboxReader;
    readonly graphWriter: GraphWriter;
    readonly jobs: Jobs;
    readonly webhooks: Webhooks;
    readonly keys: Keys;
    /** Replays the journal into the graph. */
    readonly graphReplay: GraphReplayRun;
    readonly stream: Pick<EventPublisher, 'notify'> & EventSource;
  };

export type ServiceOptions = {
  readonly engines: Engines;
  readonly committer: Committer;
  /** Absent where the graph commits with its journal. */
  readonly graphState?: GraphState;
  readonly config: Pick<EmbeddedConfig, 'edge' | 'command' | 'query' | 'projectors' | 'language' | 'mcp'>;
  /** Whose service it is; null: the default one's. */
  readonly tenant: Pick<Tenant, 'id' | 'name'> | null;
  /** Null where the service has no tenants to administer. */
  readonly tenants: TenantAdministration | null;
  /** Of the process, for all tenants: background work pauses while a caller of any of them waits. */
  readonly openRequests: OpenRequests;
  readonly version: string;
  readonly instance: string;
  readonly logger: Logger;
  readonly metrics?: Metrics | undefined;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Closes everything that is started here, before the engines that were added to it earlier. */
  readonly resources: Resources;
};
