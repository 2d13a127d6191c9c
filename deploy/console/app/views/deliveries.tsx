/** What one webhook delivered in the last days, and what fails. */
import { useState } from 'preact/hooks';
import type { ReplyOf } from '../../../../shared/contract/operations.js';
import { Field, ReadingState, Subject, Time } from '../parts/basics.js';
import { call } from '../service/service.js';
import { useRead } from '../service/use-read.js';

type Delivery = ReplyOf<'listWebhookDeliveries'>['deliveries'][number];
type State = Delivery['state'];

const STATES: readonly State[] = ['delivered', 'failing'];
const EVERY_MS = 3_000;
const PAGE = 50;

export function Deliveries({ id }: { readonly id: string }) {
  const [state, setState] = useState<State | null>(null);
  const [before, setBefore] = useState<number | null>(null);
  const reading = useRead(
    `deliveries ${id} ${state ?? ''} ${before ?? ''}`,
    (signal) =>
      call('listWebhookDeliveries', {
        params: { webhook: id },
        query: { limit: PAGE, ...(state !== null && { state }), ...(before !== null && { before }) },
        signal,
      }),
    EVERY_MS,
  );
  const choose = (event: Event): void => {
    const { value } = event.currentTarget as HTMLSelectElement;
    setState(STATES.find((each) => each === value) ?? null);
    setBefore(null);
  };
  const deliveries = reading.body?.deliveries ?? [];
  const next = reading.body?.next ?? null;
  return (
    <section class="panel" aria-labelledby="deliveries-title">
      <h2 id="deliveries-title">Deliveries</h2>
      <div class="fields">
        <Field label="State">
          {(field) => (
            <select id={field} value={state ?? ''} onChange={choose}>
              <option value="">All</option>
              {STATES.map((each) => (
                <option key={each} value={each}>
                  {each}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <ReadingState reading={reading} what="the deliveries" />
      {reading.body !== null && deliveries.length === 0 && (
        <p>No delivery{state !== null && ` that is ${state}`} in the last seven days.</p>
      )}
      {deliveries.length > 0 && (
        <div class="scroll" tabIndex={0} role="region" aria-label="Table of deliveries">
          <table>
            <thead>
              <tr>
                <th scope="col">Position</th>
                <th scope="col">Event</th>
                <th scope="col">State</th>
                <th scope="col">Attempts</th>
                <th scope="col">Answer</th>
                <th scope="col">Duration</th>
                <th scope="col">Last attempt</th>
              </tr>
            </thead>
            <tbody>
              {deliveries.map((delivery) => (
                <DeliveryRow key={delivery.position} delivery={delivery} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <div class="buttons">
        {before !== null && (
          <button type="button" onClick={() => setBefore(null)}>
            The newest
          </button>
        )}
        {next !== null && (
          <button type="button" onClick={() => setBefore(next)}>
            Older deliveries
          </button>
        )}
      </div>
    </section>
  );
}

function DeliveryRow({ delivery }: { readonly delivery: Delivery }) {
  const { position, type, subject, state, attempts, http_status: status, error, next_attempt_at: next } = delivery;
  return (
    <tr>
      <th scope="row" class="number">
        {position.toLocaleString('en')}
      </th>
      <td>
        <span class="chip">{type}</span>
        <br />
        <Subject name={subject} />
      </td>
      <td>
        <span class={`state ${state === 'delivered' ? 'open' : 'cut'}`}>{state}</span>
      </td>
      <td class="number">{attempts}</td>
      <td>
        {status ?? 'none'}
        {error !== null && <small> {error}</small>}
      </td>
      <td class="number">{Math.round(delivery.duration_ms).toLocaleString('en')} ms</td>
      <td>
        <Time at={delivery.last_attempt_at} />
        {next !== null && (
          <small>
            {' '}
            next: <Time at={next} />
          </small>
        )}
      </td>
    </tr>
  );
}
