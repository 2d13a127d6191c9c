/** Decides DELETE /memory/:id and each round of DELETE /memory/by-tag. The event alone takes associations and words along. */
import type { NewEvent } from '../../shared/contract/events.js';
import type { LoadedMemory } from '../../shared/graph/graph.js';
import { wholeTagKey } from '../../shared/text/tags.js';
import { newEvent, type Decision, type Facts } from '../decision.js';
import { demandPresent, type IfMatch } from './demand-present.js';

export function decideDelete(loaded: LoadedMemory | undefined, facts: Facts & IfMatch): Decision {
  return { events: [deletion(demandPresent(loaded, facts), 0, facts)], requires: [], vectors: [] };
}

/** Of the loaded, those that hold one of the tags now: one that lost it since it was found stays. */
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
