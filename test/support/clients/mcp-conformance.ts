/** The official MCP conformance suite: the scenarios that apply to our server, and a function that runs one. */
import { execFile } from 'node:child_process';
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

/** These scenarios apply to any server with tools, resources and prompts. */
export const APPLICABLE = [
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'prompts-list',
  'dns-rebinding-protection',
] as const;

/** These scenarios call tools by the names that the suite defines. */
export const NEEDS_SUITE_TOOLS = [
  'tools-call-simple-text',
  'tools-call-error',
  'tools-call-with-progress',
  'json-schema-2020-12',
] as const;

export const NOT_APPLICABLE: Readonly<Record<string, string>> = {
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
  'server-sse-multiple-streams': 'it needs a session id, and the bridge has no sessions',
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

export async function listScenarios(): Promise<readonly string[]> {
  const { stdout } = await run(process.execPath, [PROGRAM, 'list', '--server']);
  return [...stdout.matchAll(/^ +- (\S+)$/gmu)].map((match) => match[1] ?? '');
}

/**
 * Resolves with the output of a failed scenario, or null if it has at least one check and all pass. Writes its results
 * below `folder`.
 */
export async function failureOf(scenario: string, mcpUrl: string, folder: string): Promise<string | null> {
  const { stdout } = await run(process.execPath, [PROGRAM, 'server', '--url', mcpUrl, '--scenario', scenario], {
    cwd: folder,
  }).catch((error: { readonly stdout: string }) => error);
  const [, passed, all] = /Passed: (\d+)\/(\d+), 0 failed, 0 warnings/u.exec(stdout) ?? [];
  return passed !== undefined && passed === all && passed !== '0' ? null : stdout;
}

/** The input schema that the suite expects, keyword by keyword. */
const SCHEMA_WITH_DEFINITIONS = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: { address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } } },
  properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
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
