/** Composes the command side: one handler for each command of the contract and for each internal command. */
import { CONSOLIDATION_SCHEMAS, type RecordConsolidation } from '../shared/contract/consolidation/commands.js';
import { ENRICHMENT_SCHEMAS, type RecordEnrichments } from '../shared/contract/enrichment.js';
import type { CheckKey } from '../shared/http/auth.js';
import type { CommandOperation, Handlers, InternalOperation } from '../shared/http/handler.js';
import type { Clock, Ids } from '../shared/kernel/clock.js';
import type { Logger } from '../shared/kernel/logger.js';
import { createCheckKey } from '../shared/keys/check-key.js';
import type { Committer } from '../shared/ports/committer.js';
import type { GraphReader, GraphWriter } from '../shared/ports/graph.js';
import type { GraphInspector } from '../shared/ports/graph-inspector.js';
import type { Jobs } from '../shared/ports/jobs.js';
import type { DeadLetters, JournalReader, ProjectorStates } from '../shared/ports/journal.js';
import type { Keys } from '../shared/ports/keys.js';
import type { LanguageModel } from '../shared/ports/language-model.js';
import type { Tenant } from '../shared/ports/tenants.js';
import type { VectorIndexReader } from '../shared/ports/vectors.js';
import type { Webhooks } from '../shared/ports/webhooks.js';
import { createAdministerKeys } from './administer-keys.js';
import { createAdministerTenants, type TenantAdministration } from './administer-tenants.js';
import { createAssociate } from './associations/associate.js';
import { createCommandHandling } from './command-handling.js';
import type { GraphState } from './command-runner.js';
import type { CommandConfig } from './config.js';
import { createRecordConsolidation } from './consolidation/record-consolidation.js';
import { createRestoreMemory } from './consolidation/restore-memory.js';
import { createRecordEnrichments } from './enrichment/record-enrichments.js';
import { createReprocess } from './enrichment/reprocess.js';
import { createMergeEntity } from './entities/merge-entity.js';
import { createUnmergeEntity } from './entities/unmerge-entity.js';
import { createAdministerProjectors } from './maintenance/administer-projectors.js';
import { createRebuildGraph } from './maintenance/graph-rebuild.js';
import { createImportRecords } from './maintenance/import-records.js';
import { createContentReader } from './memories/content-reader.js';
import { createDeleteByTag, createDeleteMemory } from './memories/delete-memories.js';
import { createStoreBatch, createStoreMemory, type StoreDeps } from './memories/store-memory.js';
import { createUpdateMemory } from './memories/update-memory.js';
import { createReceiveCommands, createRecordAccess, type RecordAccess } from './receive-commands.js';
import { createIndexerWatch, createVectorWait, noVectorWait } from './vector-wait.js';
import { createAdministerWebhooks } from './webhooks/administer-webhooks.js';

export type CommandApiDeps = {
  readonly committer: Committer;
  readonly graph: GraphReader;
  readonly graphWriter: Pick<GraphWriter, 'recordAccess'>;
  readonly inspector: Pick<GraphInspector, 'tagUsesOf'>;
  /** Null where no vector index is configured. */
  readonly vectors: Pick<VectorIndexReader, 'versions'> | null;
  /** The length of a supplied embedding, read for each one; throws DependencyError while it is unknown. */
  readonly vectorSize: () => number;
  readonly journal: Pick<JournalReader, 'read' | 'lastOf' | 'ageAfter' | 'head'>;
  /** Absent where the graph commits with its journal. */
  readonly graphState?: GraphState | undefined;
  readonly deadLetters: Pick<DeadLetters, 'find' | 'get' | 'list' | 'requestRedrive' | 'discard'>;
  readonly projectorStates: Pick<ProjectorStates, 'list' | 'setPaused'>;
  readonly jobs: Pick<Jobs, 'create'>;
  readonly webhooks: Pick<Webhooks, 'create' | 'find' | 'update' | 'remove'>;
  readonly keys: Keys;
  /** Whose commands they are; null: the default tenant's. */
  readonly tenant: Pick<Tenant, 'id' | 'name'> | null;
  /** Null where there are no tenants to administer. */
  readonly tenants: TenantAdministration | null;
  readonly language: LanguageModel;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly config: CommandConfig;
};

