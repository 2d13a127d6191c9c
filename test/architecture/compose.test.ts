/**
 * Checks `deploy/compose.yaml`: its schema, pinned images, existing files, known variables and ports, and health
 * checks.
 */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Ajv, type ErrorObject } from 'ajv';
import { expect } from 'chai';
import { ALL_VARIABLES } from '../../deploy/docs/generate/variables-table.js';
import { REPOSITORY } from '../support/checks/source-files.js';
import {
  COMPOSE_PATH,
  type ComposeService,
  readComposeFile,
  readComposeSchema,
} from '../support/servers/compose-file.js';

/** The variables that third-party images read. */
const KNOWN_TO_IMAGES: Readonly<Record<string, RegExp>> = {
  neo4j:
    /^NEO4J_(?:AUTH|db_tx__log_rotation_retention__policy|server_memory_(?:heap_initial__size|heap_max__size|pagecache_size))$/u,
  postgres: /^POSTGRES_(?:USER|PASSWORD|DB)$/u,
  'apache/kafka':
    /^KAFKA_(?:HEAP_OPTS|NODE_ID|PROCESS_ROLES|CONTROLLER_(?:QUORUM_VOTERS|LISTENER_NAMES)|LISTENERS|ADVERTISED_LISTENERS|LISTENER_SECURITY_PROTOCOL_MAP|INTER_BROKER_LISTENER_NAME|AUTO_CREATE_TOPICS_ENABLE|OFFSETS_TOPIC_REPLICATION_FACTOR|TRANSACTION_STATE_LOG_(?:REPLICATION_FACTOR|MIN_ISR)|LOG_DIRS)$/u,
  'qdrant/qdrant': /^$/u,
  nginx: /^$/u,
  'prom/prometheus': /^$/u,
  'grafana/grafana': /^GF_(?:AUTH_ANONYMOUS_ENABLED|SECURITY_ADMIN_PASSWORD)$/u,
};

const compose = readComposeFile();
const services = Object.entries(compose.services);
const ours = services.filter(([, { build }]) => build !== undefined);
const theirs = services.filter(([, { build }]) => build === undefined);
const longRunning = services.filter(([, { restart }]) => restart !== 'no');
const hasDockerCompose = spawnSync('docker', ['compose', 'version']).status === 0;

