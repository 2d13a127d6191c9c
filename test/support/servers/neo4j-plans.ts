/** Reports how Neo4j runs statements: the operators that it plans, and the number of storage accesses (db hits). */
import neo4j, { type Plan, type ProfiledPlan } from 'neo4j-driver';
import type { Neo4j, Statement } from '../../../shared/engines/neo4j/neo4j.js';
import { testNeo4jConfig } from './neo4j.js';

export type Planner = {
  /** Names of the operators of all statements. */
  explain(statements: readonly Statement[]): Promise<readonly string[]>;
  /** Runs the statements and counts their accesses to nodes, relationships, properties and index entries. */
  profile(statements: readonly Statement[]): Promise<{ readonly operators: readonly string[]; readonly hits: number }>;
  /**
   * Resolves when the statistics of the indexes are those of the present graph. Neo4j samples them in the background,
   * on a busy machine seconds later.
   */
  sampleIndexes(): Promise<void>;
  close(): Promise<void>;
};

export function openPlanner(): Planner {
  const { url, user, password } = testNeo4jConfig();
  const driver = neo4j.driver(url, neo4j.auth.basic(user, password ?? ''), { disableLosslessIntegers: true });
  const summary = async (verb: string, { text, given }: Statement) =>
    // Planned again: the plan of an earlier test may be one for an empty graph.
    (await driver.executeQuery(`CYPHER replan=force ${verb} ${text}`, { given })).summary;
  return {
    explain: async (statements) => {
      const plans = await Promise.all(statements.map(async (statement) => (await summary('EXPLAIN', statement)).plan));
      return plans.flatMap((plan) =>
        plan === false ? [] : operatorsOf(plan).map(({ operatorType }) => nameOf(operatorType)),
      );
    },
    profile: async (statements) => {
      const profiles = await Promise.all(
        statements.map(async (statement) => (await summary('PROFILE', statement)).profile),
      );
      const operators = profiles.flatMap((profile) => (profile === false ? [] : operatorsOf(profile)));
      return {
        operators: operators.map(({ operatorType }) => nameOf(operatorType)),
        hits: operators.reduce((sum, { dbHits }) => sum + dbHits, 0),
      };
    },
    sampleIndexes: async () => void (await driver.executeQuery('CALL db.prepareForReplanning()')),
    close: () => driver.close(),
  };
}

/** Runs the work and records the statements that it sends. */
export async function statementsOf(
  real: Neo4j,
  work: (neo4j: Neo4j) => Promise<unknown>,
): Promise<readonly Statement[]> {
  const sent: Statement[] = [];
  await work({
    ...real,
    read: (statement) => {
      sent.push(statement);
      return real.read(statement);
    },
    readAll: (statements) => {
      sent.push(...statements);
      return real.readAll(statements);
    },
    write: (statements) => {
      sent.push(...statements);
      return real.write(statements);
    },
  });
  return sent;
}

function operatorsOf<P extends Plan | ProfiledPlan>(plan: P): readonly P[] {
  return [plan, ...(plan.children as P[]).flatMap(operatorsOf)];
}

/** `Top@neo4j` becomes `Top`. */
function nameOf(operatorType: string): string {
  return operatorType.split('@')[0] ?? operatorType;
}
