/** The console: its head with views and tokens, and the view of the address. */
import { render } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { GraphView } from './graph/graph-view.js';
import { ACCESS_DIALOG, Field, openAccess } from './parts/basics.js';
import { useObservable } from './service/observable.js';
import { hrefOf, type Route, route, type View, VIEWS } from './service/route.js';
import { isReachable } from './service/service.js';
import { type Scheme, scheme, setScheme, setTokens, showScheme, tokens } from './service/session.js';
import { BrowseView } from './views/browse/browse.js';
import { EntitiesView } from './views/entities/entities.js';
import { EntityView } from './views/entities/entity.js';
import { HealthView } from './views/health.js';
import { KeysView } from './views/keys.js';
import { LiveView } from './views/live.js';
import { MemoryView } from './views/memory.js';
import { OverviewView } from './views/overview/overview.js';
import { RecallView } from './views/recall/recall.js';
import { WebhookView } from './views/webhook.js';
import { WebhooksView } from './views/webhooks.js';
import { WorkView } from './views/work.js';

const TITLES: Readonly<Record<View, string>> = {
  overview: 'Overview',
  recall: 'Recall',
  memory: 'Memory',
  browse: 'Browse',
  entities: 'Entities',
  graph: 'Graph',
  live: 'Live',
  work: 'Work',
  webhooks: 'Webhooks',
  keys: 'Keys',
  health: 'Health',
};

function Console() {
  const shown = useObservable(route);
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    document.title = `${TITLES[shown.view]} · Palimpsest`;
    // A new view is read from its beginning, also by a screen reader.
    if (!isFirst.current) {
      main.current?.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
    isFirst.current = false;
  }, [shown.view, shown.id]);
  return (
    <>
      <header>
        <a class="skip" href={location.hash === '' ? '#/overview' : location.hash} onClick={skipTo(main)}>
          Skip to the content
        </a>
        <strong class="name">Palimpsest</strong>
        <nav aria-label="Views">
          {VIEWS.map((view) => (
            <a key={view} href={hrefOf(view)} aria-current={view === shown.view ? 'page' : undefined}>
              {TITLES[view]}
            </a>
          ))}
        </nav>
        <SchemeChoice />
        <button type="button" onClick={openAccess}>
          Tokens
        </button>
      </header>
      <Lost />
      <main ref={main} tabIndex={-1}>
        <Shown {...shown} />
      </main>
      <AccessDialog />
    </>
  );
}

function skipTo(main: { readonly current: HTMLElement | null }): (event: Event) => void {
  return (event) => {
    event.preventDefault();
    main.current?.focus();
  };
}

function Shown({ view, id, parameters }: Route) {
  switch (view) {
    case 'overview':
      return <OverviewView />;
    case 'recall':
      return <RecallView parameters={parameters} />;
    case 'memory':
      return <MemoryView id={id} />;
    case 'browse':
      return <BrowseView parameters={parameters} />;
    case 'entities':
      if (id === null) return <EntitiesView parameters={parameters} />;
      return (
        <EntityView key={`${id} ${parameters['category'] ?? ''}`} slug={id} category={parameters['category'] ?? ''} />
      );
    case 'graph':
      return <GraphView id={id} parameters={parameters} />;
    case 'live':
      return <LiveView />;
    case 'work':
      return <WorkView />;
    case 'webhooks':
      return id === null ? <WebhooksView /> : <WebhookView key={id} id={id} />;
    case 'keys':
      return <KeysView />;
    case 'health':
      return <HealthView />;
  }
}

function Lost() {
  const reachable = useObservable(isReachable);
  return (
    <div role="alert">
      {!reachable && <p class="lost">The service does not answer. The console tries again every second.</p>}
    </div>
  );
}

function SchemeChoice() {
  const chosen = useObservable(scheme);
  return (
    <label class="scheme">
      <span class="hidden">Colours</span>
      <select
        value={chosen}
        onChange={(event) => setScheme((event.currentTarget as HTMLSelectElement).value as Scheme)}
      >
        <option value="auto">Automatic</option>
        <option value="dark">Dark</option>
        <option value="light">Light</option>
      </select>
    </label>
  );
}

function AccessDialog() {
  const given = useObservable(tokens);
  const submit = (event: SubmitEvent): void => {
    const data = new FormData(event.currentTarget as HTMLFormElement);
    setTokens({ token: String(data.get('token') ?? '').trim(), adminToken: String(data.get('admin') ?? '').trim() });
  };
  return (
    <dialog id={ACCESS_DIALOG} aria-labelledby="access-title">
      <h2 id="access-title">Tokens</h2>
      <form method="dialog" onSubmit={submit}>
        <Field label="API token or key" isWide hint="Sent with each request. This tab forgets it when it closes.">
          {(id) => <input id={id} name="token" type="password" autocomplete="off" defaultValue={given.token} />}
        </Field>
        <Field label="Admin token" isWide hint="For work, webhooks, keys and imports with ids. A key needs none.">
          {(id) => <input id={id} name="admin" type="password" autocomplete="off" defaultValue={given.adminToken} />}
        </Field>
        <div class="buttons">
          <button type="submit" class="main">
            Use
          </button>
        </div>
      </form>
    </dialog>
  );
}

showScheme();
const root = document.getElementById('console');
if (root !== null) render(<Console />, root);
