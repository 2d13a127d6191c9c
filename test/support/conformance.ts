/** The protocol's own conformance suite: which of its scenarios hold for a server with tools and a resource, and how one is run. */
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
// The package exports nothing: it is a program.
const PROGRAM = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')),
  'dist',
  'index.js',
);

/** They hold for any server with what ours has. */
export const APPLICABLE = [
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'dns-rebinding-protection',
] as const;

/** They hold for any server with tools, and call tools by the names of the suite. */
export const WITH_ITS_TOOLS = [
  'tools-call-simple-text',
  'tools-call-error',
  'tools-call-with-progress',
  'json-schema-2020-12',
] as const;

export const NOT_APPLICABLE: Readonly<Record<string, string>> = {
  'logging-set-level': 'the bridge logs to stderr and does not declare logging',
  'tools-call-with-logging': 'the bridge logs to stderr and does not declare logging',
  'completion-complete': 'no argument of ours has values to complete; completions are not declared',
  'tools-call-image': 'tools of ours answer text',
  'tools-call-audio': 'tools of ours answer text',
  'tools-call-embedded-resource': 'tools of ours answer text',
  'tools-call-mixed-content': 'tools of ours answer text',
  'tools-call-sampling': "the bridge asks nothing of the client's model",
  'tools-call-elicitation': 'the bridge asks nothing of the user',
  'elicitation-sep1034-defaults': 'the bridge asks nothing of the user',
  'elicitation-sep1330-enums': 'the bridge asks nothing of the user',
  'server-sse-polling': 'there are no sessions to come back to: a stream ends with its answer',
  'server-sse-multiple-streams': 'it begins with the id of a session, and there are no sessions',
  'resources-read-text': "it reads a resource of the suite's own server",
  'resources-read-binary': "it reads a resource of the suite's own server",
  'resources-templates-read': "it reads through a template of the suite's own server",
  'resources-subscribe': 'subscriptions are not declared: changes are told by GET /stream',
  'resources-unsubscribe': 'subscriptions are not declared',
  'prompts-list': 'prompts are not declared',
  'prompts-get-simple': 'prompts are not declared',
  'prompts-get-with-args': 'prompts are not declared',
  'prompts-get-embedded-resource': 'prompts are not declared',
  'prompts-get-with-image': 'prompts are not declared',
};

export async function listScenarios(): Promise<readonly string[]> {
  const { stdout } = await run(process.execPath, [PROGRAM, 'list', '--server']);
  return [...stdout.matchAll(/^\s+- (\S+)$/gmu)].map((match) => match[1] ?? '');
}

/** What is wrong; null when every check passes, and there is one. Writes its results below `folder`. */
export async function failureOf(scenario: string, mcpUrl: string, folder: string): Promise<string | null> {
  const { stdout } = await run(process.execPath, [PROGRAM, 'server', '--url', mcpUrl, '--scenario', scenario], {
    cwd: folder,
  }).catch((error: { readonly stdout: string }) => error);
  const [, passed, all] = /Passed: (\d+)\/(\d+), 0 failed, 0 warnings/u.exec(stdout) ?? [];
  return passed !== undefined && passed === all && passed !== '0' ? null : stdout;
}
