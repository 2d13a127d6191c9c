/** What the tools read of the service's answers. Nothing is taken for granted: a proxy may have answered, or a service of another version. */
import type { ClientAnswer } from '../../../shared/client/client.js';
import { RECEIPT_HEADER } from '../../../shared/contract/receipt.js';

export type Answered = Extract<ClientAnswer, { readonly kind: 'answered' }>;
export type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf({ body }: Answered): Fields {
  // The client gives no other body.
  return body as Fields;
}

export function textAt(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === 'string' ? value : undefined;
}

export function numberAt(fields: Fields, name: string): number | undefined {
  const value = fields[name];
  return typeof value === 'number' ? value : undefined;
}

/** Where the write stands in the journal; `consistent_with` of a recall takes it. */
export function positionIn({ headers }: Answered): { readonly position?: number } {
  const position = Number(headers.get(RECEIPT_HEADER) ?? Number.NaN);
  return Number.isSafeInteger(position) ? { position } : {};
}

/** Those of the fields that have a value. */
export function present(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
