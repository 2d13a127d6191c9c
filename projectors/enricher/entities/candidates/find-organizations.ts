/** Finds organizations: known names, names whose first or last word shows an organization, and names of employers. */
import {
  KNOWN_ORGANIZATIONS,
  ORGANIZATION_BEGINNINGS,
  ORGANIZATION_ENDINGS,
} from '../../../../shared/entities/names/known-organizations.js';
import { isKnownPlace } from '../../../../shared/entities/names/known-places.js';
import { isKnownTool } from '../../../../shared/entities/names/known-tools.js';
import { isGivenName } from '../../../../shared/entities/names/person-names.js';
import { STOP_WORDS } from '../../../../shared/text/stop-words.js';
import { BEFORE_EMPLOYERS } from '../context-words.js';
import { type Page, type Run, textBefore } from '../read-page.js';
import { type Candidate, candidateOf } from './candidate.js';

export function findOrganizations(page: Page): readonly Candidate[] {
  return page.runs.flatMap((run) => {
    const [from, to] = organizationIn(page, run) ?? [0, 0];
    return candidateOf('organizations', page.words.slice(from, to));
  });
}

function organizationIn(page: Page, run: Run): Run | null {
  const { words, isPlainEnglish } = page;
  const [from, to] = run;
  const [first, last] = [words[from], words[to - 1]];
  if (first === undefined || last === undefined) return null;
  if (to - from === 1 && KNOWN_ORGANIZATIONS.has(last.key)) return run;
  if (!isPlainEnglish) return null;
  if (ORGANIZATION_BEGINNINGS.has(first.key) && to - from === 1) return namedAfter(page, run);
  if (to - from > 1 && to - from <= MAX_WORDS && ORGANIZATION_ENDINGS.has(last.key)) return run;
  return to - from <= 2 && isEmployer(page, run) ? run : null;
}

const MAX_WORDS = 4;

/** `University of Oslo`. */
function namedAfter({ words }: Page, [from, to]: Run): Run | null {
  const [of, name] = [words[to], words[to + 1]];
  return of?.key === 'of' && name?.isCapitalized === true && !STOP_WORDS.has(name.key) && name.gap === ' '
    ? [from, to + 2]
    : null;
}

function isEmployer(page: Page, [from]: Run): boolean {
  const first = page.words[from];
  if (first === undefined || isGivenName(first.key) || isKnownPlace(first.key) || isKnownTool(first.key)) return false;
  return BEFORE_EMPLOYERS.test(textBefore(page, first));
}
