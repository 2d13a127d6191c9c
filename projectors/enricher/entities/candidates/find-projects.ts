/** Finds projects and repositories: only names next to the word `project`, `repo` or `repository`. */
import type { Page } from '../read-page.js';
import type { Candidate } from './candidate.js';

export function findProjects({ text, isPlainEnglish }: Page): readonly Candidate[] {
  const patterns = isPlainEnglish ? PATTERNS : PATTERNS.slice(0, QUOTED_PATTERNS);
  return patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap((match): readonly Candidate[] => {
      const [, name = ''] = match;
      const start = match.index + match[0].indexOf(name);
      return name === '' ? [] : [{ category: 'projects', name, start, end: start + name.length }];
    }),
  );
}

/** Letters, digits and single signs, as in `owner/my-app`. */
const CAPITALIZED_NAME = String.raw`\p{Lu}[\p{L}\p{N}]*(?:[-_][\p{L}\p{N}]+)*`;
const PATTERNS = [
  // project "Apollo", a repository called "my app"
  /\b(?:project|repo|repository)\s+(?:(?:called|named)\s+)?["“`](\p{L}[^"”`\n]{1,60})["”`]/giu,
  // project: my-app, repo: owner/name. A plain word there starts a sentence (`project: done`).
  /\b(?:project|repo|repository):\s*`?([a-z0-9]+(?:[-_/.][a-z0-9]+)+|\p{Lu}\p{Ll}+(?=\s*(?:[,;.)\n]|$)))/giu,
  // project called Apollo
  new RegExp(String.raw`\b(?:[Pp]roject|[Rr]epo|[Rr]epository)\s+(?:called|named)\s+(${CAPITALIZED_NAME})`, 'gu'),
  // Project Zeus, but not the second half of `the Project Management Office`
  new RegExp(String.raw`\b[Pp]roject\s+(${CAPITALIZED_NAME})(?![\p{L}\p{N}_-]|\s+\p{Lu})`, 'gu'),
  // the Apollo project
  new RegExp(String.raw`\b(?:the|our|my|on)\s+(${CAPITALIZED_NAME})\s+(?:project|repo|repository)\b`, 'gu'),
];
const QUOTED_PATTERNS = 1;
