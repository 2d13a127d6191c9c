/** The set-up of the browser tests of the console: a service, the fronts before it, and a new page for each test. */
import { expect } from 'chai';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { DIRECT, type Front } from '../adapters/gateways.js';
import { skipWithReason } from '../checks/not-run.js';
import type { Answer } from '../clients/http-caller.js';
import { CHROMIUM, type ConsolePage, NO_CHROMIUM, openBrowser, openConsole } from './browser.js';
import { type Service, type ServiceOptions, startService } from './service.js';

type Tokens = { readonly token?: string; readonly adminToken?: string };

/** A page stays the same object: after `openAs`, and in the next test, it is another tab. */
export type ConsoleTab = {
  readonly tab: ConsolePage;
  /** Closes the page and opens another one with these tokens. */
  readonly openAs: (tokens: Tokens) => Promise<void>;
  /** The address in the browser. */
  readonly url: () => string;
  /** Makes the pages of this `describe` connect to this one of the fronts. Without it they use the first. */
  readonly through: (front: Front) => void;
};

export type ConsoleSuite = ConsoleTab & {
  readonly service: Omit<Service, 'close'>;
  /** With the tokens of the suite. */
  readonly request: (method: string, path: string, body?: object) => Promise<Answer>;
  /** Resolves with the id. */
  readonly store: (memory: object) => Promise<string>;
};

type Opened = { readonly url: string; readonly close: () => Promise<void> };

type PagesOptions = {
  readonly tokens: Tokens;
  /** All are open at the same time, before the same service. Default: none before it. */
  readonly fronts?: readonly Front[] | undefined;
  readonly context?: BrowserContextOptions | undefined;
};

/**
 * Registers hooks: a browser for the suite, the fronts before the service that `open` opens, and a page for each test.
 * Skips the suite without Chromium. `open` runs once; its `close` runs at the end.
 */
export function setUpPages(
  open: () => Promise<Opened>,
  { tokens, fronts = [DIRECT], context = {} }: PagesOptions,
): ConsoleTab {
  /** In the order in which they were opened. */
  const closings: (() => Promise<void>)[] = [];
  const addresses = new Map<Front, string>();
  let front = fronts[0];
  let browser: Browser | undefined;
  let current: ConsolePage | undefined;

  before(async function () {
    if (CHROMIUM === null) return skipWithReason(this, NO_CHROMIUM);
    const service = await open();
    closings.push(service.close);
    for (const each of fronts) {
      const opened = await each.open(service.url);
      closings.push(opened.close);
      addresses.set(each, opened.url);
    }
    browser = await openBrowser();
  });
  beforeEach(() => openTab(tokens));
  afterEach(() => current?.close());
  after(async () => {
    await browser?.close();
    for (const close of closings.reverse()) await close();
  });

  function url(): string {
    const address = front && addresses.get(front);
    if (address === undefined) throw new Error('The front is not one of the suite');
    return address;
  }
  async function openTab(given: Tokens): Promise<void> {
    if (browser === undefined) throw new Error('The suite has no browser');
    current = await openConsole(browser, { url: url(), ...given, context });
  }
  const page = (): ConsolePage => {
    if (current === undefined) throw new Error('No page is open');
    return current;
  };
  return {
    tab: {
      get page() {
        return page().page;
      },
      get errors() {
        return page().errors;
      },
      open: (hash) => page().open(hash),
      hasRead: () => page().hasRead(),
      views: () => page().views(),
      overflow: () => page().overflow(),
      accessibilityProblems: () => page().accessibilityProblems(),
      close: () => page().close(),
    },
    openAs: async (given) => {
      await current?.close();
      await openTab(given);
    },
    url,
    through: (chosen) => {
      before(() => {
        front = chosen;
      });
    },
  };
}

/** As `setUpPages`, with a service that takes these tokens. `fill` runs before the browser opens. */
export function setUpConsole({
  tokens,
  fronts,
  service: options = {},
  fill = async () => undefined,
  context,
}: PagesOptions & {
  readonly tokens: { readonly token: string; readonly adminToken?: string };
  readonly service?: ServiceOptions;
  readonly fill?: () => Promise<void>;
}): ConsoleSuite {
  let running: Service | undefined;
  const started = (): Service => {
    if (running === undefined) throw new Error('The service of the suite does not run');
    return running;
  };
  async function open(): Promise<Opened> {
    const { token, adminToken } = tokens;
    const admin = adminToken === undefined ? {} : { ADMIN_API_TOKEN: adminToken };
    const service = await startService({
      ...options,
      variables: { SERVICE_API_TOKEN: token, ...admin, ...options.variables },
    });
    running = service;
    await fill();
    return service;
  }
  const request: ConsoleSuite['request'] = (method, path, body) => {
    const { token, adminToken } = tokens;
    const admin = adminToken === undefined ? {} : { 'x-admin-token': adminToken };
    const headers = { authorization: `Bearer ${token}`, ...admin };
    return started().request(method, path, { headers, ...(body === undefined ? {} : { body }) });
  };
  return {
    ...setUpPages(open, { tokens, fronts, context }),
    service: {
      get url() {
        return started().url;
      },
      get breakers() {
        return started().breakers;
      },
      get engines() {
        return started().engines;
      },
      request: (...call) => started().request(...call),
      settled: () => started().settled(),
    },
    request,
    store: async (memory) => {
      const { status, body } = await request('POST', '/memory', memory);
      expect(status, JSON.stringify(body)).to.equal(201);
      return body.memory_id as string;
    },
  };
}
