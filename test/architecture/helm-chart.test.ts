/** Checks the Helm chart as Helm renders it: our own configuration code reads the variables of each container. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { migrationSteps } from '../../command-api/open-migration-steps.js';
import { commandProcessConfig } from '../../command-api/process-config.js';
import { relayProcessConfig } from '../../command-api/relay/process-config.js';
import { ALL_VARIABLES } from '../../deploy/docs/generate/variables-table.js';
import { embeddedConfig } from '../../deploy/embedded/config.js';
import { gatewayConfig } from '../../deploy/gateway/gateway-config.js';
import { bridgeConfig, bridgeServerConfig, mcpEdgeConfig } from '../../deploy/mcp/bridge-config.js';
import { projectorProcessConfig } from '../../projectors/process-config.js';
import { queryProcessConfig } from '../../query-api/process-config.js';
import type { Environment } from '../../shared/kernel/config/config.js';
import { silentLogger } from '../../shared/kernel/logger.js';
import { skipWithReason } from '../support/checks/not-run.js';
import { rejection } from '../support/checks/rejection.js';
import { REPOSITORY } from '../support/checks/source-files.js';
import {
  CHART,
  type Container,
  containersOf,
  type Manifest,
  ofKind,
  type Peer,
  renderChart,
} from '../support/kubernetes/render-chart.js';
import { findProgram } from '../support/processes/programs.js';

const SECRETS: Readonly<Record<string, string>> = {
  API_TOKENS: 'alice:first,build:second',
  POSTGRES_URL: 'postgres://user:password@postgres:5432/palimpsest',
};
const READERS: Readonly<Record<string, (environment: Environment) => unknown>> = {
  'command-api': commandProcessConfig,
  relay: relayProcessConfig,
  projectors: projectorProcessConfig,
  'query-api': queryProcessConfig,
  gateway: gatewayConfig,
  mcp: (environment) => [bridgeConfig(environment), bridgeServerConfig(environment), mcpEdgeConfig(environment)],
  migration: (environment) => migrationSteps({ environment, logger: silentLogger }),
  embedded: (environment) => embeddedConfig(environment, '/app'),
};
const API_TOKENS = ['ADMIN_API_TOKEN', 'API_TOKENS', 'SERVICE_API_TOKEN'];
const TOKENS: Readonly<Record<string, readonly string[]>> = {
  'command-api': ['ADMIN_API_TOKEN', 'API_TOKENS', 'INTERNAL_API_TOKEN', 'SERVICE_API_TOKEN'],
  'query-api': API_TOKENS,
  embedded: API_TOKENS,
  projectors: ['INTERNAL_API_TOKEN'],
};

describe('the Helm chart', function () {
  let helm: string;
  let distributed: readonly Manifest[];
  let embedded: readonly Manifest[];
  before(async function () {
    const found = findProgram('helm');
    if (found === null) skipWithReason(this, 'the Helm chart: put helm 3 on the PATH');
    helm = found;
    [distributed, embedded] = await Promise.all([
      renderChart(helm, { settings: ['mcp.enabled=true'] }),
      renderChart(helm, { mode: 'embedded' }),
    ]);
  });

  it('has the version of the package', () => {
    const { version } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8')) as {
      readonly version: string;
    };
    const chart = parse(readFileSync(join(CHART, 'Chart.yaml'), 'utf8')) as object;
    expect(chart).to.include({ version, appVersion: version });
  });

  it('starts each distributed process, and the migration before them', () => {
    const names = (kind: string): readonly string[] => ofKind(distributed, kind).map(({ metadata }) => metadata.name);
    const processes = ['command-api', 'gateway', 'mcp', 'projectors', 'query-api', 'relay'].map(
      (name) => `mine-${name}`,
    );
    for (const kind of ['Deployment', 'Service', 'PodDisruptionBudget'])
      expect([...names(kind)].sort(), kind).to.deep.equal(processes);
    expect(names('Job')).to.deep.equal(['mine-migration']);
    expect(ofKind(distributed, 'Job')[0]?.metadata.annotations).to.include({
      'helm.sh/hook': 'pre-install,pre-upgrade',
    });
  });

  it('starts existing files', () => {
    for (const { args } of containersOf([...distributed, ...embedded]))
      expect(existsSync(join(REPOSITORY, args[0].replace(/^dist\/(.*)\.js$/u, '$1.ts'))), args[0]).to.equal(true);
  });

  it('sets only variables that a process reads', () => {
    const known = ALL_VARIABLES.flatMap(({ variables }) => variables.map(({ name }) => name));
    for (const { name, env } of containersOf([...distributed, ...embedded]))
      expect(known, name).to.include.members(env.map((variable) => variable.name));
  });

  it('gives each process a configuration that it accepts', () => {
    for (const container of containersOf([...distributed, ...embedded]))
      expect(() => READERS[container.name]?.(environmentOf(container)), container.name).to.not.throw();
  });

  it('gives each process the secrets that it reads and no other token', () => {
    const secrets = ALL_VARIABLES.flatMap(({ variables }) => variables.filter(({ kind }) => kind === 'secret'));
    const ofServers = secrets
      .map(({ name }) => name)
      .filter((name) => !/^(?:AUTOMEM|CLAUDE_PLUGIN)|API_TOKEN/u.test(name));
    for (const container of containersOf([...distributed, ...embedded])) {
      const read = new Set<string>();
      const environment = new Proxy(environmentOf(container), {
        get: (target, name: string) => {
          read.add(name);
          return target[name];
        },
      });
      READERS[container.name]?.(environment);
      const given = container.env.filter(({ valueFrom }) => valueFrom !== undefined).map(({ name }) => name);
      expect(given, container.name).to.include.members(ofServers.filter((name) => read.has(name)));
      const tokens = given.filter((name) => /API_TOKEN/u.test(name)).sort();
      expect(tokens, container.name).to.deep.equal(TOKENS[container.name] ?? []);
    }
  });

  it('takes secrets from the named Secret alone', () => {
    const variables = containersOf([...distributed, ...embedded]).flatMap(({ env }) => env);
    const secret = variables.filter(({ name }) => /TOKEN|PASSWORD|_KEY$|POSTGRES_URL/u.test(name));
    expect(secret).to.not.be.empty;
    for (const { name, valueFrom } of secret)
      expect(valueFrom?.secretKeyRef, name).to.include({ name: 'tokens', key: name });
  });

  it('refuses to render without a Secret', async () => {
    expect(String(await rejection(renderChart(helm, { settings: ['existingSecret='] })))).to.include(
      'existingSecret is empty',
    );
  });

  it('rejects values that its schema does not know', async () => {
    for (const [setting, word] of [
      ['replicas=3', 'replicas'],
      ['mode=both', 'mode'],
      ['processes.query.replicas=3', 'query'],
      ['httpRoute.enabled=true', 'parentRefs'],
    ] as const)
      expect(String(await rejection(renderChart(helm, { settings: [setting] }))), setting).to.include(word);
  });

  it('probes the routes of each process, and of the gateway its port', () => {
    for (const { name, ports, startupProbe, livenessProbe, readinessProbe } of containersOf([
      ...distributed,
      ...embedded,
    ])) {
      if (name === 'migration') continue;
      expect(
        ports?.map((port) => port.name),
        name,
      ).to.deep.equal(['http', 'metrics']);
      const paths = [startupProbe, livenessProbe, readinessProbe].map(
        (probe) => probe?.httpGet?.path ?? probe?.tcpSocket,
      );
      const tcp = { port: 'http' };
      const others: Record<string, readonly unknown[]> = {
        gateway: [tcp, tcp, tcp],
        mcp: ['/health', '/health', '/ready'],
      };
      expect(paths, name).to.deep.equal(others[name] ?? ['/livez', '/livez', '/readyz']);
    }
  });

  it('gives each container limits and no rights', () => {
    for (const { spec } of [...distributed, ...embedded]) {
      if (spec.template === undefined) continue;
      const { securityContext, containers } = spec.template.spec;
      expect(securityContext).to.deep.include({
        runAsNonRoot: true,
        runAsUser: 1000,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      for (const container of containers) {
        expect(container.resources.requests, container.name).to.have.keys('cpu', 'memory');
        expect(container.resources.limits, container.name).to.have.keys('cpu', 'memory');
        expect(container.securityContext, container.name).to.deep.equal({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
      }
    }
  });

  it('connects the Services to the ports of the containers', () => {
    for (const manifests of [distributed, embedded]) {
      for (const { metadata, spec } of ofKind(manifests, 'Service')) {
        const container = containersOf(manifests).find(({ name }) => `mine-${name}` === metadata.name);
        const port = Number(container?.env.find(({ name }) => name === 'PORT')?.value);
        expect(
          spec.ports?.map(({ port: own }) => own),
          metadata.name,
        ).to.deep.equal([port, 9090]);
        expect(container?.ports?.map(({ containerPort }) => containerPort)).to.deep.equal([port, 9090]);
      }
      const services = ofKind(manifests, 'Service').map(
        ({ metadata, spec }) => `${metadata.name}:${spec.ports?.[0]?.port}`,
      );
      const addresses = containersOf(manifests).flatMap(({ env }) =>
        env.flatMap(({ value = '' }) => [...value.matchAll(/mine-[a-z-]+:\d+/gu)].map(([address]) => address)),
      );
      expect(services).to.include.members(addresses);
    }
  });

  it('admits callers to the gateway, and processes to what they call', () => {
    const policies = Object.fromEntries(
      ofKind(distributed, 'NetworkPolicy').map(({ metadata, spec }) => [
        metadata.name.replace('mine-', ''),
        { from: (spec.ingress ?? []).map(peerText), to: (spec.egress ?? []).map(peerText) },
      ]),
    );
    const dns = 'any:53,53';
    const stores = { postgres: 'any:5432', neo4j: 'any:7687', kafka: 'any:9092', qdrant: 'any:6333' };
    const all = Object.values(stores);
    expect(policies).to.deep.equal({
      gateway: { from: ['any:http', 'mcp:http'], to: [dns, 'command-api:8011', 'query-api:8012'] },
      mcp: { from: ['any:http'], to: [dns, 'gateway:8001'] },
      'command-api': {
        from: ['gateway:http', 'projectors:http'],
        to: [dns, stores.postgres, stores.neo4j, stores.qdrant],
      },
      'query-api': { from: ['gateway:http'], to: [dns, ...all] },
      projectors: { from: [], to: [dns, 'command-api:8011', ...all] },
      relay: { from: [], to: [dns, stores.postgres, stores.kafka] },
      migration: { from: [], to: [dns, ...all] },
    });
  });

  it('selects with each policy, budget and Service the pods of one process', () => {
    for (const manifests of [distributed, embedded])
      for (const { kind, metadata, spec } of ofKind(manifests, 'NetworkPolicy', 'PodDisruptionBudget', 'Service')) {
        const selector = spec.podSelector ?? spec.selector;
        const labels = (selector as { readonly matchLabels?: object }).matchLabels ?? selector;
        const chosen = manifests.filter(({ spec: { template } }) =>
          Object.entries(labels as object).every(([name, value]) => template?.metadata.labels[name] === value),
        );
        expect(
          chosen.map((one) => one.metadata.name),
          `${kind} ${metadata.name}`,
        ).to.deep.equal([metadata.name]);
      }
  });

  it('scales on processor time, and on metrics that values name', async () => {
    const scaled = (manifests: readonly Manifest[]): readonly string[] =>
      ofKind(manifests, 'HorizontalPodAutoscaler').map(({ metadata }) => metadata.name);
    expect([...scaled(distributed)].sort()).to.deep.equal(['mine-command-api', 'mine-projectors', 'mine-query-api']);
    for (const { metadata, spec } of ofKind(distributed, 'Deployment'))
      expect('replicas' in spec, metadata.name).to.equal(!scaled(distributed).includes(metadata.name));
    const settings = [
      'projectors.autoscaling.lagMetric=palimpsest_projector_lag_seconds',
      'projectors.autoscaling.lagTarget=30',
      'query-api.autoscaling.latencyMetric=palimpsest_recall_p95_seconds',
      'query-api.autoscaling.latencyTarget=250m',
    ].map((setting) => `processes.${setting}`);
    const manifests = await renderChart(helm, { settings });
    const metricsOf = (name: string): readonly object[] | undefined =>
      manifests.find(({ kind, metadata }) => kind === 'HorizontalPodAutoscaler' && metadata.name === name)?.spec
        .metrics;
    expect(metricsOf('mine-projectors')?.[1]).to.deep.include({ type: 'External' });
    expect(metricsOf('mine-query-api')?.[1]).to.deep.include({ type: 'Pods' });
    expect(metricsOf('mine-command-api')).to.have.lengthOf(1);
  });

  it('leads callers to the gateway by an Ingress or by an HTTPRoute', async () => {
    const front = JSON.stringify({ service: { name: 'mine-gateway', port: { name: 'http' } } });
    const ingress = ofKind(await renderChart(helm, { settings: ['ingress.enabled=true'] }), 'Ingress');
    expect(JSON.stringify(ingress[0]?.spec.rules)).to.include(front);
    const settings = ['httpRoute.enabled=true', 'httpRoute.parentRefs[0].name=public'];
    const route = ofKind(await renderChart(helm, { settings }), 'HTTPRoute');
    expect(route[0]?.spec.rules).to.deep.equal([{ backendRefs: [{ name: 'mine-gateway', port: 8001 }] }]);
    expect(ofKind(distributed, 'Ingress', 'HTTPRoute', 'ServiceMonitor')).to.deep.equal([]);
  });

  it('starts the MCP bridge and its route where the values say so', async () => {
    const pods = (manifests: readonly Manifest[]) => containersOf(manifests).filter(({ name }) => name === 'mcp');
    expect(pods(await renderChart(helm))).to.deep.equal([]);
    const [{ args, env } = expect.fail()] = pods(distributed);
    expect(args).to.deep.equal(['dist/deploy/mcp/main.js', '--http']);
    expect(env).to.deep.include({ name: 'AUTOMEM_API_URL', value: 'http://mine-gateway:8001' });
    const routed = async (kind: string, ...settings: readonly string[]) =>
      JSON.stringify(
        ofKind(await renderChart(helm, { settings: ['mcp.enabled=true', ...settings] }), kind)[0]?.spec.rules,
      );
    const exact = {
      path: '/mcp',
      pathType: 'Exact',
      backend: { service: { name: 'mine-mcp', port: { name: 'http' } } },
    };
    expect(await routed('Ingress', 'ingress.enabled=true')).to.include(`"paths":[${JSON.stringify(exact)},`);
    const rule = {
      matches: [{ path: { type: 'Exact', value: '/mcp' } }],
      backendRefs: [{ name: 'mine-mcp', port: 8080 }],
    };
    const http = await routed('HTTPRoute', 'httpRoute.enabled=true', 'httpRoute.parentRefs[0].name=public');
    expect(JSON.parse(http)[0]).to.deep.equal(rule);
    const refused = renderChart(helm, { mode: 'embedded', settings: ['mcp.enabled=true'] });
    expect(String(await rejection(refused))).to.include('the embedded pod serves MCP with config.MCP_ENABLED');
  });

  it('monitors each process where the values say so', async () => {
    const settings = [
      'serviceMonitor.enabled=true',
      'networkPolicy.scrapers[0].podSelector.matchLabels.app=prometheus',
    ];
    const manifests = await renderChart(helm, { settings });
    expect(ofKind(manifests, 'ServiceMonitor')).to.have.lengthOf(5);
    const admitted = ofKind(manifests, 'NetworkPolicy').filter(({ spec }) =>
      (spec.ingress ?? []).some(({ ports }) => ports[0]?.port === 'metrics'),
    );
    expect(admitted).to.have.lengthOf(5);
  });

  it('renders the embedded values as one pod with one volume and no store', async () => {
    const settings = ['processes.embedded.replicas=3'];
    embedded = await renderChart(helm, { mode: 'embedded', settings });
    expect(embedded.map(({ kind }) => kind).sort()).to.deep.equal(['NetworkPolicy', 'Service', 'StatefulSet']);
    const [{ spec } = expect.fail()] = ofKind(embedded, 'StatefulSet');
    expect([spec.replicas, spec.volumeClaimTemplates?.length]).to.deep.equal([1, 1]);
    const [{ env, volumeMounts } = expect.fail()] = containersOf(embedded);
    expect(volumeMounts).to.deep.include({ name: 'data', mountPath: '/data' });
    expect(env.map(({ name }) => name)).to.not.include.members(['NEO4J_URL', 'KAFKA_BROKERS', 'QDRANT_URL']);
  });
});

/** The variables of the container, of its image, and of a login at Kafka where it has the password. */
function environmentOf({ env }: Container): Record<string, string> {
  const own = env.map(({ name, value }): [string, string] => [name, value ?? SECRETS[name] ?? 'secret']);
  const login = { KAFKA_SASL_MECHANISM: 'plain', KAFKA_SASL_USERNAME: 'palimpsest' };
  const image = { LISTEN_HOST: '*', PALIMPSEST_DATA_DIR: '/data' };
  const given: Record<string, string> = { ...image, ...Object.fromEntries(own) };
  return 'KAFKA_SASL_PASSWORD' in given ? { ...login, ...given } : given;
}

/** `process:port`, or `any:port` for every address. */
function peerText({ ports, from, to }: Peer): string {
  const selector = (from ?? to)?.[0]?.podSelector?.matchLabels;
  return `${selector?.['app.kubernetes.io/component'] ?? 'any'}:${ports.map(({ port }) => port).join(',')}`;
}
