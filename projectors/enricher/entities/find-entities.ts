/**
 * The names in a text, by what they name. Finders propose, the gate decides; a stretch of text names one thing, and the first finder that
 * explains it has it. Pure, in time linear in the text.
 */
import { entitySlug } from '../../../shared/text/entity-tags.js';
import type { Candidate, FindCandidates } from './candidates/candidate.js';
import { findConcepts } from './candidates/find-concepts.js';
import { findEvents } from './candidates/find-events.js';
import { findOrganizations } from './candidates/find-organizations.js';
import { findPeople } from './candidates/find-people.js';
import { findPlaces } from './candidates/find-places.js';
import { findProjects } from './candidates/find-projects.js';
import { findTools } from './candidates/find-tools.js';
import type { EntityCategory } from './entity-category.js';
import { judgeEntity } from './judge-entity.js';
import { looksLikeCode } from './looks-like-code.js';
import { readPage } from './read-page.js';

/** Of one text. */
export const ENTITIES_LIMIT = 20;

/** Names by EntityCategory, sorted; a category without names is absent. At most ENTITIES_LIMIT, those first in the text. */
export function findEntities(content: string): Readonly<Record<string, readonly string[]>> {
  const page = readPage(content);
  const isTaken = new Uint8Array(page.text.length);
  const claimed: Candidate[] = [];
  for (const find of FINDERS) {
    for (const candidate of find(page)) {
      const { start, end } = candidate;
      if (isTaken.subarray(start, end).includes(1)) continue;
      isTaken.fill(1, start, end);
      claimed.push(candidate);
    }
  }
  return byCategory(
    distinct(claimed.filter(isKept))
      .sort((a, b) => a.start - b.start)
      .slice(0, ENTITIES_LIMIT),
  );
}

const FINDERS: readonly FindCandidates[] = [
  findProjects,
  findOrganizations,
  findEvents,
  findPlaces,
  findPeople,
  findTools,
  findConcepts,
];

function isKept({ category, name }: Candidate): boolean {
  if (looksLikeCode(name)) return false;
  const verdict = judgeEntity({ category, name });
  return verdict.ok && verdict.slug === entitySlug(name);
}

/** One name is one thing: a person who is also a tool is a person. Alice is Alice Johnson where both are named. */
function distinct(candidates: readonly Candidate[]): Candidate[] {
  const bySlug = new Map<string, Candidate>();
  for (const candidate of candidates) {
    const slug = entitySlug(candidate.name);
    if (!bySlug.has(slug)) bySlug.set(slug, candidate);
  }
  const people = [...bySlug.values()].filter(({ category }) => category === 'people');
  const named = new Set(
    people.filter(({ name }) => name.includes(' ')).map(({ name }) => entitySlug(name.slice(0, name.indexOf(' ')))),
  );
  return [...bySlug]
    .filter(([slug, { category }]) => category !== 'people' || !named.has(slug))
    .map(([, candidate]) => candidate);
}

function byCategory(candidates: readonly Candidate[]): Readonly<Record<string, readonly string[]>> {
  const names: Partial<Record<EntityCategory, string[]>> = {};
  for (const { category, name } of candidates) (names[category] ??= []).push(name);
  return Object.fromEntries(Object.entries(names).map(([category, found]) => [category, found.sort()]));
}
