/** What a rebuild of the vector index uses, and what its steps share while one job runs. */
import type { Logger } from '../../../shared/kernel/logger.js';
import type { Embedder, EmbeddingCache } from '../../../shared/ports/embedder.js';
import type { GraphReader } from '../../../shared/ports/graph.js';
import type { GraphScan } from '../../../shared/ports/graph-scan.js';
import type { JournalReader, ProjectorStates } from '../../../shared/ports/journal.js';
import type { OutboxReader } from '../../../shared/ports/outbox.js';
import type {
  EmbeddingTarget,
  SpaceStore,
  VectorIndexes,
  VectorSpace,
  VectorSpaces,
} from '../../../shared/ports/vector-spaces.js';
import type { VectorIndexer } from '../../vector-indexer/vector-indexer.js';
import type { RebuildState } from './rebuild-state.js';

export type RebuildPorts = {
  readonly spaces: VectorSpaces;
  readonly indexes: VectorIndexes;
  /** An embedder for the vectors of a space, at the priority of background work. Null: the configured one. */
  readonly openEmbedder: (target: EmbeddingTarget | null) => Promise<Embedder>;
  readonly cache: EmbeddingCache;
  readonly graph: Pick<GraphReader, 'memories' | 'tombstones' | 'counts'>;
  readonly graphScan: Pick<GraphScan, 'memories'>;
  readonly journal: Pick<JournalReader, 'read' | 'head'>;
  /** Present where the graph follows the journal. */
  readonly outbox?: Pick<OutboxReader, 'publishedThrough' | 'unapplied'> | undefined;
  readonly states: Pick<ProjectorStates, 'list'>;
  readonly logger: Logger;
  /** The pause after each page, in percent of the time of the page, so that recalls have the engines meanwhile. */
  readonly pausePercent: number;
  /** The longest wait for the processes that still use the index before the switch. */
  readonly settleMs?: number;
};

/** One run of a job. */
export type RebuildRun = RebuildPorts & {
  readonly space: Pick<VectorSpace, 'number' | 'model' | 'dimension'>;
  readonly store: SpaceStore;
  readonly repair: VectorIndexer['repair'];
  readonly save: (state: RebuildState) => Promise<void>;
  readonly signal: AbortSignal;
};