describe(`compose.yaml${hasDockerCompose ? '' : ' (schema only)'}`, () => {
  it('follows the schema of the Compose Specification', () => {
    const isValid = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile({
      ...readComposeSchema(),
      $schema: 'http://json-schema.org/draft-07/schema#',
    });
    expect(
      isValid(compose)
        ? []
        : isValid.errors?.map(({ instancePath, message }: ErrorObject) => `${instancePath} ${message}`),
    ).to.deep.equal([]);
  });

  if (hasDockerCompose) {
    it('passes docker compose config', async () => {
      await promisify(execFile)('docker', ['compose', '-f', COMPOSE_PATH, 'config', '-q']);
    });
  }

  it('bounds how long Neo4j keeps its logs, as the local server does', () => {
    const policy = compose.services['neo4j']?.environment?.['NEO4J_db_tx__log_rotation_retention__policy'];
    expect(policy).to.match(/^1 days \d+G$/u);
    const local = readFileSync(join(REPOSITORY, 'deploy/local/neo4j/neo4j.conf'), 'utf8');
    expect(local).to.include(`db.tx_log.rotation.retention_policy=${policy}\n`);
  });

  it('pins third-party images to a patch version', () => {
    // For Postgres the second number is the patch version.
    for (const [name, { image }] of theirs)
      expect(image, name).to.match(/^(?:postgres:\d+\.\d+|[a-z0-9/]+:v?\d+\.\d+\.\d+)(?:-[a-z]+)?$/u);
    for (const [name, { build = '' }] of ours)
      expect(existsSync(join(COMPOSE_PATH, '..', build, 'Dockerfile')), name).to.equal(true);
  });

  it('runs existing entry files', () => {
    const missing = ours.flatMap(([, { command: [entry = ''] = [] }]) =>
      existsSync(join(REPOSITORY, entry.replace(/^dist\/(.*)\.js$/u, '$1.ts'))) ? [] : [entry],
    );
    expect(missing).to.deep.equal([]);
  });

  it('sets only variables that a process reads', () => {
    const declared = ALL_VARIABLES.flatMap(({ variables }) => variables.map(({ name }) => name));
    const unknown = services.flatMap(([service, { image, build, environment = {} }]) =>
      Object.keys(environment)
        .filter((name) => {
          const isRead =
            build === undefined ? KNOWN_TO_IMAGES[image.split(':')[0] ?? '']?.test(name) : declared.includes(name);
          return isRead !== true;
        })
        .map((name) => `${service}: ${name}`),
    );
    expect(unknown).to.deep.equal([]);
  });

  it('restarts each service and checks its health', () => {
    for (const [name, { healthcheck, restart, stop_grace_period: grace }] of longRunning) {
      expect(healthcheck, name).to.have.keys('test', 'interval', 'timeout', 'retries', 'start_period');
      expect([name, restart, grace]).to.deep.equal([name, 'unless-stopped', grace ?? 'a time']);
    }
    expect(services.length - longRunning.length, 'the migration ends by itself').to.equal(1);
  });

  it('waits for services until they are healthy or done', () => {
    for (const [name, { depends_on: others = {} }] of services) {
      for (const [other, { condition }] of Object.entries(others)) {
        const isLongRunning = longRunning.some(([service]) => service === other);
        expect(condition, `${name} waits for ${other}`).to.equal(
          isLongRunning ? 'service_healthy' : 'service_completed_successfully',
        );
        expect(compose.services, name).to.have.property(other);
      }
    }
  });

  it('connects processes to the ports of the other services', () => {
    const portsOf = (service: ComposeService | undefined): readonly string[] => [
      String(service?.environment?.['PORT'] ?? ''),
      ...(String(service?.environment?.['KAFKA_ADVERTISED_LISTENERS'] ?? '').match(/(?<=kafka:)\d+/gu) ?? []),
      ...(PORTS_OF_IMAGES[service?.image.split(':')[0] ?? ''] ?? []),
    ];
    const addresses = ours.flatMap(([, { environment = {} }]) =>
      Object.entries(environment).filter(([name]) => /_(?:URL|BROKERS)$/u.test(name)),
    );
    expect(addresses).to.not.be.empty;
    for (const [name, address] of addresses) {
      const [, host = '', port] = /(?:^|@|\/\/)([a-z0-9-]+):(\d+)(?:\/[a-z]*)?$/u.exec(String(address)) ?? [];
      expect(portsOf(compose.services[host]), `${name}=${String(address)}`).to.include(port);
    }
  });

  it('publishes ports on localhost alone', () => {
    const config = readFileSync(join(REPOSITORY, 'deploy/gateway/nginx.conf'), 'utf8');
    for (const api of ['command-api', 'query-api'])
      expect(config).to.include(`server ${api}:${compose.services[api]?.environment?.['PORT']} `);
    const [, listens] = /listen (\d+);/u.exec(config) ?? [];
    expect(compose.services['gateway']?.ports).to.deep.equal([`127.0.0.1:${listens}:${listens}`]);
    for (const [name, { ports = [] }] of services)
      for (const port of ports) expect(port, name).to.match(/^127\.0\.0\.1:(\d+):\1$/u);
  });

  it('mounts existing files and declared volumes', () => {
    const sources = services.flatMap(([, { volumes = [] }]) => volumes.map((volume) => volume.split(':')[0] ?? ''));
    const [files, names] = [
      sources.filter((source) => source.startsWith('.')),
      sources.filter((source) => !source.startsWith('.')),
    ];
    expect(files.filter((file) => !existsSync(join(COMPOSE_PATH, '..', file)))).to.deep.equal([]);
    expect(names.sort()).to.deep.equal(Object.keys(compose.volumes).sort());
  });
});

const PORTS_OF_IMAGES: Readonly<Record<string, readonly string[]>> = {
  nginx: ['8001'],
  neo4j: ['7687'],
  postgres: ['5432'],
  'qdrant/qdrant': ['6333'],
};
