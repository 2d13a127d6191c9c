/** The handlers of the operations that show the graph. */
import type { GraphReader } from '../../shared/graph/graph.js';
import type { Handlers } from '../../shared/http/handler.js';
import type { Clock } from '../../shared/kernel/clock.js';
import type { Logger } from '../../shared/kernel/logger.js';
import type { VectorIndexReader } from '../../shared/vectors/vectors.js';
import type { RecallConfig } from '../config.js';
import type { NoteAccess } from '../note-access.js';
import { createListDrawnKinds } from './list-drawn-kinds.js';
import { createListNeighbours } from './list-neighbours.js';
import { createListRelated } from './list-related.js';
import { createReadSimilar } from './read-similar.js';
import { createStartupRecall } from './startup-recall.js';

type Dependencies = {
  readonly graph: GraphReader;
  readonly vectors: VectorIndexReader;
  readonly noteAccess: NoteAccess;
  readonly config: Pick<RecallConfig, 'relationLimit' | 'excludedTypes'>;
  readonly clock: Clock;
  readonly logger: Logger;
};

type InspectionOperation = 'listRelated' | 'startupRecall' | 'listGraphTypes' | 'listGraphRelations' | 'listNeighbours';

export function createInspection({
  graph,
  vectors,
  noteAccess,
  config: { relationLimit, excludedTypes },
  clock,
  logger,
}: Dependencies): Handlers<InspectionOperation> {
  return {
    listRelated: createListRelated({ graph, relationLimit }),
    startupRecall: createStartupRecall({ graph, noteAccess }),
    ...createListDrawnKinds(),
    listNeighbours: createListNeighbours({
      graph,
      readSimilar: createReadSimilar({ vectors, excludedTypes, clock, logger }),
    }),
  };
}
