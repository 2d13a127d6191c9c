/** Sends the enricher's commands in calls of bounded size. */
import {
  ENRICHMENT_COMMANDS_LIMIT,
  type EnrichmentCommand,
  type EnrichmentOutcome,
  type RecordEnrichments,
} from '../../shared/contract/enrichment.js';
import { PalimpsestError } from '../../shared/kernel/errors.js';

/** Outcome i belongs to command i, an error to one that is refused for good. Throws what may pass. */
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

/** A call that is refused is made again command by command, so that one of them fails alone. */
async function recordCall(
  record: RecordEnrichments,
  commands: readonly EnrichmentCommand[],
): Promise<readonly (EnrichmentOutcome | Error)[]> {
  try {
    return await record(commands);
  } catch (error) {
    if (mayPass(error)) throw error;
    const [, ...others] = commands;
    if (others.length === 0) return [error instanceof Error ? error : new Error(String(error))];
    const outcomes: (EnrichmentOutcome | Error)[] = [];
    for (const command of commands) outcomes.push(...(await recordCall(record, [command])));
    return outcomes;
  }
}

export function mayPass(error: unknown): boolean {
  return error instanceof PalimpsestError && error.isRetryable;
}
