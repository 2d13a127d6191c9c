/** Describes the graph in SQLite. Every read is one procedure: one round trip, one snapshot. */
import type { GraphInspector } from '../../../ports/graph-inspector.js';
import type { SqliteHost } from '../threads/host.js';
import { withGraphErrors } from './graph-errors.js';
import { readAssociationsWithin } from './inspecting/read-associations-within.js';
import { readMostImportant } from './inspecting/read-most-important.js';
import { readConfidences, readPreferences, readSpread, readTotals } from './inspecting/read-statistics.js';
import { readMemoriesTagged, readTagCounts, readTagUsesOf } from './inspecting/read-tag-uses.js';
import { loadedMemory } from './schema/rows.js';

export function createSqliteGraphInspector({ host }: { readonly host: Pick<SqliteHost, 'read'> }): GraphInspector {
  return {
    mostImportant: async (request) =>
      (await withGraphErrors(host.read(readMostImportant, request))).map((row) => loadedMemory(row).memory),
    associationsWithin: (request) => withGraphErrors(host.read(readAssociationsWithin, request)),
    totals: () => withGraphErrors(host.read(readTotals, null)),
    spread: (request) => withGraphErrors(host.read(readSpread, request)),
    averageConfidences: () => withGraphErrors(host.read(readConfidences, null)),
    strongestPreferences: (limit) => withGraphErrors(host.read(readPreferences, limit)),
    tagCounts: (request) => withGraphErrors(host.read(readTagCounts, request)),
    tagUsesOf: (tags) => withGraphErrors(host.read(readTagUsesOf, tags)),
    memoriesTagged: async (request) => new Map(await withGraphErrors(host.read(readMemoriesTagged, request))),
  };
}
