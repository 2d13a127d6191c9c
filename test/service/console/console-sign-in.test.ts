/** Signing in to the console at a real issuer, with a real browser: the way there and back, expiry and refusals. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { SCOPE_NAMES } from '../../../shared/contract/scopes.js';
import { OIDC_LIMITS } from '../../../shared/http/oidc.js';
import { BEHIND, DIRECT, GATEWAYS_NOTE } from '../../support/adapters/gateways.js';
import { until } from '../../support/checks/until.js';
import { setUpPages } from '../../support/processes/console.js';
import { type Service, startService } from '../../support/processes/service.js';
import {
  CONSOLE_CLIENT,
  type OidcProvider,
  openOidcProvider,
  TOKEN_SECONDS,
} from '../../support/servers/oidc-provider.js';

const AUDIENCE = 'https://memory.example/mcp';
const TOKEN = 'secret';
const HOSTILE = '<img src=x onerror="alert(document.domain)"><b>bold</b>';
const EXPIRED_MS = (TOKEN_SECONDS + OIDC_LIMITS.clockSkewSeconds) * 1_000;
const FOUND = /^1 to \d of \d memor/u;

function setUp(fronts = [DIRECT]) {
  let provider: OidcProvider;
  let service: Service;
  let laterMs = 0;
  const { tab, url } = setUpPages(
    async () => {
      provider = await openOidcProvider();
      service = await startService({
        variables: {
          SERVICE_API_TOKEN: TOKEN,
          OIDC_ISSUER: provider.issuer,
          OIDC_AUDIENCE: AUDIENCE,
          OIDC_CONSOLE_CLIENT_ID: CONSOLE_CLIENT,
        },
        clock: { now: () => new Date(Date.now() + laterMs) },
      });
      await store('Anna likes green tea.', ['drinks']);
      await service.settled();
      return {
        url: service.url,
        close: async () => {
          await service.close();
          await provider.close();
        },
      };
    },
    { tokens: {}, fronts },
  );
  beforeEach(() => {
    laterMs = 0;
    const rules = { refusal: null, scopes: SCOPE_NAMES, tokenSeconds: TOKEN_SECONDS, hasRefreshTokens: true };
    Object.assign(provider.rules, rules);
  });
  async function store(content: string, tags: readonly string[] = []): Promise<void> {
    const headers = { authorization: `Bearer ${TOKEN}` };
    const { status } = await service.request('POST', '/memory', { headers, body: { content, tags } });
    expect(status).to.equal(201);
  }
  const offer = () => tab.page.getByRole('button', { name: 'Sign in or enter a token' }).first();
  const dialog = () => tab.page.getByRole('dialog', { name: 'Tokens' });
  /** The names in both storages of the browser. */
  const stored = (page: Page): Promise<readonly string[]> =>
    page.evaluate(`[sessionStorage, localStorage].flatMap((storage) => Object.keys(storage)).sort()`);
  async function press(): Promise<void> {
    await dialog()
      .getByRole('button', { name: /^Sign in at 127\.0\.0\.1:\d+$/u })
      .click();
  }
  async function signIn(hash: string, isKept = false): Promise<void> {
    await tab.open(hash);
    await offer().click();
    if (isKept) await dialog().getByLabel('Keep them in this browser').check();
    await press();
    await tab.page.getByText('Signed in.').waitFor();
  }
  return {
    tab,
    url,
    offer,
    dialog,
    stored,
    press,
    signIn,
    store,
    provider: () => provider,
    /** Present tokens have expired; the next ones have not. */
    expire: () => {
      laterMs = EXPIRED_MS;
      provider.rules.tokenSeconds = 2 * TOKEN_SECONDS;
    },
  };
}

