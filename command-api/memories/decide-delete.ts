/**
 * Decides DELETE /memory/:id and each round of DELETE /memory/by-tag. The event alone also removes associations and
 * content.
 */
import type { NewEvent } from '../../shared/contract/events.js';
import type { LoadedMemory } from '../../shared/ports/graph.js';
import { wholeTagKey } from '../../shared/text/tags.js';
import { type Decision, type Facts, newEvent } from '../decision.js';
import { type IfMatch, requirePresent } from './require-present.js';

export function decideDelete(loaded: LoadedMemory | undefined, facts: Facts & IfMatch): Decision {
  return { events: [deletion(requirePresent(loaded, facts), 0, facts)], requires: [], vectors: [] };
}

/** Deletes the loaded memories that still have one of the tags: a memory that lost the tag since the search stays. */
export function decideDeleteTagged(loaded: readonly LoadedMemory[], tags: readonly string[], facts: Facts): Decision {
  const wanted = new Set(tags.map(wholeTagKey));
  const tagged = loaded.filter(({ memory }) => memory.tags.some((tag) => wanted.has(wholeTagKey(tag))));
  return { events: tagged.map((one, index) => deletion(one, index, facts)), requires: [], vectors: [] };
}

function deletion({ memory: { id }, version, revision }: LoadedMemory, index: number, facts: Facts): NewEvent {
  return newEvent(facts, index, {
    type: 'memory.deleted',
    data: {},
    subject: id,
    partitionKey: id,
    version: version + 1,
    revision: revision + 1,
  });
}
