/** Reads `deploy/compose.yaml` as Compose does. The types cover the fields that tests read. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { REPOSITORY } from '../checks/source-files.js';

export type ComposeService = {
  readonly image: string;
  readonly build?: string;
  readonly command?: readonly string[];
  readonly restart: string;
  readonly stop_grace_period?: string;
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: {
    readonly test: readonly string[];
    readonly interval: string;
    readonly timeout: string;
    readonly retries: number;
    readonly start_period: string;
  };
};

export type ComposeFile = {
  readonly name: string;
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: Readonly<Record<string, unknown>>;
};

export const COMPOSE_PATH = join(REPOSITORY, 'deploy/compose.yaml');

/** `<<` merges maps, as in YAML 1.1, the version that Compose follows. */
export function readComposeFile(): ComposeFile {
  return parse(readFileSync(COMPOSE_PATH, 'utf8'), { merge: true }) as ComposeFile;
}

/** The schema of the Compose Specification (Apache-2.0), from release 2.4.9 of its reference implementation. */
export function readComposeSchema(): object {
  return JSON.parse(readFileSync(join(REPOSITORY, 'test/support/servers/compose-spec.schema.json'), 'utf8')) as object;
}
