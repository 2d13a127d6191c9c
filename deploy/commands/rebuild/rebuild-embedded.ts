/**
 * Rebuilds the graph in the data file of the embedded composition. The service must be stopped: one process has the
 * folder at a time.
 */
import { openSqlite } from '../../../shared/engines/sqlite/open.js';
import { replayGraph } from '../../../shared/integrity/replay/replay-graph.js';
import { createResources } from '../../../shared/kernel/concurrency/resources.js';
import { existingDataFile } from '../../embedded/existing-data-file.js';
import type { Rebuild } from './rebuild-options.js';

export const rebuildEmbedded: Rebuild = async ({ environment, logger, onProgress, signal }) => {
  const { folder: dataFolder } = existingDataFile(environment);
  const resources = createResources();
  try {
    const { journal, identity, eraseRest, graphMark, graphWriter } = await openSqlite({
      dataFolder,
      logger,
      resources,
    });
    const prepare = () => Promise.resolve(); // the migrations are done
    const graph = { ...graphMark, apply: graphWriter.apply, prepare };
    return await replayGraph({ journal, identity, graph, eraseRest, onProgress, signal });
  } finally {
    await resources.close();
  }
};
