/** The handlers of the operations that show the graph. */
import { PUBLIC_ASSOCIATION_TYPES, RELATION_COLORS, TYPE_COLORS } from '../../shared/contract/graph-views/drawing.js';
import type { graphViewOperations } from '../../shared/contract/graph-views/graph-view-operations.js';
import { MEMORY_TYPES } from '../../shared/contract/memory.js';
import type { Handlers } from '../../shared/http/handler.js';
import type { Clock } from '../../shared/kernel/clock.js';
import type { Logger } from '../../shared/kernel/logger.js';
import type { GraphReader } from '../../shared/ports/graph.js';
import type { GraphInspector } from '../../shared/ports/graph-inspector.js';
import type { GraphScan } from '../../shared/ports/graph-scan.js';
import type { VectorIndexReader } from '../../shared/ports/vectors.js';
import type { RecallConfig } from '../config.js';
import type { NoteAccess } from '../note-access.js';
import { createAnalyzeMemories } from './analyze-memories.js';
import { createGraphStats } from './graph-stats.js';
import { createListNeighbours } from './list-neighbours.js';
import { createListRelated } from './list-related.js';
import { createReadOverview } from './read-overview.js';
import { createReadSimilar } from './read-similar.js';
import { createShowSites } from './show-sites.js';
import { createShowViewer } from './show-viewer.js';
import { createSnapshotGraph } from './snapshot-graph.js';
import { createStartupRecall } from './startup-recall.js';
import type { ViewerConfig } from './viewer-variables.js';

type Dependencies = {
  readonly graph: GraphReader;
  readonly inspector: GraphInspector;
  readonly graphScan: Pick<GraphScan, 'newest'>;
  readonly vectors: VectorIndexReader;
  readonly noteAccess: NoteAccess;
  readonly config: Pick<RecallConfig, 'relationLimit' | 'excludedTypes'>;
  readonly viewer: ViewerConfig;
  /** Consolidation archives memories of a lower relevance. */
  readonly archiveBelow: number;
  readonly clock: Clock;
  readonly logger: Logger;
};

type GraphViewOperation = keyof typeof graphViewOperations;

export function createGraphViews({
  graph,
  inspector,
  graphScan,
  vectors,
  noteAccess,
  config: { relationLimit, excludedTypes },
  viewer,
  archiveBelow,
  clock,
  logger,
}: Dependencies): Handlers<GraphViewOperation> {
  return {
    listRelated: createListRelated({ graph, relationLimit }),
    startupRecall: createStartupRecall({ graph, noteAccess }),
    ...createListDrawnKinds(),
    ...createShowViewer(viewer),
    ...createShowSites({ isEnabled: viewer.isConsoleEnabled, oidc: viewer.oidc, logger }),
    snapshotGraph: createSnapshotGraph({ inspector, archiveBelow }),
    graphStats: createGraphStats({ inspector, archiveBelow, clock }),
    readOverview: createReadOverview({ graph, inspector, clock }),
    analyzeMemories: createAnalyzeMemories({ inspector, graphScan }),
    listNeighbours: createListNeighbours({
      graph,
      readSimilar: createReadSimilar({ vectors, excludedTypes, clock, logger }),
    }),
  };
}

/** GET /graph/types and GET /graph/relations: constant answers, without a read. */
function createListDrawnKinds(): Handlers<'listGraphTypes' | 'listGraphRelations'> {
  return {
    listGraphTypes: async () => ({ status: 200, body: { types: MEMORY_TYPES, colors: TYPE_COLORS } }),
    listGraphRelations: async () => ({
      status: 200,
      body: { relations: PUBLIC_ASSOCIATION_TYPES, colors: RELATION_COLORS },
    }),
  };
}
