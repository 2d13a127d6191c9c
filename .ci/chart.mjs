/**
 * Checks the Helm chart: `helm lint`, and kubeconform over what Helm renders, with the schemas of Kubernetes made from
 * the OpenAPI document in its Go module. Needs helm 3, kubeconform and Go on the PATH, and the Go module proxy; ends
 * with 77, not checked, without them. The schemas leave out HTTPRoute and ServiceMonitor, which are no part of
 * Kubernetes itself.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CHART = fileURLToPath(new URL('../deploy/helm/palimpsest', import.meta.url));
const KUBERNETES = 'k8s.io/kubernetes@v1.33.3';
const NOT_RUN = 77;
const SETS = [
  ['existingSecret=tokens'],
  ['existingSecret=tokens', 'ingress.enabled=true', 'ingress.tlsSecret=certificate', 'ingress.className=nginx'],
  [
    'existingSecret=tokens',
    'httpRoute.enabled=true',
    'httpRoute.parentRefs[0].name=public',
    'serviceMonitor.enabled=true',
  ],
  [
    'existingSecret=tokens',
    'processes.projectors.autoscaling.lagMetric=lag,processes.projectors.autoscaling.lagTarget=30',
    'processes.query-api.autoscaling.latencyMetric=latency,processes.query-api.autoscaling.latencyTarget=250m',
  ],
];
const MCP_SETS = [
  ['existingSecret=tokens', 'mcp.enabled=true', 'ingress.enabled=true'],
  ['existingSecret=tokens', 'mcp.enabled=true', 'httpRoute.enabled=true', 'httpRoute.parentRefs[0].name=public'],
];

for (const program of ['helm', 'kubeconform', 'go'])
  if (spawnSync(program, ['version']).error !== undefined) {
    console.log(`chart: not checked, because ${program} is missing`);
    process.exit(NOT_RUN);
  }

const folder = mkdtempSync(join(tmpdir(), 'palimpsest-chart-'));
try {
  writeSchemas();
  for (const values of [[], ['--values', join(CHART, 'values-embedded.yaml')]]) {
    console.log(run('helm', ['lint', '--strict', CHART, '--set', SETS[0][0], ...values]));
    // The embedded pod serves MCP itself.
    for (const set of values.length === 0 ? [...SETS, ...MCP_SETS] : SETS)
      check(
        run('helm', ['template', 'mine', CHART, '--kube-version', '1.33.0', ...values, '--set', set.join(',')]),
        set,
      );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function check(manifests, set) {
  const schemas = join(folder, '{{ .ResourceKind }}{{ .KindSuffix }}.json');
  const flags = ['-strict', '-summary', '-skip', 'HTTPRoute,ServiceMonitor', '-schema-location', schemas];
  const { status, stdout, stderr } = spawnSync('kubeconform', flags, { input: manifests, encoding: 'utf8' });
  console.log(`${set.join(' ')}: ${stdout}${stderr}`);
  if (status !== 0) process.exitCode = 1;
}

/** One strict JSON schema for each kind of Kubernetes. */
function writeSchemas() {
  const { Dir } = JSON.parse(run('go', ['mod', 'download', '-json', KUBERNETES], { cwd: tmpdir() }));
  const { definitions } = JSON.parse(readFileSync(join(Dir, 'api/openapi-spec/swagger.json'), 'utf8'));
  for (const definition of Object.values(definitions)) {
    if (definition.properties !== undefined) definition.additionalProperties ??= false;
    // A port, for example, is a number or a name.
    if (definition.format === 'int-or-string') definition.type = ['string', 'integer'];
  }
  const text = JSON.stringify(definitions);
  for (const [name, { 'x-kubernetes-group-version-kind': kinds = [] }] of Object.entries(definitions)) {
    const [{ group, version, kind } = {}] = kinds;
    if (kinds.length !== 1 || kind.endsWith('List')) continue;
    const suffix = group === '' ? version : `${group.split('.')[0]}-${version}`;
    const file = join(folder, `${kind.toLowerCase()}-${suffix}.json`);
    if (
      /^(?:Service|Deployment|StatefulSet|Job|Ingress|NetworkPolicy|PodDisruptionBudget|HorizontalPodAutoscaler)$/u.test(
        kind,
      )
    )
      writeFileSync(file, `{"$ref":"#/definitions/${name}","definitions":${text}}`);
  }
}

function run(program, flags, options = {}) {
  return execFileSync(program, flags, { encoding: 'utf8', maxBuffer: 1e8, ...options });
}
