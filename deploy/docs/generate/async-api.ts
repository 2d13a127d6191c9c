/** Makes the AsyncAPI document of the stream: the topic, its records and the files of their schemas. */
import { EVENT_SUMMARIES } from '../../../shared/contract/event-schemas.js';
import type { EventType } from '../../../shared/contract/events.js';
import { schemaFileName } from './published-schema.js';

const DESCRIPTION = [
  'Every change of a memory, an association or an entity, as a CloudEvent 1.0 in structured JSON. Events with the same key arrive in the order in which they happened;',
  'one may arrive more than once, with the same id. Kafka keeps them for seven days; the journal of the service keeps them without a limit.',
].join(' ');

export function asyncApiDocument(version: string): object {
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
