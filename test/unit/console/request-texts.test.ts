import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { curlOf, mcpOf, pythonOf } from '../../../deploy/console/app/views/recall/request-texts.js';
import { recallInput } from '../../../deploy/mcp/recall/plan-recall.js';
import { recallQuery } from '../../../shared/contract/queries/recall-query.js';
import { createValidator } from '../../../shared/kernel/validation/validate.js';
import { skipWithReason } from '../../support/checks/not-run.js';
import { findProgram } from '../../support/processes/programs.js';

const run = promisify(execFile);
const URL = 'http://localhost:8001';
const HOSTILE = 'it\'s "quoted" $HOME `id` $(id) \\ \\n !! ; & | #%+ @é 日本 😀';
const request = { query: 'tea', tags: ['anna', 'it"s'], limit: '3', expand_relations: 'yes', exclude_tags: 'a, b' };

describe('a recall as text', () => {
  it('for bash has each value as one word, whatever its characters', async function () {
    if (findProgram('bash') === null) return skipWithReason(this, 'quoting for bash: install bash');
    const query = `${HOSTILE}\nsecond line\t'`;
    const text = curlOf({ url: URL, request: { query, context: HOSTILE }, hasToken: true });
    // A function in place of curl prints its words.
    const script = `SERVICE_API_TOKEN='a b'; curl() { printf '%s\\0' "$@"; }; ${text}`;
    const { stdout } = await run('bash', ['-c', script]);
    expect(stdout.split('\0')).to.deep.equal([
      '-sG',
      `${URL}/recall`,
      '-H',
      'Authorization: Bearer a b',
      '-d',
      `query=${encodeURIComponent(query)}`,
      '--data-urlencode',
      `context=${HOSTILE}`,
      '',
    ]);
  });

  it('for Python has the types of the contract, and the token in no text', () => {
    expect(pythonOf({ url: URL, request, hasToken: false })).to.equal(
      [
        'from palimpsest_client import Client',
        '',
        'answer = Client("http://localhost:8001").recall(',
        '    query="tea",',
        '    tags=["anna", "it\\"s"],',
        '    limit=3,',
        '    expand_relations=True,',
        '    exclude_tags=["a", "b"],',
        ')',
      ].join('\n'),
    );
    expect(pythonOf({ url: URL, request, hasToken: true })).to.match(
      /^import os\n\n.*\n\nanswer = Client\("http:\/\/localhost:8001", os\.environ\["SERVICE_API_TOKEN"\]\)/u,
    );
  });

  it('for MCP passes the schema of recall_memory with every parameter', () => {
    const texts = { flag: 'on', integer: '3', number: '0.5', repeated: 'x', list: 'x,y', vector: '0.5,1' } as const;
    const whole = Object.fromEntries(
      recallQuery
        .filter(({ name }) => name !== 'detail')
        .map((parameter) => [
          parameter.name,
          parameter.kind === 'choice'
            ? parameter.choices[0]
            : parameter.kind === 'text' || parameter.kind === 'position'
              ? '7'
              : texts[parameter.kind],
        ]),
    );
    const call = JSON.parse(mcpOf({ url: URL, request: whole, hasToken: false }));
    expect(call.name).to.equal('recall_memory');
    expect(call.arguments).to.include({ limit: 3, auto_decompose: true, min_score: 0.5, format: 'json' });
    expect(call.arguments.embedding).to.deep.equal([0.5, 1]);
    createValidator(recallInput as object)(call.arguments);
  });

  it('keeps a value that its type cannot read', () => {
    const odd = { query: HOSTILE, limit: 'many', expand_relations: 'perhaps' };
    expect(JSON.parse(mcpOf({ url: URL, request: odd, hasToken: false })).arguments).to.include(odd);
  });
});
