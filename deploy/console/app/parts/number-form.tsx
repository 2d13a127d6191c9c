/** Asks for a whole number, then does something with it. */
import { Field } from './basics.js';

type Props = {
  readonly label: string;
  readonly value: string;
  readonly verb: string;
  readonly max?: number;
  readonly onSubmit: (number: number) => Promise<void>;
};

export function NumberForm({ label, value, verb, max, onSubmit }: Props) {
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    void onSubmit(Number(new FormData(event.currentTarget as HTMLFormElement).get('number')));
  };
  return (
    <form class="line" onSubmit={submit}>
      <Field label={label}>
        {(id) => <input id={id} name="number" type="number" min="0" max={max} step="1" required defaultValue={value} />}
      </Field>
      <button type="submit">{verb} …</button>
    </form>
  );
}
