/** How an agent is connected to this service: commands with its own address, to be copied. */
import { useRef } from 'preact/hooks';
import { useCopy } from '../../parts/basics.js';
import { useObservable } from '../../service/observable.js';
import { SERVICE_URL } from '../../service/service.js';
import { tokens } from '../../service/session.js';

type Snippet = { readonly name: string; readonly hint: string; readonly text: string };

const EXAMPLE = 'Anna likes green tea in the morning.';
const QUESTION = 'what does Anna drink';

/** `isTokenNeeded`: the text reads it from the environment, so that no token is on the page. */
function snippetsFor(url: string, isTokenNeeded: boolean): readonly Snippet[] {
  const header = isTokenNeeded ? ` -H "Authorization: Bearer $SERVICE_API_TOKEN"` : '';
  return [
    {
      name: 'curl',
      hint: 'Stores a memory, and finds it again.',
      text: [
        `curl -s ${url}/memory${header} -H 'Content-Type: application/json' \\`,
        `  -d '${JSON.stringify({ content: EXAMPLE, tags: ['anna'] })}'`,
        `curl -s '${url}/recall?query=${QUESTION.replaceAll(' ', '+')}'${header}`,
      ].join('\n'),
    },
    {
      name: 'Python',
      hint: 'In the folder of the clone: pip install ./deploy/clients/python',
      text: [
        ...(isTokenNeeded ? ['import os', ''] : []),
        'from palimpsest_client import Client',
        '',
        `memories = Client("${url}"${isTokenNeeded ? ', os.environ["SERVICE_API_TOKEN"]' : ''})`,
        `memories.store_memory(content="${EXAMPLE}", tags=["anna"])`,
        `for found in memories.recall(query="${QUESTION}")["results"]:`,
        '    print(found["memory"]["content"])',
      ].join('\n'),
    },
    {
      name: 'Claude Code (MCP)',
      hint: 'In the folder of the clone: Claude Code then starts the bridge by itself.',
      text: `claude mcp add --env AUTOMEM_API_URL=${url}${
        isTokenNeeded ? ' --env AUTOMEM_API_KEY="$SERVICE_API_TOKEN"' : ''
      } --scope user palimpsest -- node "$PWD/dist/deploy/mcp/main.js"`,
    },
    {
      name: 'Claude Code (MCP over HTTP)',
      hint: 'Where the service runs with MCP_ENABLED=true. It needs no clone.',
      text: `claude mcp add --transport http --scope user palimpsest ${url}/mcp${
        isTokenNeeded ? ' --header "Authorization: Bearer $SERVICE_API_TOKEN"' : ''
      }`,
    },
  ];
}

export function Connect() {
  const isTokenNeeded = useObservable(tokens).token !== '';
  return (
    <section class="panel" aria-labelledby="connect-title">
      <h2 id="connect-title">Connect your agent</h2>
      <p>
        The address of this service is <code>{SERVICE_URL}</code>.
        {isTokenNeeded && ' Set the variable SERVICE_API_TOKEN to your token or key first.'}
      </p>
      {snippetsFor(SERVICE_URL, isTokenNeeded).map((snippet) => (
        <Copied key={snippet.name} {...snippet} />
      ))}
    </section>
  );
}

function Copied({ name, hint, text }: Snippet) {
  const { note, copy } = useCopy();
  const shown = useRef<HTMLPreElement>(null);
  return (
    <section class="snippet" aria-label={name}>
      <div class="line">
        <h3>{name}</h3>
        <button
          type="button"
          onClick={() => {
            if (shown.current !== null) getSelection()?.selectAllChildren(shown.current);
            void copy(text);
          }}
        >
          Copy<span class="hidden"> {name}</span>
        </button>
        <small role="status">{note}</small>
      </div>
      <small>{hint}</small>
      <pre ref={shown} tabIndex={0}>
        {text}
      </pre>
    </section>
  );
}
