/** A form that stores a memory. The address may have its content, tags and type: `#/new?tags=a, b`. */
import { useRef, useState } from 'preact/hooks';
import type { CallOf } from '../../../../shared/client/client.js';
import { MEMORY_TYPES } from '../../../../shared/contract/memory.js';
import { Field, listOf, MemoryLink, ProblemNote, ShareField } from '../parts/basics.js';
import type { Parameters } from '../service/route.js';
import { call, type Problem } from '../service/service.js';

type Body = NonNullable<CallOf<'storeMemory'>['body']>;

export function NewMemoryView({ parameters }: { readonly parameters: Parameters }) {
  const [stored, setStored] = useState<string | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isSending, setIsSending] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (isSending) return;
    setIsSending(true);
    setStored(null);
    const result = await call('storeMemory', { body: bodyOf(new FormData(event.currentTarget as HTMLFormElement)) });
    setIsSending(false);
    setProblem(result.ok ? null : result.problem);
    if (!result.ok) return;
    setStored(result.body.memory_id);
    const content = form.current?.elements.namedItem('content');
    if (!(content instanceof HTMLTextAreaElement)) return;
    content.value = '';
    content.focus();
  };

  return (
    <>
      <h1>New memory</h1>
      <form ref={form} class="panel" aria-label="New memory" onSubmit={(event) => void submit(event)}>
        <Field label="Content" isWide>
          {(id) => (
            <textarea id={id} name="content" rows={5} dir="auto" required defaultValue={parameters['content'] ?? ''} />
          )}
        </Field>
        <div class="fields">
          <Field label="Type">
            {(id) => (
              <select id={id} name="type">
                <option value="">By its content</option>
                {MEMORY_TYPES.map((type) => (
                  <option key={type} value={type} selected={type === parameters['type']}>
                    {type}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Field label="Tags" hint="Separated by commas.">
            {(id) => <input id={id} name="tags" defaultValue={parameters['tags'] ?? ''} />}
          </Field>
          <ShareField label="Importance" name="importance" hint="From 0 to 1; 0.5 if empty." value="" />
          <ShareField label="Confidence" name="confidence" hint="From 0 to 1." value="" />
          <Field label="Happened (UTC)" hint="Now if empty.">
            {(id) => <input id={id} name="timestamp" type="datetime-local" />}
          </Field>
        </div>
        <div class="buttons">
          <button type="submit" class="main" disabled={isSending}>
            Store
          </button>
        </div>
      </form>
      <div role="status">
        {stored !== null && (
          <p class="note good">
            Stored: <MemoryLink id={stored}>open the memory</MemoryLink>
          </p>
        )}
      </div>
      <ProblemNote problem={problem} />
    </>
  );
}

function bodyOf(data: FormData): Body {
  const textAt = (name: string): string => String(data.get(name) ?? '').trim();
  const numberAt = (name: string) => (textAt(name) === '' ? {} : { [name]: Number(textAt(name)) });
  const tags = listOf(textAt('tags'));
  const [type, timestamp] = [textAt('type'), textAt('timestamp')];
  return {
    content: String(data.get('content') ?? ''),
    ...(type !== '' && { type: type as NonNullable<Body['type']> }), // an option of the form
    ...(tags.length > 0 && { tags }),
    ...numberAt('importance'),
    ...numberAt('confidence'),
    ...(timestamp !== '' && { timestamp: `${timestamp}Z` }),
  };
}
