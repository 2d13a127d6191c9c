/** One recall as a line for bash, as a call of the Python client, and as a tool call of MCP, pure. */
import type { recallQuery } from '../../../../../shared/contract/queries/recall-query.js';
import { parseFlag } from '../../../../../shared/kernel/validation/flag-text.js';
import type { RecallRequest } from './recalled.js';

type Kind = (typeof recallQuery)[number]['kind'];
type NameOf<K extends Kind> = Extract<(typeof recallQuery)[number], { readonly kind: K }>['name'];

/** The parameters that are no texts; the compiler compares them with the contract. */
const FLAGS: Readonly<Record<NameOf<'flag'>, true>> = {
  auto_decompose: true,
  expand_relations: true,
  expand_entities: true,
  expand_respect_tags: true,
  adaptive_floor: true,
  scope_fallback: true,
  current_only: true,
  state_debug: true,
};
const NUMBERS: Readonly<Record<NameOf<'integer' | 'number'>, true>> = {
  limit: true,
  per_query_limit: true,
  max_tokens: true,
  relation_limit: true,
  expansion_limit: true,
  expand_min_importance: true,
  expand_min_strength: true,
  min_probability: true,
  min_score: true,
};
const LISTS: Readonly<Record<NameOf<'list' | 'repeated' | 'vector'>, true>> = {
  queries: true,
  embedding: true,
  tags: true,
  exclude_tags: true,
  context_tags: true,
  context_types: true,
  priority_ids: true,
};

export type Shown = {
  /** Without a slash at its end. */
  readonly url: string;
  readonly request: RecallRequest;
  /** The texts then read the token from the environment: it is never part of a text. */
  readonly hasToken: boolean;
};

/** Where the texts read the token: the name that the service has for it. */
const TOKEN = 'SERVICE_API_TOKEN';

/** Also for sh and zsh. A value with control characters is percent-encoded, because terminals act on them. */
export function curlOf({ url, request, hasToken }: Shown): string {
  const parameters = Object.entries(request).flatMap(([name, value]) =>
    [value]
      .flat()
      .map((text) =>
        /\p{Cc}/u.test(text)
          ? `-d ${quoted(`${name}=${encodeURIComponent(text)}`)}`
          : `--data-urlencode ${quoted(`${name}=${text}`)}`,
      ),
  );
  const token = hasToken ? [`-H "Authorization: Bearer $${TOKEN}"`] : [];
  return [`curl -sG ${quoted(`${url}/recall`)}`, ...token, ...parameters].join(' \\\n  ');
}

/** Nothing but a single quote has a meaning within single quotes. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

export function pythonOf({ url, request, hasToken }: Shown): string {
  const client = hasToken ? `Client(${literal(url)}, os.environ["${TOKEN}"])` : `Client(${literal(url)})`;
  return [
    ...(hasToken ? ['import os', ''] : []),
    'from palimpsest_client import Client',
    '',
    `answer = ${client}.recall(`,
    ...Object.entries(valuesOf(request)).map(([name, value]) => `    ${name}=${literal(value)},`),
    ')',
  ].join('\n');
}

/** A JSON text is also one of Python. */
function literal(value: Value): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return typeof value === 'object' ? `[${value.map(literal).join(', ')}]` : JSON.stringify(value);
}

/** The `params` of `tools/call`. Explanations are in the format `json` alone. */
export function mcpOf({ request }: Shown): string {
  return JSON.stringify({ name: 'recall_memory', arguments: { ...valuesOf(request), format: 'json' } }, null, 2);
}

type Value = string | number | boolean | readonly (string | number)[];

/** With the types of the contract. A text that its type cannot read stays a text. */
function valuesOf(request: RecallRequest): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(request).map(([name, value]) => [name, valueOf(name, value)]));
}

function valueOf(name: string, value: string | readonly string[]): Value {
  if (typeof value !== 'string') return value;
  if (Object.hasOwn(FLAGS, name)) return parseFlag(value) ?? value;
  if (Object.hasOwn(NUMBERS, name)) return numberOf(value);
  if (!Object.hasOwn(LISTS, name)) return value;
  const texts = value
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '');
  return name === 'embedding' ? texts.map(numberOf) : texts;
}

function numberOf(text: string): number | string {
  return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}
