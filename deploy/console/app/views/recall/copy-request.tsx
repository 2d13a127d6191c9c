/** The request of an answer for other programs: shown as text, and copied. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useCopy } from '../../parts/basics.js';
import { useObservable } from '../../service/observable.js';
import { SERVICE_URL } from '../../service/service.js';
import { tokens } from '../../service/session.js';
import { ofSet, type RecallRequest } from './recalled.js';
import { curlOf, mcpOf, pythonOf, type Shown } from './request-texts.js';

const FORMS: Readonly<Record<string, (shown: Shown) => string>> = { curl: curlOf, Python: pythonOf, MCP: mcpOf };

export function CopyRequest({ request, name: set }: { readonly request: RecallRequest; readonly name: string }) {
  const [form, setForm] = useState<string | null>(null);
  const { note, copy } = useCopy();
  const field = useRef<HTMLPreElement>(null);
  const { token } = useObservable(tokens);
  useLayoutEffect(() => {
    if (field.current !== null) getSelection()?.selectAllChildren(field.current);
  }, [form]);
  const shown = { url: SERVICE_URL, request, hasToken: token !== '' };
  return (
    <section class="panel" aria-label={`This request${ofSet(set)} elsewhere`}>
      <div class="line">
        <span>Copy this request as</span>
        {Object.entries(FORMS).map(([name, textOf]) => (
          <button
            key={name}
            type="button"
            aria-pressed={form === name}
            onClick={() => {
              setForm(name);
              void copy(textOf(shown));
            }}
          >
            {name}
          </button>
        ))}
        <span role="status">{note}</span>
      </div>
      {form !== null && (
        <pre ref={field} tabIndex={0}>
          {FORMS[form]?.(shown)}
        </pre>
      )}
    </section>
  );
}
