/** The commands of the README's first minute, pasted into a shell as they stand, without a pause. */
import { execFile } from 'node:child_process';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { JSONParser } from '@streamparser/json';
import { expect } from 'chai';

const run = promisify(execFile);
const README = fileURLToPath(new URL('../../../../README.md', import.meta.url));
const CURL_STAND_IN = fileURLToPath(new URL('../clients/curl-stand-in.js', import.meta.url));

/**
 * Runs the commands against the service, and expects what the README promises. `folder`: for a stand-in of curl on a
 * machine without it.
 */
export async function pasteFirstMinute(url: string, folder: string): Promise<void> {
  const commands = /<!-- first minute[^>]*-->\s*```sh\n([\s\S]*?)```/u.exec(await readFile(README, 'utf8'))?.[1];
  if (commands === undefined)
    throw new Error('README.md has no block marked "first minute": add the marker before the commands');
  const text = commands.replaceAll('http://localhost:8001', url);
  const { stdout } = await run('sh', ['-ec', text], { env: { PATH: await pathWithCurl(folder) } });
  const [associated, byMeaning, byKeyword] = valuesIn(stdout);
  expect(associated, stdout).to.include({ relation_type: 'LEADS_TO' });
  const meaning = byMeaning.results[0];
  expect(meaning, JSON.stringify(byMeaning)).to.include({ match_type: 'semantic' });
  expect(meaning.content).to.contain('kitten');
  expect(meaning.content, 'the query and the memory have no word in common').not.to.match(/\b(?:feeding|young|cat)\b/u);
  const keyword = byKeyword.results[0];
  expect(keyword.content).to.contain('PRD-4711');
}

/** The replies follow one another without a separator. */
function valuesIn(output: string) {
  // Tests read replies without types.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  const values: any[] = [];
  const parser = new JSONParser({ separator: '', paths: ['$'] });
  parser.onValue = ({ value }) => values.push(value);
  parser.onError = (error) => {
    throw new Error(`the commands print no JSON: ${output}`, { cause: error });
  };
  parser.write(output);
  return values;
}

/** Returns the PATH of the shell. If the machine has no curl, the PATH includes the stand-in. */
export async function pathWithCurl(folder: string): Promise<string> {
  const path = `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`;
  const hasCurl = await run('sh', ['-c', 'command -v curl'], { env: { PATH: path } }).then(
    () => true,
    () => false,
  );
  if (hasCurl) return path;
  const curl = join(folder, 'curl');
  await writeFile(curl, `#!/bin/sh\nexec "${process.execPath}" "${CURL_STAND_IN}" "$@"\n`);
  await chmod(curl, 0o755);
  return `${folder}${delimiter}${path}`;
}
