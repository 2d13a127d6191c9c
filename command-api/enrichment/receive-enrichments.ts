/** POST /internal/enrichments: what the enricher of another process found out. */
import type { RecordEnrichments } from '../../shared/contract/enrichment.js';
import type { Handler } from '../../shared/http/handler.js';
import { readEnrichments } from './read-enrichments.js';

export function createReceiveEnrichments({
  recordEnrichments,
}: {
  readonly recordEnrichments: RecordEnrichments;
}): Handler<'recordEnrichments'> {
  return async ({ body }) => ({
    status: 200,
    body: { status: 'success', outcomes: await recordEnrichments(readEnrichments(body.commands)) },
  });
}
