/** Names in a request without effect: a sentence for each is in `warnings`, or in `hint` of a 400. */
import type { Operation } from '../../contract/operation.js';
import type { QueryParameter } from '../../contract/queries.js';
import { warnings } from '../../contract/reply-parts.js';
import { isRecord } from '../../kernel/is-record.js';
import { nearestName } from '../../kernel/nearest-name.js';
import { shorten } from '../../kernel/shorten.js';
import type { SchemaNode } from '../../kernel/validation/schema-node.js';

/** Sentences about one request. */
export const IGNORED_NAMES_LIMIT = 10;
/** Characters of a name in a sentence. */
const NAME_CHARACTERS = 64;

/** Of every operation: also where they have no effect, no answer repeats them. */
export const TOKEN_PARAMETERS = ['api_key', 'admin_token'];

/** `quiet`: names that existing clients always send. */
export function ignoredParameters(
  table: readonly QueryParameter[],
  query: URLSearchParams,
  quiet: readonly string[] = [],
): readonly string[] {
  const known = table.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  const silent = new Set([...known, ...quiet, ...TOKEN_PARAMETERS]);
  const names = [...new Set(query.keys())].filter((name) => !silent.has(name));
  return names.slice(0, IGNORED_NAMES_LIMIT).map((name) => sentence({ name, known, kind: 'query parameter' }));
}

type Node = SchemaNode & { readonly anyOf?: readonly Node[] };

/** Checks only objects whose schema lists properties, so never into metadata. */
export function ignoredFields(schema: object, body: unknown, quiet: readonly string[] = []): readonly string[] {
  const found = new Map<string, string>();
  // The schemas of the contract are within the subset that SchemaNode describes.
  collect(schema as Node, body, { found, quiet, path: '' });
  return [...found.values()];
}

type Search = {
  /** The sentence for each name; a name that several items of a list have counts once. */
  readonly found: Map<string, string>;
  readonly quiet: readonly string[];
  /** Of the object that is searched: `memories[3].`. */
  readonly path: string;
};

function collect(node: Node, value: unknown, search: Search): void {
  const { found, quiet, path } = search;
  if (Array.isArray(value)) {
    const { items } = node;
    if (items === undefined) return;
    value.forEach((item: unknown, index) => {
      if (typeof item === 'object') collect(items, item, { ...search, path: `${path.slice(0, -1)}[${index}].` });
    });
    return;
  }
  const properties = propertiesOf(node);
  if (properties === null || !isRecord(value)) return;
  for (const name of Object.keys(value)) {
    if (found.size >= IGNORED_NAMES_LIMIT) return;
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property !== undefined) collect(property, value[name], { ...search, path: `${path}${name}.` });
    else if (!found.has(name) && !quiet.includes(name))
      found.set(name, sentence({ name, path, known: Object.keys(properties), kind: 'field' }));
  }
}

/** Of all forms that the schema allows; null when it lists none. */
function propertiesOf({ properties, anyOf = [] }: Node): Readonly<Record<string, Node>> | null {
  const forms = [properties, ...anyOf.map(propertiesOf)].filter((form) => form !== undefined && form !== null);
  return forms.length === 0 ? null : Object.assign({}, ...forms);
}

type Ignored = {
  readonly name: string;
  readonly path?: string;
  readonly known: readonly string[];
  readonly kind: string;
};

function sentence({ name, path = '', known, kind }: Ignored): string {
  const nearest = nearestName(name, known);
  const meant = nearest === null ? '' : `: did you mean '${nearest}'?`;
  return `'${path}${shorten(name, NAME_CHARACTERS)}' is not a known ${kind} and was ignored${meant === '' ? '.' : meant}`;
}

type ReplySchema = { readonly properties?: object; readonly oneOf?: readonly ReplySchema[] };

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
  if (schema.oneOf !== undefined) return { ...schema, oneOf: schema.oneOf.map(withWarnings) };
  // The forms of `anyOf` are shared with other answers, so they have the property themselves.
  if (schema.properties === undefined || 'warnings' in schema.properties) return schema;
  return { ...schema, properties: { ...schema.properties, warnings } };
}
