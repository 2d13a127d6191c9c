/** Renders the Helm chart. The types cover the fields that tests read. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { REPOSITORY } from '../checks/source-files.js';

type Selector = { readonly matchLabels: Readonly<Record<string, string>> };
type Probe = { readonly httpGet?: { readonly path: string; readonly port: string }; readonly tcpSocket?: object };
export type Peer = {
  readonly ports: readonly { readonly port: number | string }[];
  readonly from?: readonly { readonly podSelector?: Selector }[];
  readonly to?: readonly { readonly podSelector?: Selector }[];
};

export type Variable = {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly secretKeyRef: { readonly name: string; readonly key: string } };
};

export type Container = {
  readonly name: string;
  readonly image: string;
  readonly args: readonly [string];
  readonly env: readonly Variable[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly resources: Readonly<Record<'requests' | 'limits', Readonly<Record<'cpu' | 'memory', string>>>>;
  readonly securityContext: object;
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
};

export type Manifest = {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: {
    readonly replicas?: number;
    readonly template?: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      readonly spec: { readonly securityContext: object; readonly containers: readonly [Container] };
    };
    readonly selector?: unknown;
    readonly podSelector?: Selector;
    readonly ports?: readonly { readonly name: string; readonly port: number; readonly targetPort: string }[];
    readonly ingress?: readonly Peer[];
    readonly egress?: readonly Peer[];
    readonly metrics?: readonly object[];
    readonly rules?: readonly object[];
    readonly volumeClaimTemplates?: readonly object[];
  };
};

export const CHART = join(REPOSITORY, 'deploy/helm/palimpsest');

/** `settings` as for `--set`. Rejects with what Helm wrote. */
export async function renderChart(
  helm: string,
  { mode = 'distributed', settings = [] }: { readonly mode?: string; readonly settings?: readonly string[] } = {},
): Promise<readonly Manifest[]> {
  const values = mode === 'embedded' ? ['--values', join(CHART, 'values-embedded.yaml')] : [];
  const flags = [...values, '--set', ['existingSecret=tokens', ...settings].join(',')];
  const { stdout } = await promisify(execFile)(
    helm,
    ['template', 'mine', CHART, '--kube-version', '1.30.0', ...flags],
    { maxBuffer: 1e7 },
  );
  return parseAllDocuments(stdout).flatMap((document) => (document.toJS() as Manifest | null) ?? []);
}

export function ofKind(manifests: readonly Manifest[], ...kinds: readonly string[]): readonly Manifest[] {
  return manifests.filter(({ kind }) => kinds.includes(kind));
}

/** Of every pod that the manifests start. */
export function containersOf(manifests: readonly Manifest[]): readonly Container[] {
  return manifests.flatMap(({ spec }) => spec.template?.spec.containers ?? []);
}
