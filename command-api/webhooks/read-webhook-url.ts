/** Reads the address of a webhook. No error quotes it, because a query often has a token. */
import { WEBHOOK_URL_LIMIT } from '../../shared/contract/maintenance/webhooks.js';
import { ValidationError } from '../../shared/kernel/errors.js';

/** Returns the address in its normal form. */
export function readWebhookUrl(text: string): string {
  if (!URL.canParse(text)) throw invalid("must be an address such as 'https://receiver.example/events'");
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw invalid('must begin with https:// or http://');
  if (url.username !== '' || url.password !== '')
    throw invalid('must have no user and no password: the receiver verifies the signature of each event');
  if (url.href.includes('#')) throw invalid('must have no fragment: remove everything from # on');
  if (url.href.length > WEBHOOK_URL_LIMIT)
    throw invalid(`must have at most ${WEBHOOK_URL_LIMIT} characters, with other characters than ASCII as %XX`);
  return url.href;
}

function invalid(problem: string): ValidationError {
  return new ValidationError(`'url' ${problem}`, 'url');
}
