/**
 * The model of the bundled encoder: e5-small-v2 (Wang et al. 2022, "Text Embeddings by Weakly-Supervised Contrastive
 * Pre-training") with 8-bit weights. The package with the weights is data of this repository.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Tokenizer } from '@huggingface/tokenizers';
import type * as Ort from 'onnxruntime-node';
import { messageOf } from '../../../kernel/errors.js';

/** The positions of the model. The text after them is ignored. */
const TOKEN_LIMIT = 512;
const WEIGHTS = '@palimpsest/encoder-e5-small-v2';

type Runtime = Pick<typeof Ort, 'InferenceSession' | 'Tensor'>;

export type Model = {
  /** The library that runs the model. */
  readonly runtime: string;
  /**
   * The mean of the token vectors, less the centre, at unit length. One text at a time: the 8-bit activations of a
   * batch share one scale, so the vector of a text would depend on the others.
   */
  readonly encode: (text: string, options: { readonly isQuery: boolean }) => Promise<Float32Array>;
};

/** Throws when a file is missing or damaged, and when no runtime can be loaded; the message says what to do. */
export async function openModel({
  folder = packageFolder(),
  isCentred = true,
}: {
  /** Where the weights and the tokenizer are; tests pass another one. */
  readonly folder?: URL;
  /** False for the vectors that the centre is made of. */
  readonly isCentred?: boolean;
} = {}): Promise<Model> {
  const [weights, tokenizer, centre, { name, runtime }] = await Promise.all([
    read('model.onnx', folder),
    openTokenizer(folder),
    isCentred ? readCentre(folder) : undefined,
    loadRuntime(),
  ]);
  const { InferenceSession, Tensor } = runtime;
  const session = await InferenceSession.create(weights, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: 'sequential',
  });

  return {
    runtime: name,
    encode: async (text, { isQuery }) => {
      const { ids } = tokenizer.encode(`${isQuery ? 'query' : 'passage'}: ${text}`);
      const tokens = ids.length <= TOKEN_LIMIT ? ids : [...ids.slice(0, TOKEN_LIMIT - 1), ...ids.slice(-1)];
      const { length } = tokens;
      const input = (values: BigInt64Array) => new Tensor('int64', values, [1, length]);
      const { last_hidden_state: hidden } = await session.run({
        input_ids: input(BigInt64Array.from(tokens, BigInt)),
        attention_mask: input(new BigInt64Array(length).fill(1n)),
        token_type_ids: input(new BigInt64Array(length)),
      });
      return atUnitLength(unitMean(hidden?.data as Float32Array, length), centre);
    },
  };
}

const REMEDY = 'install again with `npm ci`, or set EMBEDDING_PROVIDER to a remote provider';

function packageFolder(): URL {
  try {
    return new URL('.', import.meta.resolve(`${WEIGHTS}/package.json`));
  } catch (error) {
    throw new Error(`${WEIGHTS} is not installed: ${REMEDY}`, { cause: error });
  }
}

/** Rejects when a file that decides the vectors is missing or damaged; the message says what to do. */
export async function checkFiles(folder = packageFolder()): Promise<void> {
  for (const file of ['model.onnx', 'tokenizer.json', 'centre.json']) await read(file, folder);
}

async function openTokenizer(folder: URL): Promise<Tokenizer> {
  const settings = JSON.parse((await read('tokenizer.json', folder)).toString()) as Record<string, unknown>;
  return new Tokenizer({ ...settings, truncation: null, padding: null }, {});
}

/**
 * The mean vector of general text, questions and passages alike. All vectors of the model lie in a narrow cone around
 * it: without the centre, texts that have nothing in common have a cosine of 0.82.
 */
async function readCentre(folder: URL): Promise<readonly number[]> {
  return JSON.parse((await read('centre.json', folder)).toString()) as readonly number[];
}

/**
 * Proves the checksum (0.025 s for the model, 0.001 s for the other files): a damaged or mixed-up file would make wrong
 * vectors without an error.
 */
async function read(file: string, folder: URL): Promise<Buffer> {
  try {
    const checksums = JSON.parse(await readFile(new URL('checksums.json', folder), 'utf8')) as Checksums;
    const content = await readFile(new URL(file, folder));
    const sha256 = createHash('sha256').update(content).digest('hex');
    if (sha256 !== checksums[file]?.sha256) throw new Error(`its SHA-256 is ${sha256}`);
    return content;
  } catch (error) {
    throw new Error(`${WEIGHTS} is damaged (${file}: ${messageOf(error)}): ${REMEDY}`, { cause: error });
  }
}

type Checksums = Readonly<Record<string, { readonly sha256: string }>>;

/**
 * The native library, or its WebAssembly build where that is installed and the native one cannot be loaded. Since
 * version 1.30 the native one keeps a database of telemetry in the home folder and sends it to its maker, unless this
 * variable is set before it is loaded.
 */
export async function loadRuntime(): Promise<{ readonly name: string; readonly runtime: Runtime }> {
  process.env['ORT_DISABLE_TELEMETRY'] = '1';
  const causes: string[] = [];
  for (const name of ['onnxruntime-node', 'onnxruntime-web']) {
    try {
      return { name, runtime: (await import(name)) as Runtime };
    } catch (error) {
      causes.push(messageOf(error));
    }
  }
  throw new Error(
    `The bundled encoder needs onnxruntime-node, which is not installed or has no build for ${process.platform} on ${process.arch}: ` +
      'run `npm install --ignore-scripts onnxruntime-node@1.30.0`, or the same with onnxruntime-web, which runs everywhere and is slower, ' +
      `or set EMBEDDING_PROVIDER (${causes.join('; ')})`,
  );
}

function unitMean(values: Float32Array, tokens: number): Float32Array {
  const sum = new Float32Array(values.length / tokens);
  values.forEach((value, at) => (sum[at % sum.length] = (sum[at % sum.length] ?? 0) + value));
  return atUnitLength(sum);
}

function atUnitLength(vector: Float32Array, centre?: readonly number[]): Float32Array {
  const moved = centre === undefined ? vector : vector.map((component, index) => component - (centre[index] ?? 0));
  const norm = Math.hypot(...moved);
  return moved.map((component) => component / norm);
}
