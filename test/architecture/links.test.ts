/**
 * Checks the relative links of all documents: each file exists, and so does each anchor. The npm scripts that they name
 * exist, too.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { expect } from 'chai';
import { REPOSITORY } from '../support/checks/source-files.js';

const FENCE = /^ {0,3}(?:```|~~~)/u;
const INLINE_CODE = /`[^`\n]*`/gu;
const INLINE_LINK = /\]\(([^()]+)\)/gu;
const REFERENCE_LINK = /^\[[^\]\n]+\]:\s<?([^\s<>]+)/gmu;
const ABSOLUTE = /^(?:[a-z][a-z+.-]*:|\/\/)/iu;

const documents = [
  'README.md',
  ...['.github', 'deploy'].flatMap((folder) =>
    readdirSync(join(REPOSITORY, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.md'))
      .map((path) => `${folder}/${path.split(sep).join('/')}`),
  ),
].sort();

describe('the npm scripts that documents name', () => {
  it('exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8')) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    const named = documents.flatMap((document) =>
      [...readFileSync(join(REPOSITORY, document), 'utf8').matchAll(/npm run ([a-z][a-z:-]+[a-z])/gu)].map(
        ([, name = '']) => name,
      ),
    );
    expect(named).to.not.be.empty;
    expect(Object.keys(scripts)).to.include.members(named);
  });
});

describe('the relative links', () => {
  it('lead to existing files and headings', () => {
    const problems = documents.flatMap((document) =>
      linksOf(readFileSync(join(REPOSITORY, document), 'utf8')).flatMap((link) => problemOf(document, link) ?? []),
    );
    expect(problems).to.deep.equal([]);
  });

  it('include inline links and reference links, but no URLs and no code', () => {
    const text = '[a](b.md) ![c](<d.png> "title") [e](https://e) [f](#g)\n[h]: i.md#j\n`[k](l)`\n```md\n[m](n)\n```\n';
    expect(linksOf(text)).to.deep.equal(['b.md', 'd.png', '#g', 'i.md#j']);
  });

  it('use the anchors that GitHub derives from headings', () => {
    const text = '# A `code` & [link](b.md)!\n## Twice_said\n## Twice_said\n```\n# code\n```\n<a id="own"></a>\n';
    expect(anchorsOf(text)).to.deep.equal(['own', 'a-code--link', 'twice_said', 'twice_said-1']);
  });
});

function linksOf(text: string): readonly string[] {
  const prose = withoutFencedCode(text).replace(INLINE_CODE, '');
  return [INLINE_LINK, REFERENCE_LINK]
    .flatMap((pattern) => [...prose.matchAll(pattern)].map((match) => match[1] ?? ''))
    .map((target) => (target.split(' ')[0] ?? '').replaceAll(/[<>]/gu, ''))
    .filter((target) => !ABSOLUTE.test(target));
}

function withoutFencedCode(text: string): string {
  let isCode = false;
  const prose = text.split('\n').filter((line) => {
    if (!FENCE.test(line)) return !isCode;
    isCode = !isCode;
    return false;
  });
  return prose.join('\n');
}

function problemOf(document: string, link: string): string | null {
  const [path = '', anchor] = decodeURI(link).split('#');
  const target = path === '' ? document : posix.join(dirname(document), path);
  const file = join(REPOSITORY, target);
  if (relative(REPOSITORY, file).startsWith('..')) return `${document}: ${link} leads out of the repository`;
  if (!existsSync(file)) return `${document}: ${link} leads to a missing file`;
  if (anchor === undefined || !target.endsWith('.md')) return null;
  return anchorsOf(readFileSync(file, 'utf8')).includes(anchor)
    ? null
    : `${document}: ${link} leads to a missing heading`;
}

/** Explicit ids first, then the slugs of the headings. GitHub numbers repeated slugs: `name`, `name-1`, `name-2`. */
function anchorsOf(text: string): readonly string[] {
  const prose = withoutFencedCode(text);
  const explicit = [...prose.matchAll(/<a (?:id|name)="([^"]+)"/gu)].map((match) => match[1] ?? '');
  const uses = new Map<string, number>();
  const slugs = [...prose.matchAll(/^#{1,6} (.*)$/gmu)].map((match) => {
    const slug = slugOf(match[1] ?? '');
    const before = uses.get(slug) ?? 0;
    uses.set(slug, before + 1);
    return before === 0 ? slug : `${slug}-${before}`;
  });
  return [...explicit, ...slugs];
}

/** Keeps letters, digits, `_` and `-` of the visible text, in lower case, and turns each space into a `-`. */
function slugOf(heading: string): string {
  return heading
    .replaceAll(/\[([^[\]]*)\]\([^()]*\)/gu, '$1')
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
}
