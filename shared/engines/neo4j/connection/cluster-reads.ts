/**
 * Reads from a cluster that see all writes that were answered before, as the reads of one server do. A member lags, and
 * a driver may take a former leader for the leader until its routing table ends. So a read either proves that its
 * server is the leader, or it shows that its member has every transaction that the leader had when the read began.
 * Bookmarks would need a way from the process that wrote to each process that reads.
 */
import { setTimeout as pause } from 'node:timers/promises';
import neo4j, { type Driver } from 'neo4j-driver';
import { shareRuns } from '../../../kernel/concurrency/share-runs.js';
import type { Row, Statement } from '../neo4j.js';
import { hasReached, REACHED, type Reached, reachedIn } from '../neo4j-graph-mark.js';
import { NoAnswerError } from './neo4j-errors.js';
import type { Neo4jConfig } from './neo4j-variables.js';
import { type InSession, rowsOf, runInOrder, type TransactionLimits } from './run-statements.js';

type Rows = readonly (readonly Row[])[];

/** The rows of each statement. All statements run in one transaction, in order. */
export type ClusterRead = (statements: readonly Statement[], limits: TransactionLimits) => Promise<Rows>;

type Dependencies = {
  readonly config: Pick<Neo4jConfig, 'memberAttempts' | 'memberPauseMs' | 'memberAnswerMs' | 'memberRestMs'>;
  /** Runs the work with a driver and fails with NoAnswerError after `milliseconds`, or after the deadline of a call. */
  readonly use: <R>(work: (driver: Driver) => Promise<R>, milliseconds?: number) => Promise<R>;
  readonly inSession: InSession;
  /** Of the transaction that reads the leader's mark. */
  readonly limits: TransactionLimits;
  /** Receives how each read at the members ended, unless it failed. */
  readonly onMemberRead: (outcome: MemberOutcome) => void;
};

/** `member` answered; for each other reason, the leader did. */
type MemberOutcome = 'member' | 'behind' | 'unavailable' | 'left_out' | 'unmarked';

export function createClusterReads({ config, use, inSession, limits: markLimits, onMemberRead }: Dependencies): {
  readonly atLeader: ClusterRead;
  /** At any member that has what the leader has; at the leader after `memberAttempts`. */
  readonly atMembers: ClusterRead;
} {
  const atLeader: ClusterRead = (statements, limits) =>
    use((driver) => readAtLeader({ driver, inSession }, [PROOF, ...statements], limits));

  /** Concurrent reads share a transaction that begins after each of them, so the leader has few, whatever the load. */
  const leaderMark = shareRuns(async (): Promise<Reached | null> => {
    const [rows = []] = await atLeader([MARK], markLimits);
    return reachedIn(rows);
  });

  let leftOutUntil = 0;

  /** Null for a member that is lost, does not answer, or is not found. */
  async function tryMember(statements: readonly Statement[], limits: TransactionLimits) {
    const read = (driver: Driver): Promise<readonly (readonly Row[])[]> =>
      inSession(driver, neo4j.session.READ, async (session) =>
        (await runInOrder(session.beginTransaction(limits), [MARK, ...statements])).map(rowsOf),
      );
    try {
      const [mark = [], ...rows] = await use(read, config.memberAnswerMs);
      return { reached: reachedIn(mark), rows };
    } catch (error) {
      if (error instanceof NoAnswerError) leftOutUntil = performance.now() + config.memberRestMs;
      else if (!neo4j.isRetryableError(error)) throw error;
      return null;
    }
  }

  return {
    atLeader,
    atMembers: async (statements, limits) => {
      const insteadAtLeader = async (reason: MemberOutcome): Promise<Rows> => {
        const rows = await atLeader(statements, limits);
        onMemberRead(reason);
        return rows;
      };
      if (performance.now() < leftOutUntil) return insteadAtLeader('left_out');
      let reason: MemberOutcome = 'behind';
      const leader = leaderMark();
      for (let attempts = 0; attempts < config.memberAttempts; attempts += 1) {
        if (attempts > 0) await pause(config.memberPauseMs);
        // The first attempt does not wait for the leader's answer.
        const [required, found] = await Promise.all([leader, tryMember(statements, limits)]);
        // A graph without a mark is being filled.
        if (required === null) return insteadAtLeader('unmarked');
        if (found && hasReached(found.reached, required)) {
          onMemberRead('member');
          return found.rows;
        }
        reason = found ? 'behind' : 'unavailable';
        if (performance.now() < leftOutUntil) break;
      }
      return insteadAtLeader(reason);
    },
  };
}

/**
 * Only the leader takes it, and another server makes the driver look for the leader. It needs no lock, and is never
 * committed.
 */
const PROOF: Statement = { text: 'CREATE ()', given: {} };

/** Before the data in its transaction: Neo4j has no snapshots, so the data is as new as the mark, or newer. */
const MARK: Statement = { text: REACHED, given: {} };

const ROLL_BACK = Symbol('roll back');

/** Rolls back in the end. After a temporary failure, the driver retries with the server that it then finds. */
async function readAtLeader(
  { driver, inSession }: { readonly driver: Driver; readonly inSession: InSession },
  statements: readonly Statement[],
  limits: TransactionLimits,
): Promise<Rows> {
  try {
    // The session that ends rolls back.
    return await inSession(driver, neo4j.session.WRITE, async (session) =>
      withoutProof(await runInOrder(session.beginTransaction(limits), statements)),
    );
  } catch (error) {
    if (!neo4j.isRetryableError(error)) throw error;
  }
  let rows: Rows = [];
  try {
    await inSession(driver, neo4j.session.WRITE, (session) =>
      session.executeWrite(async (transaction) => {
        rows = withoutProof(await runInOrder(transaction, statements));
        throw ROLL_BACK;
      }, limits),
    );
  } catch (error) {
    if (error !== ROLL_BACK) throw error;
  }
  return rows;
}

function withoutProof([, ...results]: readonly Parameters<typeof rowsOf>[0][]): Rows {
  return results.map(rowsOf);
}
