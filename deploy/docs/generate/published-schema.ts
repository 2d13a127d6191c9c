/** Makes the published JSON Schema of an event: the whole CloudEvent, open to properties that later versions add. */
import {
  cloudEventAttributes,
  cloudEventRequired,
  EVENT_DATA_SCHEMAS,
  EVENT_SUMMARIES,
} from '../../../shared/contract/event-schemas.js';
import { type EventType, SCHEMA_VERSIONS } from '../../../shared/contract/events.js';
import type { JsonSchema } from './json-schema.js';

/** Draft 7: every validator and every AsyncAPI tool supports it. */
export function publishedSchema(type: EventType): JsonSchema {
  const version = SCHEMA_VERSIONS[type];
  return opened({
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: `urn:palimpsest:event:${type}:v${version}`,
    title: type,
    description: EVENT_SUMMARIES[type],
    type: 'object',
    required: [...cloudEventRequired],
    properties: {
      ...cloudEventAttributes,
      type: { type: 'string', const: type },
      schemaversion: {
        type: 'integer',
        const: version,
        description: 'Rises when `data` changes in a way that breaks readers of the version before.',
      },
      data: withDescription(EVENT_DATA_SCHEMAS[type], 'Absent once the words of the event have been erased.'),
    },
  });
}

export function schemaFileName(type: EventType): string {
  return `${type}.v${SCHEMA_VERSIONS[type]}.json`;
}

function withDescription(schema: JsonSchema, further: string): JsonSchema {
  return { ...schema, description: schema.description === undefined ? further : `${schema.description} ${further}` };
}

function opened({ additionalProperties, ...schema }: JsonSchema): JsonSchema {
  return {
    ...schema,
    ...(additionalProperties === true ? { additionalProperties } : {}),
    ...(typeof additionalProperties === 'object' ? { additionalProperties: opened(additionalProperties) } : {}),
    ...(schema.items ? { items: opened(schema.items) } : {}),
    ...(schema.properties
      ? {
          properties: Object.fromEntries(
            Object.entries(schema.properties).map(([name, property]) => [name, opened(property)]),
          ),
        }
      : {}),
  };
}
