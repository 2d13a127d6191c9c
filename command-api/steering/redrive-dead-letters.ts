/**
 * POST /admin/dead-letters/redrive: asks for another attempt at events that could not be projected. An event after which its subject has a
 * newer one has nothing to say any more, since every event carries the whole state: its letter goes, and the answer says so.
 */
import { SCHEMA_VERSIONS, type EventType } from '../../shared/contract/events.js';
import type { Handler } from '../../shared/http/handler.js';
import type { DeadLetter, DeadLetters, JournalReader } from '../../shared/journal/journal.js';
import { chooseLetters } from './choose-letters.js';

/** That enrichment failed says nothing new of the memory: it is what brings its event here. */
const NEWS = (Object.keys(SCHEMA_VERSIONS) as EventType[]).filter((type) => type !== 'memory.enrichment.failed');

export function createRedriveDeadLetters({
  deadLetters,
  journal,
}: {
  readonly deadLetters: Pick<DeadLetters, 'get' | 'list' | 'requestRedrive' | 'discard'>;
  readonly journal: Pick<JournalReader, 'read'>;
}): Handler<'redriveDeadLetters'> {
  async function isSuperseded({ subject, position }: DeadLetter): Promise<boolean> {
    return (await journal.read({ after: position, subject, types: NEWS, limit: 1 })).length > 0;
  }

  return async ({ body }) => {
    const { letters, unknown } = await chooseLetters(deadLetters, body);
    const superseded: number[] = [];
    for (const letter of letters) if (await isSuperseded(letter)) superseded.push(letter.id);
    const ids = letters.map(({ id }) => id).filter((id) => !superseded.includes(id));
    await deadLetters.discard(superseded);
    await deadLetters.requestRedrive(ids);
    return { status: 202, body: { status: 'queued', count: ids.length, ids, superseded, unknown } };
  };
}
