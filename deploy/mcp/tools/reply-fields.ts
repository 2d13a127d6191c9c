/**
 * Reads single fields of the service's answers. A field may be missing or of another type: a proxy or another version
 * may have answered.
 */
import type { ClientAnswer } from '../../../shared/client/client.js';
import { RECEIPT_HEADER } from '../../../shared/contract/commands.js';

export type Answered = Extract<ClientAnswer, { readonly kind: 'answered' }>;
export type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf({ body }: Answered): Fields {
  // The client returns JSON objects only.
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

/** The journal position of the write, for `consistent_with` of a recall. */
export function positionIn({ headers }: Answered): { readonly position?: number } {
  const position = Number(headers.get(RECEIPT_HEADER) ?? Number.NaN);
  return Number.isSafeInteger(position) ? { position } : {};
}

/** Drops fields without a value. */
export function present(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
