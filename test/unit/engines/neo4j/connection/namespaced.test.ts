import { expect } from 'chai';
import { createRewrite, namespacedNeo4j } from '../../../../../shared/engines/neo4j/connection/namespaced.js';
import type { Neo4j, Row, Statement } from '../../../../../shared/engines/neo4j/neo4j.js';
import { neo4jPorts } from '../../../../../shared/engines/neo4j/open.js';
import { warmUp } from '../../../../../shared/engines/neo4j/warm-up.js';

const SUFFIX = '_t1';

describe('namespace of a graph', () => {
  const rewrite = createRewrite('t1');

  it('is a suffix of labels, of indexed types and of indexes', () => {
    for (const [text, expected] of [
      [
        'MATCH (m:Subject {id: id}) USING INDEX SEEK m:Subject(id)',
        'MATCH (m:Subject_t1 {id: id}) USING INDEX SEEK m:Subject_t1(id)',
      ],
      ['WHERE s:Memory AND NOT m:UnenrichedContext', 'WHERE s:Memory_t1 AND NOT m:UnenrichedContext_t1'],
      ['(m)-[own:TAGGED|DESCRIBED]->(m)', '(m)-[own:TAGGED_t1|DESCRIBED_t1]->(m)'],
      ["queryNodes('memory_terms', $given.query)", "queryNodes('memory_terms_t1', $given.query)"],
      [
        'CREATE INDEX memory_rank IF NOT EXISTS FOR (m:Memory)',
        'CREATE INDEX memory_rank_t1 IF NOT EXISTS FOR (m:Memory_t1)',
      ],
      ['DROP CONSTRAINT subject_id IF EXISTS', 'DROP CONSTRAINT subject_id_t1 IF EXISTS'],
      [
        "label <> 'Subject' AND NOT label IN row.labels",
        "label <> 'Subject_t1' AND NOT label IN [label IN row.labels | label + '_t1']",
      ],
    ] as const)
      expect(rewrite(text)).to.equal(expected);
  });

  it('leaves types of associations, parameters and properties as they are', () => {
    for (const text of [
      '(s)-[r:RELATES_TO|PREFERS_OVER]->(t)',
      '$given.Memory',
      'm.tags = row.node.tags',
      "RETURN 'Context' AS type",
      'type(r) AS type',
    ])
      expect(rewrite(text)).to.equal(text);
  });

  it('holds for each statement of the graph', async () => {
    const texts = new Set<string>();
    /** Rows for the statements whose callers expect one. */
    const rowsOf = (statement: Statement): readonly Row[] => {
      texts.add(statement.text);
      return /\bRETURN \[COUNT| AS listed\b/u.test(statement.text)
        ? [{ memories: [], associations: [], listed: [] }]
        : [];
    };
    const recorder: Neo4j = {
      read: (statement) => Promise.resolve(rowsOf(statement)),
      readAll: (statements) => Promise.resolve(statements.map(rowsOf)),
      readAtLeader: (statement) => Promise.resolve(rowsOf(statement)),
      write: async (statements) => {
        for (const statement of statements) {
          rowsOf(statement);
          statement.check?.([]); // a deletion goes on until it deleted nothing
        }
      },
      serverVersion: () => Promise.resolve('5.26.0'),
      close: () => Promise.resolve(),
    };
    const own = namespacedNeo4j(recorder, 't1');
    await warmUp(own, { writes: true, excludedTypes: ['Context'] });
    const { graphWriter, graphScan, ensureSchema, drop } = neo4jPorts(own);
    await graphWriter.clearHub();
    await graphScan.newest({ before: null, limit: 1 });
    await ensureSchema();
    await drop();
    expect(texts.size).to.be.greaterThan(80);
    const names =
      /(?<=[:|])(?:Subject|Memory|EntityRecord|GraphSchema|DeletedHub|Unenriched|TAGGED|DESCRIBED)\b|'memory_terms'/u;
    // A pattern that begins at a node without a label, and is not bound before.
    const anyNode = /(?:MATCH|COUNT \{) \(\)-\[\w*:(?!TAGGED_t1|DESCRIBED_t1)/u;
    expect([...texts].filter((text) => names.test(text) || anyNode.test(text))).to.deep.equal([]);
    expect([...texts].every((text) => !text.includes(`${SUFFIX}${SUFFIX}`))).to.equal(true);
  });
});