describe('signing in to the console', () => {
  const { tab, url, offer, dialog, stored, press, signIn, store, provider, expire } = setUp();

  /** Leaves for the issuer, which never answers. Returns the state of the request. */
  async function leave(hash: string): Promise<string> {
    await tab.page.route(`${provider().issuer}/auth*`, (route) => route.fulfill({ body: 'The page of the issuer' }));
    await tab.open(hash);
    await offer().click();
    await press();
    await tab.page.getByText('The page of the issuer').waitFor();
    return new URL(tab.page.url()).searchParams.get('state') ?? '';
  }
  async function answer(query: Record<string, string>, hash = ''): Promise<void> {
    await tab.page.goto(`${url()}/console/?${new URLSearchParams(query).toString()}${hash}`);
    await dialog().getByRole('alert').waitFor();
  }

  it('leads back to the view that was open, which shows its data', async () => {
    await signIn('#/browse?tag=drinks');
    await tab.page.getByText(FOUND).waitFor();
    expect(tab.page.url()).to.equal(`${url()}/console/#/browse?tag=drinks`);
    const asked = Object.fromEntries(provider().asked.at(-1) ?? []);
    expect(asked).to.include({
      response_type: 'code',
      client_id: CONSOLE_CLIENT,
      redirect_uri: `${url()}/console/`,
      scope: ['openid', ...SCOPE_NAMES].join(' '),
      code_challenge_method: 'S256',
      resource: AUDIENCE,
    });
    expect(await stored(tab.page)).to.deep.equal(['palimpsest.session', 'palimpsest.token']);
    await tab.open('#/keys');
    await tab.page.getByText('There are no keys yet.').waitFor();
  });

  it('is offered next to entering a token', async () => {
    await tab.open('#/browse');
    await offer().click();
    expect(await tab.accessibilityProblems()).to.deep.equal([]);
    await tab.page.getByLabel('API token or key').fill(TOKEN);
    await tab.page.getByRole('button', { name: 'Use' }).click();
    await tab.page.getByText(FOUND).waitFor();
  });

  it('refuses an answer with another state, without redeeming it', async () => {
    await leave('#/browse');
    const before = provider().grants();
    await answer({ code: 'stolen', state: 'another' });
    await dialog().getByText('This tab did not ask for this answer').waitFor();
    expect(provider().grants()).to.equal(before);
    expect(tab.page.url()).to.equal(`${url()}/console/#/browse`);
    expect(await stored(tab.page)).to.deep.equal([]);
  });

  it('refuses the code of a link that the user did not begin', async () => {
    const before = provider().grants();
    await answer({ code: 'of the attacker', state: 'known', iss: provider().issuer }, '#/work');
    await dialog().getByText('This tab did not ask for this answer').waitFor();
    await answer({ error: 'access_denied', error_description: 'Call 555' });
    expect(await tab.page.getByText('Call 555').count()).to.equal(0);
    expect(provider().grants()).to.equal(before);
    expect(await stored(tab.page)).to.deep.equal([]);
  });

  it('refuses an answer of another issuer, and its second use', async () => {
    const state = await leave('#/browse');
    const before = provider().grants();
    await answer({ code: 'mixed up', state, iss: 'https://attacker.example' });
    await dialog().getByText('The answer is of another issuer').waitFor();
    await answer({ code: 'mixed up', state, iss: provider().issuer });
    await dialog().getByText('This tab did not ask for this answer').waitFor();
    expect(provider().grants()).to.equal(before);
  });

  it('shows a refusal of the issuer as text, also with markup in it', async () => {
    provider().rules.refusal = { error: 'access_denied', error_description: HOSTILE };
    await tab.open('#/browse');
    await offer().click();
    await press();
    const alert = dialog().getByRole('alert');
    await alert.waitFor();
    expect(await alert.textContent()).to.equal(`The issuer did not allow the sign-in (access_denied). ${HOSTILE}`);
    expect(await alert.locator('*').count()).to.equal(0);
    expect(tab.page.url()).to.equal(`${url()}/console/#/browse`);
    expect(await tab.accessibilityProblems()).to.deep.equal([]);
    provider().rules.refusal = null;
    await press();
    await tab.page.getByText(FOUND).waitFor();
  });

  it('says that a code is not valid', async () => {
    const state = await leave('#/browse');
    await answer({ code: 'made up', state, iss: provider().issuer });
    await dialog().getByText('The issuer does not accept the code or the session any more (invalid_grant)').waitFor();
    expect(await stored(tab.page)).to.deep.equal([]);
  });

  it('renews a token that has expired, once for all tabs that share it', async () => {
    await signIn('#/browse', true);
    const second = await tab.page.context().newPage();
    await second.goto(`${url()}/console/#/browse`);
    for (const each of [tab.page, second]) await each.getByText(FOUND).waitFor();
    const token = () => tab.page.evaluate<string>(`localStorage.getItem('palimpsest.token')`);
    const [before, grants] = [await token(), provider().grants()];
    expire();
    for (const each of [tab.page, second]) await each.evaluate(`location.hash = '#/overview'`);
    for (const each of [tab.page, second]) {
      await each.getByRole('region', { name: 'Most used tags' }).getByRole('link', { name: 'drinks' }).click();
      await each.getByText(FOUND).waitFor();
    }
    expect(await token()).to.not.equal(before);
    expect(provider().grants()).to.equal(grants + 1);
    expect(await tab.page.getByText('401').count()).to.equal(0);
  });

  it('goes on with the live view after its token has expired', async () => {
    await signIn('#/live');
    await tab.page.getByText('Connected').waitFor();
    const token = () => tab.page.evaluate<string>(`sessionStorage.getItem('palimpsest.token')`);
    const before = await token();
    expire();
    await until('the token is renewed', async () => (await token()) !== before);
    await tab.page.getByText('Connected').waitFor();
    await store('The ship to Oslo leaves at nine.');
    await tab.page.getByRole('link', { name: 'The ship to Oslo' }).first().waitFor();
  });

  it('offers the sign-in again when the issuer gave no refresh token', async () => {
    provider().rules.hasRefreshTokens = false;
    await signIn('#/browse');
    await tab.page.getByText(FOUND).waitFor();
    expire();
    await tab.open('#/overview');
    await offer().waitFor();
    await tab.page.getByText('The sign-in has ended.').waitFor();
    expect(await stored(tab.page)).to.deep.equal([]);
    await tab.page.evaluate(`location.hash = '#/browse'`);
    await offer().click();
    await press();
    await tab.page.getByText(FOUND).waitFor();
  });

  it('removes everything from all tabs at a sign-out', async () => {
    await signIn('#/browse', true);
    const second = await tab.page.context().newPage();
    await second.goto(`${url()}/console/#/browse`);
    await second.getByText(FOUND).waitFor();
    await tab.page.getByRole('button', { name: 'Tokens' }).click();
    await dialog().getByRole('button', { name: 'Sign in again at' }).waitFor();
    await dialog().getByRole('button', { name: 'Sign out' }).click();
    for (const each of [tab.page, second]) {
      await each.getByRole('alert').getByText('401: Unauthorized').waitFor();
      expect(await each.getByText('green tea').count()).to.equal(0);
      expect(await stored(each)).to.deep.equal([]);
    }
  });

  it('names the scope that a view needs and the issuer did not grant', async () => {
    provider().rules.scopes = ['memories:read'];
    await signIn('#/browse');
    await tab.page.getByText(FOUND).waitFor();
    await tab.open('#/keys');
    await tab.page.getByRole('alert').getByText("403: The token of 'anna' lacks the scope admin:keys").waitFor();
    await offer().waitFor();
  });
});

