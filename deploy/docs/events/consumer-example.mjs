// Prints every event of the stream once. Run it with: KAFKA_BROKERS=localhost:9092 node deploy/docs/events/consumer-example.mjs
import { Kafka, logLevel } from 'kafkajs';

const { KAFKA_BROKERS = 'localhost:9092', KAFKA_TOPIC_PREFIX = '', GROUP: groupId = 'example' } = process.env;
const kafka = new Kafka({ clientId: groupId, brokers: KAFKA_BROKERS.split(','), logLevel: logLevel.WARN });
const consumer = kafka.consumer({ groupId });
const seen = new Set();

await consumer.connect();
await consumer.subscribe({ topic: `${KAFKA_TOPIC_PREFIX}memory.events`, fromBeginning: true });
await consumer.run({
  eachMessage: async ({ message }) => {
    const event = JSON.parse(message.value.toString());
    if (seen.has(event.id)) return; // A second delivery. A consumer with a database stores the id and its effect in one transaction.
    seen.add(event.id);
    if (seen.size > 10_000) seen.delete(seen.values().next().value);
    console.log(event.time, event.type, event.subject);
  },
});
process.once('SIGTERM', () => consumer.disconnect());
