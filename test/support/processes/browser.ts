/**
 * Chromium for tests of the console. A page reports what went wrong in it, so that each test can show that nothing did.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { until } from '../checks/until.js';
import { findProgram } from './programs.js';

/** The headless shell takes half of the processor time of the whole browser. */
const PROGRAMS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];
/** Null where none is installed. */
export const CHROMIUM = PROGRAMS.map(findProgram).find(Boolean) ?? null;

export const NO_CHROMIUM = 'the console in a browser: install chromium';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Without a sandbox, because CI runs as root. */
export function openBrowser(): Promise<Browser> {
  if (CHROMIUM === null) throw new Error(NO_CHROMIUM);
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

export type ConsolePage = {
  readonly page: Page;
  /** Opens a view by its hash, for example `#/work`. */
  readonly open: (hash: string) => Promise<void>;
  /** Resolves when nothing of the view is being read for the first time. */
  readonly hasRead: () => Promise<void>;
  /** The addresses of all views, as the navigation has them, for example `#/work`. */
  readonly views: () => Promise<readonly string[]>;
  /** By how many pixels the page is wider than its window. */
  readonly overflow: () => Promise<number>;
  /** Errors of scripts and violations of the content security policy. */
  readonly errors: readonly string[];
  /** What axe-core finds on the page as it is, as sentences. */
  readonly accessibilityProblems: () => Promise<readonly string[]>;
  /** Rejects after the end of a page that had errors. */
  readonly close: () => Promise<void>;
};

type PageOptions = {
  readonly url: string;
  readonly token?: string;
  readonly adminToken?: string;
  readonly context?: BrowserContextOptions;
};

/** Opens the console in a tab of its own, with the tokens as a user would have given them. */
export async function openConsole(
  browser: Browser,
  { url, token, adminToken, context: options = {} }: PageOptions,
): Promise<ConsolePage> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(30_000);
  const tokens = { 'palimpsest.token': token, 'palimpsest.admin-token': adminToken };
  for (const [name, value] of Object.entries(tokens))
    if (value !== undefined) await context.addInitScript(`sessionStorage.setItem('${name}', '${value}')`);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (/content security policy/iu.test(message.text())) errors.push(message.text());
  });
  page.on('dialog', (dialog) => {
    errors.push(`A script opened a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return {
    page,
    errors,
    open: async (hash) => {
      await page.goto(`${url}/console/${hash}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
    },
    hasRead: async () => {
      const reading = page.locator('main [aria-busy="true"]').or(page.getByText(/^Reading .* …$/u));
      await until('the view has read its content', async () => (await reading.count()) === 0);
    },
    views: async () => {
      const links = await page.getByRole('navigation', { name: 'Views' }).locator('a[href^="#/"]').all();
      return Promise.all(links.map(async (link) => (await link.getAttribute('href')) ?? ''));
    },
    overflow: () => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth'),
    accessibilityProblems: async () => {
      await page.evaluate(AXE);
      type Found = { readonly id: string; readonly nodes: readonly { readonly html: string }[] };
      const found = await page.evaluate<readonly Found[]>('axe.run().then(({ violations }) => violations)');
      return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' ')}`);
    },
    close: async () => {
      await context.close();
      if (errors.length > 0) throw new Error(`The page had errors: ${errors.join('; ')}`);
    },
  };
}
