/** The first associations of a memory, each with just enough to know whether to follow it. */
import { clip } from './clip.js';
import type { FoundMemory, ReadRelation } from './found.js';

const SHOWN_RELATIONS = 3;
const SUMMARY_CHARACTERS = 100;

export type RelationStub = {
  readonly id: string;
  readonly type: string;
  readonly direction?: string;
  readonly strength?: number;
  readonly summary?: string;
};

export function relationsOf({ relations, related_to: relatedTo }: FoundMemory): readonly ReadRelation[] {
  return relations ?? relatedTo ?? [];
}

export function relationStubs(found: FoundMemory): readonly RelationStub[] {
  return relationsOf(found).slice(0, SHOWN_RELATIONS).map(relationStub);
}

/** On a memory that was reached from another, the other end is where it was reached from. */
export function relationStub({ type = 'RELATED', direction, strength, from, memory = {} }: ReadRelation): RelationStub {
  const summary = memory.summary ?? memory.content;
  return {
    id: memory.id ?? from ?? '',
    type,
    ...(direction === undefined ? {} : { direction }),
    ...(strength === undefined ? {} : { strength }),
    ...(summary === undefined ? {} : { summary: clip(summary, SUMMARY_CHARACTERS) }),
  };
}
