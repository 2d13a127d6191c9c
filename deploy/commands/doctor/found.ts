/** What one check found. Everything but `ok` has a remedy. */
import { ConfigurationError } from '../../../shared/kernel/config/config.js';
import { messageOf } from '../../../shared/kernel/errors.js';

export type Found = {
  readonly state: 'ok' | 'warning' | 'problem';
  readonly message: string;
  /** What to do. */
  readonly remedy?: string;
};

/** Resolves with several where one check finds several mistakes. Throws ConfigurationError for unusable variables. */
export type Check = () => Promise<Found | readonly Found[]>;

export const ok = (message: string): Found => ({ state: 'ok', message });
export const warning = (message: string, remedy: string): Found => ({ state: 'warning', message, remedy });
export const problem = (message: string, remedy: string): Found => ({ state: 'problem', message, remedy });

/** The problems of a failure. `remedy`: what to do where the text of the failure does not say it. */
export function problemsFrom(failure: unknown, remedy: string): readonly Found[] {
  const texts = failure instanceof ConfigurationError ? failure.problems : [messageOf(failure)];
  return texts.map((text) => {
    const at = adviceStart(text);
    return at < 0 ? problem(text, remedy) : problem(text.slice(0, at), text.slice(at + SEPARATOR.length));
  });
}

const SEPARATOR = ': ';

/**
 * Our errors say what is wrong, then what to do. A colon in brackets belongs to the reason of another program, and one
 * after the first word to a name. -1 for a text without advice.
 */
function adviceStart(text: string): number {
  const masked = text.replaceAll(/\([^()]*\)/gu, (part) => '-'.repeat(part.length));
  return masked.indexOf(SEPARATOR, masked.indexOf(' '));
}