export type CommandApi = {
  readonly handlers: Handlers<CommandOperation>;
  readonly checkKey: CheckKey;
  /** For our other processes; served only in the distributed composition. */
  readonly internalHandlers: Handlers<InternalOperation>;
  /** For the access recorder in this process: `last_accessed = max(old, at)`. */
  readonly recordAccess: RecordAccess;
  /** For the enricher in this process. */
  readonly recordEnrichments: RecordEnrichments;
  /** For the consolidator in this process. */
  readonly recordConsolidation: RecordConsolidation;
  /** For the vector indexer in this process: answers the stores whose vectors the index has now. */
  readonly onIndexed: () => void;
};

export function createCommandApi(deps: CommandApiDeps): CommandApi {
  const { committer, graph, graphWriter, language, clock, ids, config, graphState } = deps;
  const commands = createCommandHandling({ committer, clock, ids, graphState });
  const vectors = vectorWait(deps);
  const storeDeps: StoreDeps = {
    commands,
    ids,
    readContents: createContentReader({ language, rules: config.summary }),
    vectors,
    limits: {
      contentHardLimit: config.contentHardLimit,
      get vectorSize() {
        return deps.vectorSize();
      },
    },
    vectorWaitMs: config.vectorWaitMs,
    vectorBatchWaitMs: config.vectorBatchWaitMs,
  };
  const recordAccess: RecordAccess = (memoryIds, at) => graphWriter.recordAccess(memoryIds, at);
  const whenWhole =
    <C, O>(record: (given: C) => Promise<O>) =>
    async (given: C): Promise<O> => {
      commands.requireWholeGraph();
      return record(given);
    };
  const recordEnrichments = whenWhole(createRecordEnrichments({ committer, graph, clock, ids }));
  const recordConsolidation = whenWhole(createRecordConsolidation({ committer, graph, clock, ids }));
  return {
    checkKey: createCheckKey(deps),
    handlers: {
      storeMemory: createStoreMemory(storeDeps),
      storeBatch: createStoreBatch(storeDeps),
      updateMemory: createUpdateMemory({ ...storeDeps, graph }),
      deleteMemory: createDeleteMemory({ commands, graph }),
      deleteByTag: createDeleteByTag({ commands, graph }),
      associate: createAssociate({ commands, graph }),
      ...createAdministerProjectors(deps),
      ...createAdministerKeys({ ...deps, commands }),
      ...createAdministerTenants(deps),
      ...createAdministerWebhooks({ ...deps, addresses: config.webhookAddresses }),
      reprocess: createReprocess({ commands, graph }),
      rebuildGraph: createRebuildGraph(deps),
      mergeEntity: createMergeEntity({ ...deps, commands }),
      unmergeEntity: createUnmergeEntity({ ...deps, commands }),
      restoreMemory: createRestoreMemory({ commands, graph }),
      importRecords: createImportRecords({ ...storeDeps, committer }),
    },
    internalHandlers: {
      recordAccess: createRecordAccess({ recordAccess }),
      recordEnrichments: createReceiveCommands({ schemas: ENRICHMENT_SCHEMAS, record: recordEnrichments }),
      recordConsolidation: createReceiveCommands({ schemas: CONSOLIDATION_SCHEMAS, record: recordConsolidation }),
    },
    recordAccess,
    recordEnrichments,
    recordConsolidation,
    onIndexed: vectors.wake,
  };
}

function vectorWait({ vectors, deadLetters, journal, projectorStates, logger }: CommandApiDeps): typeof noVectorWait {
  if (!vectors) return noVectorWait;
  const indexer = createIndexerWatch({ journal, states: projectorStates, logger });
  return createVectorWait({ vectors, deadLetters, indexer, logger });
}
