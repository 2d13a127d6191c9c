/**
 * Reports words that make the text hard to read, in identifiers, comments and test titles. Each entry names what to
 * write instead. The list is for the project's own words: quoted data (stop words, user text) is in string literals and
 * is free.
 */
const WORDS = [
  ['told|tell|tells|telling|untold', 'returns, reports or receives'],
  ['nobody|somebody|anybody|everybody', 'name the caller, the process or the client'],
  ['whoever|whomever', 'name the caller, the process or the client'],
  ['beside|besides', '"next to" or "in addition to"'],
  ['anew', 'again'],
  ['lest', '"so that ... not"'],
  ['ere', 'before'],
  ['hence|thereby|therein|thereof|whence|thence', 'a sentence with a subject'],
  ['for good', 'permanently'],
  ['for ever', 'forever, or "without a limit"'],
  ['signs? of life', 'heartbeat'],
  ['look(?:s|ed|ing)? after', 'the verb for what it does: sweeps, monitors, manages'],
  ['stands? (?:for|beside)', '"represents" or "is next to"'],
  ['left standing', 'remains'],
  ['dealt out', 'assigned'],
  ['gives? (?:it )?up on|gives it up', '"stops retrying" or "discards"'],
  ["wits' end", '"after the last attempt"'],
  ['doomed|hasty', 'crashing, fast-retry'],
  ['abortion', 'abort'],
  ['gatherer', 'batcher'],
  ['unkeepable', 'unstorable'],
].map(([words, instead]) => ({ pattern: new RegExp(`\\b(?:${words})\\b`, 'iu'), instead }));

/** `createEventShare` and `MAX_WAIT_MS` as words between blanks. */
function wordsOf(identifier) {
  return identifier.replace(/([a-z0-9])([A-Z])/gu, '$1 $2').replaceAll('_', ' ');
}

const TITLED = new Set(['describe', 'it', 'context', 'specify', 'suite', 'test']);

function titleOf(call) {
  const { callee } = call;
  const name = callee.type === 'MemberExpression' ? callee.object.name : callee.name;
  return TITLED.has(name) ? call.arguments[0] : undefined;
}

const plainWords = {
  meta: {
    type: 'suggestion',
    docs: { description: 'require plain English in identifiers, comments and test titles' },
    messages: { unclear: '"{{found}}" in a {{place}}: write {{instead}}.' },
    schema: [],
  },
  create(context) {
    const { sourceCode } = context;
    const check = (node, text, place) => {
      for (const { pattern, instead } of WORDS) {
        const found = pattern.exec(text)?.[0];
        if (found !== undefined)
          context.report({ loc: node.loc, messageId: 'unclear', data: { found, place, instead } });
      }
    };
    return {
      Program() {
        for (const comment of sourceCode.getAllComments()) check(comment, comment.value, 'comment');
      },
      Identifier(node) {
        check(node, wordsOf(node.name), 'name');
      },
      CallExpression(node) {
        const title = titleOf(node);
        if (title?.type === 'Literal' || title?.type === 'TemplateLiteral')
          check(title, sourceCode.getText(title), 'test title');
      },
    };
  },
};

/** All describes and `it` together. An expression in a template counts as empty. */
const titleLength = {
  meta: {
    type: 'suggestion',
    docs: { description: 'limit the length of test titles' },
    messages: { long: 'This title has {{length}} characters with its describes; {{limit}} is the limit.' },
    schema: [{ type: 'integer' }],
  },
  create(context) {
    const [limit = 90] = context.options;
    const describes = [];
    const textOf = (node) => {
      if (node?.type === 'Literal') return String(node.value);
      if (node?.type === 'TemplateLiteral') return node.quasis.map(({ value }) => value.cooked).join('');
      return '';
    };
    return {
      CallExpression(node) {
        const title = titleOf(node);
        if (title === undefined) return;
        const callee = node.callee.type === 'MemberExpression' ? node.callee.object.name : node.callee.name;
        if (callee === 'describe') describes.push(textOf(title));
        else {
          const { length } = [...describes, textOf(title)].join(' ');
          if (length > limit) context.report({ node: title, messageId: 'long', data: { length, limit } });
        }
      },
      'CallExpression:exit'(node) {
        if (titleOf(node) !== undefined && (node.callee.name ?? node.callee.object?.name) === 'describe')
          describes.pop();
      },
    };
  },
};

/** Of lines that are a comment from their start; a comment behind code is short anyway. */
const commentWidth = {
  meta: {
    type: 'suggestion',
    docs: { description: 'limit the width of comments' },
    messages: { wide: 'This line of a comment has {{width}} columns; {{limit}} is the limit.' },
    schema: [{ type: 'integer' }],
  },
  create(context) {
    const [limit = 120] = context.options;
    const { sourceCode } = context;
    return {
      Program() {
        for (const { loc } of sourceCode.getAllComments())
          for (let line = loc.start.line; line <= loc.end.line; line += 1) {
            const text = sourceCode.lines[line - 1];
            const isWhole = /^\s*(?:\/[*/]|\*)/u.test(text);
            if (isWhole && text.length > limit)
              context.report({ loc: { line, column: 0 }, messageId: 'wide', data: { width: text.length, limit } });
          }
      },
    };
  },
};

export const plainEnglish = {
  rules: { 'plain-words': plainWords, 'title-length': titleLength, 'comment-width': commentWidth },
};
