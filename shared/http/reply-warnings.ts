/** The property of a successful answer that names what the request contains without effect. */
import type { Operation } from '../contract/operation.js';
import { warnings } from '../contract/reply-parts.js';

type ReplySchema = { readonly properties?: object };

/** Operations that every process serves, and those between our own processes, have no warnings. */
export function hasWarnings({ access, stream, download }: Operation): boolean {
  return stream !== true && download !== true && (access === 'api' || access === 'admin');
}

/** The schemas of the successful answers of an operation, with the optional property `warnings`. */
export function repliesOf(operation: Operation): Readonly<Record<string, object>> {
  const { replies } = operation;
  if (!hasWarnings(operation)) return replies;
  return Object.fromEntries(Object.entries(replies).map(([status, schema]) => [status, withWarnings(schema)]));
}

function withWarnings(schema: ReplySchema): object {
  // The forms of an alternative are shared with other answers, so they have the property themselves.
  if (schema.properties === undefined || 'warnings' in schema.properties) return schema;
  return { ...schema, properties: { ...schema.properties, warnings } };
}
