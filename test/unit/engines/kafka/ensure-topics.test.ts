import { expect } from 'chai';
import type { Admin, ITopicConfig, Kafka } from 'kafkajs';
import { ensureTopics } from '../../../../shared/engines/kafka/ensure-topics.js';
import { kafkaConfig } from '../../../../shared/engines/kafka/kafka-variables.js';
import { DependencyError } from '../../../../shared/kernel/errors.js';

/** A cluster whose brokers hear of a created topic only after `delays` requests. */
function slowCluster(delays: number): { kafka: Kafka; created: string[]; requests: () => number } {
  const created: string[] = [];
  let requests = 0;
  const requireKnown = async (): Promise<void> => {
    requests++;
    if (requests <= delays)
      throw Object.assign(new Error('This server does not host this topic-partition'), {
        type: 'UNKNOWN_TOPIC_OR_PARTITION',
      });
  };
  const admin: Partial<Admin> = {
    connect: async () => undefined,
    disconnect: async () => undefined,
    listTopics: async () => [],
    createTopics: async ({ topics }) => {
      const fresh = topics.map(({ topic }: ITopicConfig) => topic).filter((topic) => !created.includes(topic));
      created.push(...fresh);
      await requireKnown();
      return fresh.length > 0;
    },
    fetchTopicOffsets: async () => {
      await requireKnown();
      return [];
    },
  };
  return { kafka: { admin: () => admin as Admin } as Kafka, created, requests: () => requests };
}

describe('ensureTopics', () => {
  const config = kafkaConfig({});

  it('waits for brokers that have not heard of the created topics yet', async () => {
    const { kafka, created } = slowCluster(3);
    await ensureTopics({ kafka, config });
    expect(created).to.have.lengthOf(2);
  });

  it('fails with a reason when the brokers never hear of them', async () => {
    const { kafka, requests } = slowCluster(Infinity);
    const error = await ensureTopics({ kafka, config }).catch((failure: unknown) => failure);
    expect(error).to.be.an.instanceOf(DependencyError);
    expect((error as Error).message).to.match(/^Kafka did not create the topics: .*check KAFKA_BROKERS/u);
    expect(requests()).to.equal(6);
  });
});
