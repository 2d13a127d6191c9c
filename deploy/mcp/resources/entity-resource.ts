/** The resource template of an entity's page: by its slug or an alias, as JSON within the token budget. */
import type { ResourceTemplate, TextResourceContents } from '@modelcontextprotocol/sdk/types.js';
import { isRecord } from '../../../shared/kernel/is-record.js';
import { shorten } from '../../../shared/kernel/shorten.js';
import { failureError, foreignAnswerError, notFoundError } from '../protocol-error.js';
import { clip, clipFields } from '../recall/memory-parts.js';
import { tokensOfItem } from '../recall/token-budget.js';
import type { ResourceCall } from '../tool.js';

export const ENTITY_TEMPLATE = {
  uriTemplate: 'entity://{slug}',
  name: 'entity',
  title: 'Entity',
  description:
    'A person, organization, tool, project or other thing that memories name: its names, what is known of it, and how many memories refer to it. The slug is the last part of a tag entity:<category>:<slug>; an alias works, too.',
  mimeType: 'application/json',
} as const satisfies ResourceTemplate;

/** Throws ProtocolError with the reason and what to do. */
export async function readEntityResource(
  uri: string,
  { client, signal }: ResourceCall,
  tokenBudget: number,
): Promise<TextResourceContents> {
  const slug = slugOf(uri);
  if (slug === null)
    throw notFoundError(
      `There is no resource ${shorten(uri)}: write entity:// and the slug of an entity behind it`,
      uri,
    );
  const answer = await client.call('getEntity', { params: { slug }, signal });
  if (answer.kind !== 'answered') {
    if (answer.status === 404) throw notFoundError(`There is no entity ${shorten(slug)}. ${ADVICE}`, uri);
    throw failureError(answer, uri);
  }
  const text = entityPage(answer.body, tokenBudget);
  if (text === null) throw foreignAnswerError(answer.status, 'an entity', uri);
  return { uri, mimeType: ENTITY_TEMPLATE.mimeType, text };
}

const ADVICE =
  'Memories that name an entity have a tag entity:<category>:<slug>: find one with recall_memory and take its slug.';

/** A URL loses such a part of its path. */
const DOTS = /^\.{1,2}$/u;

/** Null for a URI of another form. */
function slugOf(uri: string): string | null {
  const encoded = /^entity:\/\/(?<slug>[^/?#]+)\/?$/iu.exec(uri)?.groups?.['slug'] ?? '';
  try {
    const slug = decodeURIComponent(encoded).trim();
    return slug === '' || DOTS.test(slug) ? null : slug;
  } catch {
    return null; // a % that begins no character
  }
}

/** Of a page that does not fit: enough for several paragraphs. */
const IDENTITY_CHARACTERS = 2_000;
const CUT = {
  truncation: { applied: true, reason: 'response_token_budget', note: 'long texts are cut, and lists after 20 items' },
} as const;

/** The entity as one JSON text within the token budget, with fields that are unknown here. Null without one. */
export function entityPage(body: unknown, tokenBudget: number): string | null {
  const entity = isRecord(body) ? body['entity'] : null;
  if (!isRecord(entity) || typeof entity['name'] !== 'string') return null;
  if (tokensOfItem({ entity }) <= tokenBudget) return JSON.stringify({ entity });
  const { identity } = entity;
  const page = {
    ...clipFields(entity),
    ...(typeof identity === 'string' ? { identity: clip(identity, IDENTITY_CHARACTERS) } : {}),
  };
  return JSON.stringify({ entity: page, ...CUT });
}
