/** The console: its head with views and tokens, and the view of the address. */
import { render } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { AccessDialog } from './parts/access-dialog.js';
import { openAccess, ProblemNote, Skeleton } from './parts/basics.js';
import { Icon } from './parts/icon.js';
import { keepFocus } from './parts/keep-focus.js';
import { openPalette, Palette } from './parts/palette.js';
import { Toasts } from './parts/toasts.js';
import { useObservable } from './service/observable.js';
import { hrefOf, type Route, route, type View, VIEWS } from './service/route.js';
import { call, isReachable, type Problem, recoveries } from './service/service.js';
import { type Scheme, scheme, setScheme, showScheme, signOuts } from './service/session.js';
import { finishSignIn, signIn } from './service/sign-in.js';
import { BrowseView } from './views/browse/browse.js';
import { HealthView } from './views/health.js';
import type { LaterRoute, LaterView } from './views/later.js';
import { LiveView } from './views/live.js';
import { MemoryView } from './views/memory.js';
import { OverviewView } from './views/overview/overview.js';
import { RecallView } from './views/recall/recall.js';
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
  tenants: 'Tenants',
  health: 'Health',
  new: 'New memory',
};

function Console() {
  const shown = useObservable(route);
  const signedOut = useObservable(signOuts);
  const { state } = useObservable(signIn);
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  // Before the next key: a later effect would take the focus from a field in which the user already types.
  useLayoutEffect(() => {
    document.title = `${TITLES[shown.view]} · Palimpsest`;
    // A new view is read from its beginning, also by a screen reader.
    if (!isFirst.current) {
      main.current?.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
    isFirst.current = false;
  }, [shown.view, shown.id]);
  useEffect(() => (main.current === null ? undefined : keepFocus(main.current)), []);
  return (
    <>
      <header>
        <a class="skip" href={location.hash === '' ? '#/overview' : location.hash} onClick={skipTo(main)}>
          Skip to the content
        </a>
        <a class="brand" href={hrefOf('overview')}>
          <img src="icon.svg" alt="" width="28" height="28" />
          <span class="name">Palimpsest</span>
        </a>
        <Menu shown={shown} />
      </header>
      <Lost />
      <main ref={main} tabIndex={-1}>
        {state === 'returning' ? <Skeleton what="the answer of the issuer" /> : <Shown key={signedOut} {...shown} />}
      </main>
      <AccessDialog />
      <Palette titles={TITLES} />
      <Toasts />
    </>
  );
}

/** Always there, except on a phone: a button unfolds it. */
function Menu({ shown }: { readonly shown: Route }) {
  const [isOpen, setIsOpen] = useState(false);
  useLayoutEffect(() => setIsOpen(false), [shown]);
  return (
    <>
      <button type="button" class="fold" aria-expanded={isOpen} aria-controls="menu" onClick={() => setIsOpen(!isOpen)}>
        <Icon name="menu" /> Menu
      </button>
      <div id="menu" class={isOpen ? 'menu open' : 'menu'}>
        <nav aria-label="Views">
          {VIEWS.map((view) => (
            <a key={view} href={hrefOf(view)} aria-current={view === shown.view ? 'page' : undefined}>
              <Icon name={view} /> {TITLES[view]}
            </a>
          ))}
        </nav>
        <div class="tools">
          <button type="button" onClick={openPalette}>
            <Icon name="commands" /> Commands <kbd aria-hidden="true">Ctrl K</kbd>
          </button>
          <button type="button" onClick={openAccess}>
            <Icon name="tokens" /> Tokens
          </button>
          <SchemeChoice />
        </div>
      </div>
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
    case 'live':
      return <LiveView />;
    case 'work':
      return <WorkView />;
    case 'health':
      return <HealthView />;
    case 'entities':
    case 'graph':
    case 'webhooks':
    case 'keys':
    case 'tenants':
    case 'new':
      return <Later view={view} id={id} parameters={parameters} />;
  }
}

/** A view that the browser loads when it is opened; again when the service recovers. */
function Later(shown: LaterRoute) {
  const [View, setView] = useState<typeof LaterView | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const recovered = useObservable(recoveries);
  useEffect(() => {
    import('./views/later.js').then(
      (loaded) => setView(() => loaded.LaterView),
      () => {
        setProblem({ status: null, message: 'The view could not be loaded: load the page again.' });
        void call('readyz'); // notices that the service is away, and so its return
      },
    );
  }, [recovered]);
  if (View !== null) return <View {...shown} />;
  return (
    <>
      <h1>{TITLES[shown.view]}</h1>
      {problem === null ? <Skeleton what="the view" /> : <ProblemNote problem={problem} />}
    </>
  );
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
    <label>
      <span class="hidden">Colours</span>
      <select
        value={chosen}
        onChange={(event) => setScheme((event.currentTarget as HTMLSelectElement).value as Scheme)}
      >
        <option value="auto">Auto</option>
        <option value="dark">Dark</option>
        <option value="light">Light</option>
      </select>
    </label>
  );
}

showScheme();
finishSignIn();
const root = document.getElementById('console');
if (root !== null) render(<Console />, root);
