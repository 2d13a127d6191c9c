/**
 * Finds the names in a text, by category. Finders propose candidates and the quality gate checks them. A piece of text
 * belongs to the first finder that claims it. Runs in linear time.
 *
 * Measured against compromise 14.17 on 300 texts of LoCoMo and BEAM, pooled and labelled by hand. People: 98 %
 * precision and 94 % recall, where compromise has 95 % and 99 %. Places: 83 % and 42 %, where it has 69 % and 92 %. It
 * knows no tools and needs ten times as long, so the rules stay.
 */
import type { EntityCategory } from '../../../shared/contract/entities/entity.js';
import { checkEntity } from '../../../shared/entities/check-entity.js';
import { isKnownTool } from '../../../shared/entities/names/known-tools.js';
import { entitySlug } from '../../../shared/text/entity-tags.js';
import type { Candidate, FindCandidates } from './candidates/candidate.js';
import { findConcepts, findPlaces } from './candidates/find-concepts.js';
import { findEvents } from './candidates/find-events.js';
import { findOrganizations } from './candidates/find-organizations.js';
import { findPeople } from './candidates/find-people.js';
import { findProjects } from './candidates/find-projects.js';
import { findTools } from './candidates/find-tools.js';
import { readPage } from './read-page.js';

/** Largest number of entities of one text. */
export const ENTITIES_LIMIT = 20;

/**
 * Names by EntityCategory, sorted; a category without names is absent. Keeps the first ENTITIES_LIMIT names of the
 * text.
 */
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
  const verdict = checkEntity({ category, name });
  return verdict.ok && verdict.slug === entitySlug(name);
}

/**
 * One entity per name: a name that is a person and a tool stays a person. `Alice` is dropped when `Alice Johnson` is
 * there too.
 */
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

/** A name that is a piece of program code or markup. */
function looksLikeCode(name: string): boolean {
  if (isKnownTool(name.toLowerCase())) return false;
  return MARKUP.test(name) || CONSTANT.test(name) || CLASS_NAME.test(name) || FAILURE.test(name) || name.endsWith(':');
}

const MARKUP = /^[[\](){}<>*_#|~"'`\\/@$%-]/u;
/** `MAX_RETRIES`. */
const CONSTANT = /^[A-Z][A-Z0-9]*_[A-Z0-9_]*$/u;
const CLASS_SUFFIXES =
  `Handler Service Manager Controller Factory Provider Repository Adapter Wrapper Builder Client Error Exception Config Props Utils Helper
  Middleware Router Context Component Test`.split(/\s+/u);
const CLASS_NAME = new RegExp(String.raw`\p{Ll}(?:${CLASS_SUFFIXES.join('|')})$`, 'u');
const FAILURES = [
  'HTTP',
  'Internal Server',
  'Bad Gateway',
  'Bad Request',
  'Not Found',
  'Unauthorized',
  'Forbidden',
  'Gateway Timeout',
  'Service Unavailable',
  'Connection (?:Refused|Reset|Timeout)',
];
const FAILURE = new RegExp(String.raw`^(?:${FAILURES.join('|')})\b`, 'iu');
