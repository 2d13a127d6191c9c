/** Sends one question to an OpenAI-compatible chat endpoint. */
import { withTimeoutSignal } from '../../../kernel/concurrency/abort-signals.js';
import { DependencyError } from '../../../kernel/errors.js';
import { failureClause } from '../../../kernel/fetch-failure.js';
import { trimTrailing } from '../../../kernel/validation/trim-characters.js';

export type Question = {
  readonly instruction: string;
  readonly text: string;
  readonly maxTokens: number;
  readonly isJson: boolean;
};

export type Endpoint = {
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly model: string;
  readonly timeoutMs: number;
};

const ATTEMPTS = 2;
const RETRY_DELAY_MS = 250;
const CODE_CHARACTERS = 60;
/** Reasoning models reject a temperature and count reasoning tokens against a limit of another name. */
const REASONING_MODEL = /^(?:o\d|gpt-5)/u;

/**
 * Returns the text of the answer. Throws DependencyError when there is none within the timeout; 5xx and 429 are retried
 * once.
 */
export function askChat(question: Question, endpoint: Endpoint): Promise<string> {
  return withTimeoutSignal(endpoint.timeoutMs, [], (signal) => askUntil(signal, question, endpoint));
}

async function askUntil(signal: AbortSignal, question: Question, endpoint: Endpoint): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const response = await post(question, endpoint, signal);
    if (response.ok) return readAnswer(response);
    const isRetryable = response.status === 429 || response.status >= 500;
    const code = errorCode(await response.text());
    if (!isRetryable || attempt === ATTEMPTS)
      throw new DependencyError('language', `The language model answered ${response.status}${code}`);
    await new Promise((resolve) => {
      setTimeout(resolve, RETRY_DELAY_MS);
    });
  }
}

async function post(question: Question, { baseUrl, apiKey, model }: Endpoint, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(`${trimTrailing(baseUrl, '/')}/chat/completions`, {
      method: 'POST',
      signal,
      headers: {
        'Content-Type': 'application/json',
        ...(apiKey === null ? {} : { Authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify(requestOf(question, model)),
    });
  } catch (cause) {
    const reason = signal.aborted ? 'did not answer in time' : failureClause(cause);
    throw new DependencyError('language', `The language model at ${baseUrl} ${reason}`, { cause });
  }
}

/**
 * The provider's error code, for example ` (model_not_found)`. Its message stays out of our logs, because it may quote
 * the content.
 */
function errorCode(text: string): string {
  const code = /"(?:code|type)"\s*:\s*"([\w.-]+)"/u.exec(text)?.[1];
  return code === undefined ? '' : ` (${code.slice(0, CODE_CHARACTERS)})`;
}

function requestOf({ instruction, text, maxTokens, isJson }: Question, model: string): object {
  const isReasoning = REASONING_MODEL.test(model);
  return {
    model,
    messages: [
      { role: 'system', content: instruction },
      { role: 'user', content: text },
    ],
    ...(isReasoning ? { max_completion_tokens: maxTokens * 8 } : { max_tokens: maxTokens, temperature: 0.3 }),
    ...(isJson ? { response_format: { type: 'json_object' } } : {}),
  };
}

async function readAnswer(response: Response): Promise<string> {
  let body: unknown;
  try {
    body = await response.json();
  } catch (cause) {
    throw new DependencyError('language', 'The answer of the language model is not JSON, or incomplete', {
      cause,
    });
  }
  const answer = body as { readonly choices?: readonly { readonly message?: { readonly content?: unknown } }[] };
  const text = answer.choices?.[0]?.message?.content;
  if (typeof text !== 'string') throw new DependencyError('language', 'The answer of the language model has no text');
  return text;
}
