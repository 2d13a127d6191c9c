import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import { connectNeo4j } from '../../../../../shared/engines/neo4j/connection/connect-neo4j.js';
import { createNeo4j } from '../../../../../shared/engines/neo4j/connection/neo4j-client.js';
import { type Neo4jConfig, neo4jConfig } from '../../../../../shared/engines/neo4j/connection/neo4j-variables.js';
import { createNeo4jGraphReader } from '../../../../../shared/engines/neo4j/neo4j-graph-reader.js';
import { createNeo4jGraphWriter } from '../../../../../shared/engines/neo4j/neo4j-graph-writer.js';
import { DeadlineError, DependencyError } from '../../../../../shared/kernel/errors.js';
import { silentLogger } from '../../../../../shared/kernel/logger.js';
import { rejection } from '../../../../support/checks/rejection.js';
import { memory, stored } from '../../../../support/fixtures/memories.js';

describe('Neo4j client', () => {
  const brief = { NEO4J_TRANSACTION_TIMEOUT_MS: '150', NEO4J_RETRY_MS: '0' };
  const configFor = (port: number, variables: Readonly<Record<string, string>> = {}): Neo4jConfig => ({
    ...neo4jConfig({ ...brief, NEO4J_URL: `bolt://127.0.0.1:${port}`, ...variables }),
    connectTimeoutMs: 100,
  });

  it('reports an unavailable, retryable graph when no server listens', async () => {
    const { server, port } = await listen();
    await close(server);
    const error = await rejection(connectNeo4j({ config: configFor(port), logger: silentLogger }));
    expect(error)
      .to.be.instanceOf(DependencyError)
      .and.include({ dependency: 'graph', message: 'Graph database unavailable' });
    expect(error).to.include({ isRetryable: true, outcomeUnknown: false });
    expect(error.cause).to.be.instanceOf(Error);
  });

  describe('without a reply', () => {
    const sockets = new Set<Socket>();
    let server: Server;
    let port: number;
    beforeEach(async () => {
      ({ server, port } = await listen());
      server.on('connection', (socket) => sockets.add(socket));
    });
    afterEach(async () => {
      for (const socket of sockets) socket.destroy();
      sockets.clear();
      await close(server);
    });

    it('stops connecting after its timeout', async () => {
      const error = await rejection(connectNeo4j({ config: configFor(port), logger: silentLogger }));
      expect(error)
        .to.be.instanceOf(DependencyError)
        .and.include({ dependency: 'graph', message: 'Graph database unavailable' });
    });

    it('ends calls at their deadline, writes with an unknown outcome', async () => {
      // The driver itself would wait for a connection longer than the call may take.
      const neo4j = createNeo4j({
        config: { ...configFor(port), connectTimeoutMs: 5_000 },
        logger: silentLogger,
      });
      try {
        const read = await rejection(createNeo4jGraphReader({ neo4j }).ping());
        expect(read).to.be.instanceOf(DependencyError).and.include({ dependency: 'graph', outcomeUnknown: false });
        expect(String(read.cause)).to.contain('did not answer within 150 ms');
        const write = await rejection(createNeo4jGraphWriter({ neo4j }).apply([stored(memory(1))]));
        expect(write).to.be.instanceOf(DependencyError).and.include({ dependency: 'graph', outcomeUnknown: true });
      } finally {
        await neo4j.close();
      }
    });

    it('opens new connections after a call without a reply', async () => {
      const neo4j = createNeo4j({
        config: { ...configFor(port), connectTimeoutMs: 5_000, poolSize: 1 },
        logger: silentLogger,
      });
      try {
        for (const connections of [1, 2, 3]) {
          await rejection(neo4j.read({ text: 'RETURN 1', given: {} }));
          expect(sockets.size, 'a pool of one would wait for the first connection forever').to.equal(connections);
        }
      } finally {
        await neo4j.close();
      }
    });

    it('rejects calls beyond the limit of waiting calls', async () => {
      const neo4j = createNeo4j({ config: { ...configFor(port), maxCalls: 2 }, logger: silentLogger });
      try {
        const waiting = [1, 2].map(() => rejection(neo4j.read({ text: 'RETURN 1', given: {} })));
        expect(await rejection(neo4j.read({ text: 'RETURN 1', given: {} }))).to.be.instanceOf(DeadlineError);
        for (const error of await Promise.all(waiting)) expect(error).to.be.instanceOf(DependencyError);
      } finally {
        await neo4j.close();
      }
    });
  });
});

async function listen(): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, port: (server.address() as AddressInfo).port }; // it listens on TCP
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
