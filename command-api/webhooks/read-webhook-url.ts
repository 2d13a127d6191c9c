/** Reads the address of a webhook. No error quotes it, because a query often has a token. */
import { WEBHOOK_URL_LIMIT } from '../../shared/contract/maintenance/webhooks.js';
import type { OutboundAddresses } from '../../shared/http/outbound-address.js';
import { ValidationError } from '../../shared/kernel/errors.js';

/** Returns the address in its normal form. A name is looked up only when events are sent. */
export function readWebhookUrl(text: string, addresses: Pick<OutboundAddresses, 'problemOf'>): string {
  const problem = addresses.problemOf(text);
  if (problem !== null) throw invalid(problem);
  const { href } = new URL(text);
  if (href.includes('#')) throw invalid('must have no fragment: remove everything from # on');
  if (href.length > WEBHOOK_URL_LIMIT)
    throw invalid(`must have at most ${WEBHOOK_URL_LIMIT} characters, with other characters than ASCII as %XX`);
  return href;
}

function invalid(problem: string): ValidationError {
  return new ValidationError(`'url' ${problem}`, 'url');
}
