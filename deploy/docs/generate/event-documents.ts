/** Makes the documents for consumers of the stream: a JSON Schema for each event type, and AsyncAPI. */
import {
  EVENT_DATA_SCHEMAS,
  EVENT_SUMMARIES,
  optionalAttributes,
  requiredAttributes,
} from '../../../shared/contract/event-schemas.js';
import { type EventType, SCHEMA_VERSIONS } from '../../../shared/contract/events.js';
import { closed } from '../../../shared/contract/reply-parts.js';
import { incompatibleChanges, type JsonSchema } from './schema-changes.js';

export const EVENT_FOLDER = 'deploy/docs/events';

/** The current versions. Files of earlier versions stay unchanged. */
export function eventDocuments(version: string): readonly GeneratedFile[] {
  const types = Object.keys(SCHEMA_VERSIONS) as EventType[];
  return [
    { path: `${EVENT_FOLDER}/asyncapi.json`, textFrom: () => textOf(asyncApiDocument(version)) },
    ...types.map((type): GeneratedFile => ({
      path: `${EVENT_FOLDER}/${schemaFileName(type)}`,
      textFrom: (present) => {
        const schema = publishedSchema(type);
        if (present !== '') requireCompatible(type, JSON.parse(present) as JsonSchema, schema);
        return textOf(schema);
      },
    })),
  ];
}

/** Throws when a reader of the old schema could not read events of the new one. */
export function requireCompatible(type: EventType, before: JsonSchema, after: JsonSchema): void {
  const changes = incompatibleChanges(before, after);
  if (changes.length === 0) return;
  const version = SCHEMA_VERSIONS[type];
  throw new Error(
    [
      `${type} changes in a way that readers of its version ${version} cannot take:`,
      ...changes.map((change) => `  - ${change}`),
      `Take the change back, make it an optional property, or set SCHEMA_VERSIONS['${type}'] to ${version + 1} and say how events of version ${version} are read.`,
    ].join('\n'),
  );
}

function textOf(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

const DESCRIPTION = [
  'Every change of a memory, an association or an entity, as a CloudEvent 1.0 in structured JSON. Events with the same key arrive in the order in which they happened;',
  'one may arrive more than once, with the same id. Kafka keeps them for seven days; the journal of the service keeps them without a limit.',
].join(' ');

/** Makes the AsyncAPI document of the stream: the topic, its records and the files of their schemas. */
function asyncApiDocument(version: string): object {
  const types = Object.keys(EVENT_SUMMARIES) as EventType[];
  return {
    asyncapi: '3.0.0',
    info: { title: 'Palimpsest', version, description: DESCRIPTION, license: { name: 'Apache-2.0' } },
    defaultContentType: 'application/cloudevents+json',
    servers: { kafka: { host: 'localhost:9092', protocol: 'kafka', description: 'One of KAFKA_BROKERS.' } },
    channels: {
      events: {
        address: '{prefix}memory.events',
        parameters: { prefix: { description: 'KAFKA_TOPIC_PREFIX of the deployment.', default: '' } },
        messages: Object.fromEntries(types.map((type) => [type, { $ref: `#/components/messages/${type}` }])),
      },
    },
    operations: {
      publishEvents: {
        action: 'send',
        channel: { $ref: '#/channels/events' },
        summary: 'The service publishes what happened.',
      },
    },
    components: { messages: Object.fromEntries(types.map((type) => [type, messageOf(type)])) },
  };
}

function messageOf(type: EventType): object {
  return {
    name: type,
    summary: EVENT_SUMMARIES[type],
    contentType: 'application/cloudevents+json',
    correlationId: { location: '$message.payload#/correlationid' },
    bindings: {
      kafka: { key: { type: 'string', description: 'The partitionkey of the event.' }, bindingVersion: '0.5.0' },
    },
    payload: {
      schemaFormat: 'application/schema+json;version=draft-07',
      schema: { $ref: `./${schemaFileName(type)}` },
    },
  };
}

/** A file of the repository that is generated from the code. */
export type GeneratedFile = {
  /** The path from the root of the repository. */
  readonly path: string;
  /** The new content. `present`: blank for a missing file. Throws when the file must not be replaced. */
  readonly textFrom: (present: string) => string;
};

/** Draft 7: every validator and every AsyncAPI tool supports it. */
export function publishedSchema(type: EventType): JsonSchema {
  const version = SCHEMA_VERSIONS[type];
  return opened({
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: `urn:palimpsest:event:${type}:v${version}`,
    title: type,
    description: EVENT_SUMMARIES[type],
    ...closed(
      {
        ...requiredAttributes,
        type: { type: 'string', const: type },
        schemaversion: {
          type: 'integer',
          const: version,
          description: 'Rises when `data` changes in a way that breaks readers of the version before.',
        },
      },
      {
        ...optionalAttributes,
        data: withDescription(EVENT_DATA_SCHEMAS[type], 'Absent once the words of the event have been erased.'),
      },
    ),
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
