/** Sends the commands of the enricher in calls of bounded size. */
import {
  ENRICHMENT_COMMANDS_LIMIT,
  type EnrichmentCommand,
  type EnrichmentOutcome,
  type RecordEnrichments,
} from '../../shared/contract/enrichment.js';
import { isRetryable, toError } from '../../shared/kernel/errors.js';

/** Outcome i belongs to command i; a permanently rejected command gets its error. Throws a retryable error. */
export async function recordAll(
  record: RecordEnrichments,
  commands: readonly EnrichmentCommand[],
): Promise<readonly (EnrichmentOutcome | Error)[]> {
  const outcomes: (EnrichmentOutcome | Error)[] = [];
  for (let start = 0; start < commands.length; start += ENRICHMENT_COMMANDS_LIMIT) {
    outcomes.push(...(await recordCall(record, commands.slice(start, start + ENRICHMENT_COMMANDS_LIMIT))));
  }
  return outcomes;
}

/** A rejected call is repeated with one command per call, so that only the invalid command fails. */
async function recordCall(
  record: RecordEnrichments,
  commands: readonly EnrichmentCommand[],
): Promise<readonly (EnrichmentOutcome | Error)[]> {
  try {
    return await record(commands);
  } catch (error) {
    if (isRetryable(error)) throw error;
    const [, ...others] = commands;
    if (others.length === 0) return [toError(error)];
    const outcomes: (EnrichmentOutcome | Error)[] = [];
    for (const command of commands) outcomes.push(...(await recordCall(record, [command])));
    return outcomes;
  }
}
