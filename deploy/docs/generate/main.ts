/** `npm run docs:NAME` writes a generated document; with `--check` it only compares. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type DocumentName, DOCUMENTS } from './documents.js';
import type { GeneratedFile } from './event-documents.js';

/** The compiled file is in `dist/deploy/docs/generate`. */
const REPOSITORY = fileURLToPath(new URL('../../../../', import.meta.url));

const [name = ''] = process.argv.slice(2);
const isCheck = process.argv.includes('--check');
if (isDocument(name)) DOCUMENTS[name].forEach((file) => updateFile(file, name));
else fail(`There is no document ${JSON.stringify(name)}: name one of ${Object.keys(DOCUMENTS).join(', ')}`);

function updateFile({ path, textFrom }: GeneratedFile, document: DocumentName): void {
  const file = join(REPOSITORY, path);
  const present = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const wanted = textFrom(present);
  if (wanted === present) process.stdout.write(`${path} is up to date\n`);
  else if (isCheck) fail(`${path} is out of date: run \`npm run docs:${document}\``);
  else {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, wanted);
    process.stdout.write(`wrote ${path}\n`);
  }
}

function isDocument(text: string): text is DocumentName {
  return Object.hasOwn(DOCUMENTS, text);
}

function fail(message: string): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}
