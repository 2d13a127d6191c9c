/**
 * Makes centre.json again: the mean vector of 900 short texts of Debian's package `fortunes` (1:1.99.1), encoded as
 * passages and as questions. It is text that no evaluation uses. After `npm run build`, with the package installed:
 * `node deploy/encoder/make-centre.mjs /usr/share/games/fortunes`.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openModel } from '../../dist/shared/engines/models/bundled/model.js';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('name the folder of the texts: /usr/share/games/fortunes');

const LENGTH = { least: 31, most: 399 };
const EVERY = 12;
const TEXTS = 900;

/** Drawings, programs and songs are no sentences. */
const NO_SENTENCES = /\.|ascii|perl|songs|off/u;
const texts = readdirSync(folder)
  .filter((name) => !NO_SENTENCES.test(name))
  .flatMap((name) => readFileSync(join(folder, name), 'utf8').split(/\n%\n/u))
  .map((text) => text.replace(/\s+/gu, ' ').trim())
  .filter(({ length }) => length >= LENGTH.least && length <= LENGTH.most)
  .sort((one, other) => (one < other ? -1 : 1))
  .filter((_, index) => index % EVERY === 0)
  .slice(0, TEXTS);

const { encode } = await openModel({ isCentred: false });
let sum = [];
for (const text of texts)
  for (const isQuery of [false, true]) {
    const vector = await encode(text, { isQuery });
    sum = Array.from(vector, (component, index) => (sum[index] ?? 0) + component / (2 * texts.length));
  }
const centre = sum.map((component) => Number(component.toPrecision(5)));
writeFileSync(new URL('centre.json', import.meta.url), `${JSON.stringify(centre)}\n`);
console.log(`${texts.length} texts`);
