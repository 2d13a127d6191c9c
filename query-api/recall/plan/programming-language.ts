/**
 * Finds the programming language that a caller works in, pure: named by `language`, or read from the label, the file
 * extension or the query.
 */
import type { RecallQuery } from '../../../shared/contract/queries/recall-query.js';
import { isIdentifier } from '../../../shared/text/identifiers.js';
import { chunks } from '../../../shared/text/words.js';

const NAMES: ReadonlyMap<string, string> = new Map([
  ['python', 'python'],
  ['py', 'python'],
  ['typescript', 'typescript'],
  ['ts', 'typescript'],
  ['tsx', 'typescript'],
  ['javascript', 'javascript'],
  ['js', 'javascript'],
  ['jsx', 'javascript'],
  ['go', 'go'],
  ['golang', 'go'],
  ['rust', 'rust'],
  ['java', 'java'],
  ['csharp', 'csharp'],
  ['c#', 'csharp'],
  ['cs', 'csharp'],
  ['cpp', 'cpp'],
  ['c++', 'cpp'],
  ['cc', 'cpp'],
  ['cxx', 'cpp'],
  ['swift', 'swift'],
]);

/** Keys are file extensions without the dot. */
const EXTENSIONS: ReadonlyMap<string, string> = new Map([
  ...['py', 'ts', 'tsx', 'js', 'jsx', 'go', 'java', 'cs', 'cpp', 'cc', 'cxx', 'swift'].map(
    (extension) => [extension, NAMES.get(extension) ?? extension] as const,
  ),
  ['rs', 'rust'],
]);

/**
 * In a sentence these words usually mean something else: one question in thirty about people's lives contains `go`. In
 * a query they name no language.
 */
const ORDINARY_WORDS: ReadonlySet<string> = new Set(['go', 'rust', 'swift', 'cs', 'cc']);

type Hints = Pick<RecallQuery, 'language' | 'context' | 'active_path'> & { readonly text: string | null };

/** The first hint that names a language decides. An unknown `language` is used as it is, in lower case. */
export function programmingLanguage({ language, context, active_path, text }: Hints): string | null {
  const given = language?.trim().toLowerCase();
  if (given) return NAMES.get(given) ?? given;
  return (
    NAMES.get(context?.trim().toLowerCase() ?? '') ?? extensionLanguage(active_path ?? '') ?? languageInText(text ?? '')
  );
}

function extensionLanguage(path: string): string | undefined {
  const extension = /\.([a-z]+)$/u.exec(path.trim().toLowerCase());
  return EXTENSIONS.get(extension?.[1] ?? '');
}

/**
 * `+` and `#` belong to a word. Identifiers are ignored: a question about `main.ts` or `tools/py/build` is about that
 * file, not about how to write code.
 */
function languageInText(text: string): string | null {
  const words = chunks(text)
    .filter((chunk) => !isIdentifier(chunk))
    .join(' ');
  const name = words
    .toLowerCase()
    .match(/[\p{L}\p{N}+#_-]+/gu)
    ?.find((word) => NAMES.has(word) && !ORDINARY_WORDS.has(word));
  return (name && NAMES.get(name)) ?? null;
}
