/** `deploy/compose.yaml` as Compose reads it, as far as the tests look into it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { REPOSITORY } from './source-files.js';

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

/** `<<` merges, as in YAML 1.1, which Compose goes by. */
export function readComposeFile(): ComposeFile {
  return parse(readFileSync(COMPOSE_PATH, 'utf8'), { merge: true }) as ComposeFile;
}

/** The Compose Specification's own schema (Apache-2.0), of the release 2.4.9 of its reference implementation. */
export function readComposeSchema(): object {
  return JSON.parse(readFileSync(join(REPOSITORY, 'test/support/compose-spec.schema.json'), 'utf8')) as object;
}
