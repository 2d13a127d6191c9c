/** The official MCP conformance suite: the scenarios that apply to our server, and a function that runs all. */
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { ObjectSchema, Tool } from '../../../deploy/mcp/tool.js';
import { makeTool } from '../fixtures/mcp-tools.js';

const run = promisify(execFile);
// The package is a program without exports.
const PROGRAM = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')),
  'dist',
  'index.js',
);

const IN_BOTH = ['tools-list', 'resources-list', 'prompts-list', 'dns-rebinding-protection'] as const;
const script = (source: string): string => `data:text/javascript,${encodeURIComponent(source)}`;
/** A command of the suite, which tests do not use, imports `globSync`, which Node 20 does not have. */
const WITHOUT_GLOB = script(`export async function load(url, context, next) {
  const loaded = await next(url, context);
  if (!url.endsWith('/conformance/dist/index.js')) return loaded;
  return { ...loaded, source: String(loaded.source).replace('globSync as', 'readdirSync as') };
}`);
const HOOK = script(`import { register } from 'node:module'; register(${JSON.stringify(WITHOUT_GLOB)});`);

/** By revision: the scenarios that apply to any server with tools, resources and prompts. */
export const APPLICABLE = {
  '2025-11-25': ['server-initialize', 'ping', ...IN_BOTH],
  '2026-07-28': [
    'server-stateless',
    'server-sse-multiple-streams',
    'sep-2164-resource-not-found',
    'caching',
    'http-header-validation',
    ...IN_BOTH,
  ],
} as const;

/** These scenarios call tools by the names that the suite defines, in each revision. */
export const NEEDS_SUITE_TOOLS = [
  'tools-call-simple-text',
  'tools-call-error',
  'tools-call-with-progress',
  'json-schema-2020-12',
] as const;

/** Checks of applicable scenarios. */
const NOT_APPLICABLE_CHECKS: Readonly<Record<string, string>> = {
  'sep-2575-server-rejects-undeclared-capability': "it calls a tool of the suite's own server",
  'sep-2575-missing-capability-http-400': "it calls a tool of the suite's own server",
};

const ASKS_FOR_INPUT = [
  'basic-elicitation',
  'basic-sampling',
  'basic-list-roots',
  'request-state',
  'multiple-input-requests',
  'multi-round',
  'missing-input-response',
  'non-tool-request',
  'result-type',
  'unsupported-methods',
  'tampered-state',
  'capability-check',
  'ignore-extra-params',
  'validate-input',
].map((name) => [`input-required-result-${name}`, 'no call of the bridge asks its client for input']);

export const NOT_APPLICABLE: Readonly<Record<string, string>> = {
  ...Object.fromEntries(ASKS_FOR_INPUT),
  'server-session-lifecycle': 'the bridge has no sessions',
  'http-custom-header-server-validation': 'no tool has an argument that clients repeat in a header',
  'logging-set-level': 'the bridge logs to stderr and does not declare logging',
  'tools-call-with-logging': 'the bridge logs to stderr and does not declare logging',
  'completion-complete': 'no tool argument has values to complete; completions are not declared',
  'tools-call-image': 'our tools return only text',
  'tools-call-audio': 'our tools return only text',
  'tools-call-embedded-resource': 'our tools return only text',
  'tools-call-mixed-content': 'our tools return only text',
  'tools-call-sampling': "the bridge never calls the client's model",
  'tools-call-elicitation': 'the bridge never asks the user',
  'elicitation-sep1034-defaults': 'the bridge never asks the user',
  'elicitation-sep1330-enums': 'the bridge never asks the user',
  'server-sse-polling': 'the bridge has no sessions to resume: a stream ends with its answer',
  'resources-read-text': "it reads a resource of the suite's own server",
  'resources-read-binary': "it reads a resource of the suite's own server",
  'resources-templates-read': "it reads through a template of the suite's own server",
  'resources-subscribe': 'subscriptions are not declared: GET /stream reports changes',
  'resources-unsubscribe': 'subscriptions are not declared',
  'prompts-get-simple': "it gets a prompt of the suite's own server",
  'prompts-get-with-args': "it gets a prompt of the suite's own server",
  'prompts-get-embedded-resource': "it gets a prompt of the suite's own server",
  'prompts-get-with-image': "it gets a prompt of the suite's own server",
};

export type Revision = keyof typeof APPLICABLE;

/** `passed`: the number of checks. `problems`: the others that apply, with their messages. */
export type Outcome = { readonly passed: number; readonly problems: readonly string[] };

type Check = { readonly id: string; readonly status: string; readonly errorMessage?: string };

/**
 * Runs each scenario of a revision and returns its outcome by name. All run in one process, because its start takes two
 * seconds of processor time. Writes below `folder`, which is empty.
 */
export async function runSuite(
  revision: Revision,
  mcpUrl: string,
  folder: string,
): Promise<ReadonlyMap<string, Outcome>> {
  const line = ['server', '--url', mcpUrl, '--suite', 'all', '--spec-version', revision, '--output-dir', folder];
  // Its status is 1, because it also runs what does not apply.
  await run(process.execPath, ['--import', HOOK, PROGRAM, ...line]).catch(() => undefined);
  const names = await readdir(folder);
  const read = names.map(async (name): Promise<[string, Outcome]> => {
    const checks = JSON.parse(await readFile(join(folder, name, 'checks.json'), 'utf8')) as readonly Check[];
    const scenario = name.replace(/^server-|-\d{4}-\d\d-\d\dT.*$/gu, '');
    return [scenario, outcomeOf(checks)];
  });
  return new Map(await Promise.all(read));
}

function outcomeOf(checks: readonly Check[]): Outcome {
  const failed = checks.filter(({ id, status }) => BAD.has(status) && !(id in NOT_APPLICABLE_CHECKS));
  return {
    passed: checks.filter(({ status }) => status === 'SUCCESS').length,
    problems: failed.map(({ id, errorMessage = '' }) => `${id}: ${errorMessage}`),
  };
}

const BAD: ReadonlySet<string> = new Set(['FAILURE', 'WARNING']);

/** The input schema that the suite expects, keyword by keyword. */
const SCHEMA_WITH_DEFINITIONS = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
} as const satisfies ObjectSchema & Readonly<Record<string, unknown>>;

const done = { text: ['This is a simple text response for testing.'], structured: { message: 'done' } };

export const conformanceTools: readonly Tool[] = [
  makeTool('test_simple_text', async () => done),
  makeTool('test_error_handling', async () => {
    throw new Error('This tool intentionally returns an error for testing');
  }),
  makeTool('test_tool_with_progress', async ({ report }) => {
    for (const part of [0, 50, 100]) report({ done: part, total: 100, message: `${part} of 100` });
    return done;
  }),
  makeTool('json_schema_2020_12_tool', async () => done, { inputSchema: SCHEMA_WITH_DEFINITIONS }),
];
