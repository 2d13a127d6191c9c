/** Reads and writes of one process in a cluster whose follower lags, is lost, or becomes the leader. */
import { expect } from 'chai';
import { NO_CONDITIONS } from '../../../../shared/contract/filter.js';
import { createNeo4j } from '../../../../shared/engines/neo4j/connection/neo4j-client.js';
import type { Neo4jConfig } from '../../../../shared/engines/neo4j/connection/neo4j-variables.js';
import type { Neo4j } from '../../../../shared/engines/neo4j/neo4j.js';
import { createNeo4jGraphMark } from '../../../../shared/engines/neo4j/neo4j-graph-mark.js';
import { createNeo4jGraphReader } from '../../../../shared/engines/neo4j/neo4j-graph-reader.js';
import { createNeo4jGraphWriter } from '../../../../shared/engines/neo4j/neo4j-graph-writer.js';
import { neo4jPorts } from '../../../../shared/engines/neo4j/open.js';
import { wipeGraph } from '../../../../shared/engines/neo4j/wipe-graph.js';
import { silentLogger } from '../../../../shared/kernel/logger.js';
import type { Metrics } from '../../../../shared/kernel/metrics/metrics.js';
import { until } from '../../../support/checks/until.js';
import { openRealCluster } from '../../../support/cluster/real-cluster.js';
import type { TestCluster } from '../../../support/cluster/test-cluster.js';
import { day, deleted, memory, memoryId, stored, updated } from '../../../support/fixtures/memories.js';
import { testNeo4jConfig } from '../../../support/servers/neo4j.js';

const SLOW_MS = 120_000;
/** A server that has just started takes a second for the plan of a statement. */
const HUNG_MS = 3_000;
const MARK = { journalId: memoryId(1), position: 0, eventId: null };

