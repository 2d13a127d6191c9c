/**
 * Holds the Kafka of the simulation to a real broker: the same calls of kafkajs run over both, and their callers see
 * the same answers, errors, records and assignments. One difference is left: the model does not wait for the members of
 * a group that rebalances, so it refuses commits that a broker would still take.
 */
import { expect } from 'chai';
import { createKafkaClient } from '../../../shared/engines/kafka/kafka-client.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import { createSimulatedKafka } from '../../simulation/kafka/replace-kafkajs.js';
import { createSimulatedBroker } from '../../simulation/kafka/simulated-broker.js';
import { createDirectWorld } from '../../simulation/world/direct-world.js';
import { until } from '../../support/checks/until.js';
import { type KafkaNames, openKafkaNames } from '../../support/servers/kafka.js';
import { isServerWanted } from '../../support/servers/servers.js';
import { consume } from './kafka-group-script.js';
import { createTopic, type KafkaScript, type KafkaServer, produce, reachNothing } from './kafka-script.js';

/** Nothing listens there. */
const NO_BROKER = '127.0.0.1:1';

function simulatedServer(topic: string): KafkaServer {
  const world = createDirectWorld();
  const broker = createSimulatedBroker(world);
  const process = world.startProcess('test');
  const client = createSimulatedKafka({ world, broker, owner: () => process });
  return {
    topic,
    open: () => client,
    openDown: () => {
      broker.setDown(true);
      return client;
    },
    replaceTopic: () => Promise.resolve(broker.loseTopic(topic)),
  };
}

function realServer({ config, admin }: KafkaNames, topic: string): KafkaServer {
  const open = () => createKafkaClient({ config, logger: silentLogger });
  const server: KafkaServer = {
    topic,
    open,
    openDown: () => createKafkaClient({ config: { ...config, brokers: [NO_BROKER] }, logger: silentLogger }),
    replaceTopic: async () => {
      await admin.deleteTopics({ topics: [topic] });
      await until('the topic is deleted', () => createTopic(server).catch(() => false));
    },
  };
  return server;
}

if (isServerWanted('kafka')) {
  describe('the simulated Kafka', () => {
    let names: KafkaNames;
    beforeEach(async () => (names = await openKafkaNames()));
    afterEach(() => names.remove());

    async function expectSameReports(script: KafkaScript): Promise<void> {
      const topic = `${names.config.prefix}model`;
      const [wanted, found] = await Promise.all([script(realServer(names, topic)), script(simulatedServer(topic))]);
      expect(found).to.deep.equal(wanted);
    }

    it('appends, fences and refuses like a real broker', () => expectSameReports(produce));
    it('assigns, delivers and commits like a real broker', () => expectSameReports(consume));
    it('fails like a real broker that is down', () => expectSameReports(reachNothing));
  });
}
