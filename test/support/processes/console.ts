/** The set-up of the browser tests of the console: a service, what is in front of it, and a new page for each test. */
import { expect } from 'chai';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import type { Front } from '../adapters/gateways.js';
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
};

export type ConsoleSuite = ConsoleTab & {
  readonly service: Omit<Service, 'close'>;
  /** The address in the browser. */
  readonly url: () => string;
  /** With the tokens of the suite. */
  readonly request: (method: string, path: string, body?: object) => Promise<Answer>;
  /** Resolves with the id. */
  readonly store: (memory: object) => Promise<string>;
};

/**
 * Registers hooks: a browser for the suite, and a page at `open`'s address for each test. Skips the suite without
 * Chromium. `open` runs once; its `close` runs after the browser is closed.
 */
export function setUpPages(
  open: () => Promise<{ readonly url: string; readonly close: () => Promise<void> }>,
  tokens: Tokens,
  context: BrowserContextOptions = {},
): ConsoleTab {
  let opened: { readonly url: string; readonly close: () => Promise<void> } | undefined;
  let browser: Browser | undefined;
  let current: ConsolePage | undefined;

  before(async function () {
    if (CHROMIUM === null) return skipWithReason(this, NO_CHROMIUM);
    opened = await open();
    browser = await openBrowser();
  });
  beforeEach(() => openTab(tokens));
  afterEach(() => current?.close());
  after(async () => {
    await browser?.close();
    await opened?.close();
  });

  async function openTab(given: Tokens): Promise<void> {
    if (browser === undefined || opened === undefined) throw new Error('The suite has no browser');
    current = await openConsole(browser, { url: opened.url, ...given, context });
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
  };
}

/** As `setUpPages`, with a service behind `front` that takes these tokens. `fill` runs before the browser opens. */
export function setUpConsole({
  tokens,
  front,
  service: options = {},
  fill = async () => undefined,
  context,
}: {
  readonly tokens: { readonly token: string; readonly adminToken?: string };
  /** Without it the browser connects to the service itself. */
  readonly front?: Front;
  readonly service?: ServiceOptions;
  readonly fill?: () => Promise<void>;
  readonly context?: BrowserContextOptions;
}): ConsoleSuite {
  let running: Service | undefined;
  let address = '';
  const started = (): Service => {
    if (running === undefined) throw new Error('The service of the suite does not run');
    return running;
  };
  async function open(): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
    const { token, adminToken } = tokens;
    const admin = adminToken === undefined ? {} : { ADMIN_API_TOKEN: adminToken };
    const service = await startService({
      ...options,
      variables: { SERVICE_API_TOKEN: token, ...admin, ...options.variables },
    });
    running = service;
    await fill();
    const gateway = await front?.open(service.url);
    address = gateway?.url ?? service.url;
    return {
      url: address,
      close: async () => {
        await gateway?.close();
        await service.close();
      },
    };
  }
  const request: ConsoleSuite['request'] = (method, path, body) => {
    const { token, adminToken } = tokens;
    const admin = adminToken === undefined ? {} : { 'x-admin-token': adminToken };
    const headers = { authorization: `Bearer ${token}`, ...admin };
    return started().request(method, path, { headers, ...(body === undefined ? {} : { body }) });
  };
  return {
    ...setUpPages(open, tokens, context),
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
    url: () => address,
    request,
    store: async (memory) => {
      const { status, body } = await request('POST', '/memory', memory);
      expect(status, JSON.stringify(body)).to.equal(201);
      return body.memory_id as string;
    },
  };
}