for (const front of BEHIND)
  describe(`signing in to the console ${front.name}${GATEWAYS_NOTE}`, () => {
    const { tab, url, signIn } = setUp([front]);

    it('leads back to the view that was open, which shows its data', async () => {
      await signIn('#/browse');
      await tab.page.getByText(FOUND).waitFor();
      expect(tab.page.url()).to.equal(`${url()}/console/#/browse`);
    });
  });

describe('signing in to the console while the issuer is away', () => {
  let service: Service;
  const { tab } = setUpPages(
    async () => {
      const gone = await openOidcProvider();
      await gone.close();
      const oidc = { OIDC_ISSUER: gone.issuer, OIDC_AUDIENCE: AUDIENCE, OIDC_CONSOLE_CLIENT_ID: CONSOLE_CLIENT };
      service = await startService({ variables: { SERVICE_API_TOKEN: TOKEN, ...oidc } });
      return service;
    },
    { tokens: {} },
  );

  it('says so, and a token still works', async () => {
    await tab.open('#/browse');
    await tab.page.getByRole('button', { name: 'Sign in or enter a token' }).click();
    await tab.page.getByLabel('API token or key').fill(TOKEN);
    await tab.page.getByRole('button', { name: /^Sign in at / }).click();
    await tab.page.getByRole('alert').getByText('The issuer does not answer as it should').waitFor();
    await tab.page.getByRole('button', { name: 'Use' }).click();
    await tab.page.getByText('There are no memories here.').waitFor();
  });
});