if (process.env['PALIMPSEST_TEST_SERVERS'] === 'local')
  describe('Neo4j cluster', function () {
    this.timeout(SLOW_MS);
    let cluster: TestCluster;
    const opened: Neo4j[] = [];
    /** Since the last test began. */
    let outcomes: string[] = [];
    const metrics: Pick<Metrics, 'count'> = {
      count: (name, { outcome }: { readonly outcome?: string }) => void outcomes.push(`${name} ${outcome}`),
    };
    /** Of the reads of this test, in their order. */
    const expectOutcomes = (...expected: readonly string[]): void => {
      expect(outcomes).to.deep.equal(expected.map((outcome) => `palimpsest_graph_member_reads_total ${outcome}`));
    };
    const open = (readsAtMembers: boolean, limits: Partial<Neo4jConfig> = {}): Neo4j => {
      const config = { ...testNeo4jConfig({ NEO4J_URL: cluster.url }), memberAnswerMs: HUNG_MS, ...limits };
      const neo4j = createNeo4j({ config, logger: silentLogger, readsAtMembers, metrics });
      opened.push(neo4j);
      return neo4j;
    };

    let leader: Neo4j;
    let reader: ReturnType<typeof createNeo4jGraphReader>;
    let writer: ReturnType<typeof createNeo4jGraphWriter>;
    before(async () => {
      cluster = await openRealCluster();
      leader = open(false);
      writer = createNeo4jGraphWriter({ neo4j: leader });
      reader = createNeo4jGraphReader({ neo4j: open(true) });
      await createNeo4jGraphMark({ neo4j: leader }).begin(MARK);
    });
    after(async () => {
      await Promise.all(opened.map((neo4j) => neo4j.close()));
      await cluster.close();
    });
    beforeEach(() => (outcomes = []));
    afterEach(() => cluster.follow(null));

    const versionOf = async (number: number, of = reader): Promise<number | undefined> =>
      (await of.memories([memoryId(number)]))[0]?.version;

    it('reads at a member that has every write', async () => {
      await writer.apply([stored(memory(1))]);
      await cluster.catchUp();
      const before = cluster.follower().statements();
      expect(await versionOf(1)).to.equal(1);
      expect(cluster.follower().statements() - before, 'the mark and the memory').to.equal(2);
      expectOutcomes('member');
    });

    it('reads each write that was answered, while the member lags', async () => {
      await writer.apply([stored(memory(2, { content: 'Zanzibar' }))]);
      await writer.apply([updated(memory(1), 2)]);
      expect(cluster.lag()).to.equal(2);
      expect(await versionOf(2)).to.equal(1);
      expect(await versionOf(1)).to.equal(2);
      const filter = { ...NO_CONDITIONS, excludedTypes: [], state: 'current' as const, now: day(20) };
      expect(await reader.keyword({ terms: ['zanzibar'], filter, limit: 5 })).to.deep.equal([memoryId(2)]);
      expectOutcomes('behind', 'behind', 'behind');
    });

    it('shows no deleted memory, while the member lags', async () => {
      await cluster.catchUp();
      expect((await reader.lineages([memoryId(2)], 5)).memories).to.have.length(1);
      await writer.apply([deleted(2, 2)]);
      expect(cluster.lag()).to.equal(1);
      expect((await reader.lineages([memoryId(2)], 5)).memories).to.deep.equal([]);
    });

    it('asks a member again that follows meanwhile', async () => {
      const patient = createNeo4jGraphReader({ neo4j: open(true, { memberAttempts: 1_000 }) });
      await cluster.catchUp();
      await writer.apply([updated(memory(1), 3)]);
      const [before, asked] = [cluster.leader().statements(), cluster.follower().statements()];
      const reading = versionOf(1, patient);
      await until('the member was asked', () => cluster.follower().statements() > asked + 2);
      await cluster.catchUp();
      expect(await reading).to.equal(3);
      expect(cluster.leader().statements() - before, 'the proof and the mark, and no memory').to.equal(2);
    });

    it('reads at the leader while the member refuses', async () => {
      await cluster.catchUp();
      await cluster.follower().refuse();
      expect(await versionOf(1)).to.equal(3);
      await cluster.follower().accept();
      expect(await versionOf(1)).to.equal(3);
      expectOutcomes('unavailable', 'member');
    });

    it('leaves a member out that did not answer', async () => {
      const patient = createNeo4jGraphReader({ neo4j: open(true, { memberRestMs: SLOW_MS }) });
      cluster.follower().hold();
      expect(await versionOf(1, patient)).to.equal(3);
      await cluster.follower().close();
      await cluster.follower().accept();
      const before = cluster.follower().statements();
      expect(await versionOf(1, patient)).to.equal(3);
      expect(cluster.follower().statements()).to.equal(before);
      expectOutcomes('unavailable', 'left_out');
    });

    it('does not take a member for current that has the graph before it was emptied', async () => {
      await cluster.catchUp();
      await wipeGraph(leader);
      expect(await versionOf(1), 'in a graph without a mark').to.equal(undefined);
      expectOutcomes('unmarked');
      await createNeo4jGraphMark({ neo4j: leader }).begin(MARK);
      writer = createNeo4jGraphWriter({ neo4j: leader }); // the former one remembers the former graph
      expect(await versionOf(1), 'in a graph with a new mark').to.equal(undefined);
    });

    it('takes no former leader for the leader', async () => {
      await writer.apply([stored(memory(3))]);
      const [atLeader, atMembers] = [createNeo4jGraphReader({ neo4j: open(false) }), reader];
      expect(await versionOf(3, atLeader)).to.equal(1);
      await cluster.exchangeLeader();
      await writer.apply([updated(memory(3), 2)]);
      expect(cluster.lag()).to.equal(1);
      expect(await versionOf(3, atLeader)).to.equal(2);
      expect(await versionOf(3, atMembers)).to.equal(2);
      const { read } = neo4jPorts(open(false)).graphMark;
      expect((await read())?.position).to.equal(updated(memory(3), 2).position);
    });

    it('applies events during a change of the leader and after a lost answer', async () => {
      let applied = Promise.resolve();
      await cluster.exchangeLeader(async () => void (applied = writer.apply([updated(memory(3), 3)])));
      await applied;
      cluster.leader().dropNextCommit();
      await writer.apply([updated(memory(3), 4)]);
      expect(await versionOf(3)).to.equal(4);
      await cluster.catchUp();
      expect(await versionOf(3)).to.equal(4);
    });
  });
