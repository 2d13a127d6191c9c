import { expect } from 'chai';
import { bridgeConfig } from '../../../deploy/mcp/bridge-config.js';
import { ConfigurationError } from '../../../shared/kernel/config/config.js';

describe('MCP bridge configuration', () => {
  it('has a default for every variable', () => {
    expect(bridgeConfig({})).to.deep.equal({
      baseUrl: 'http://127.0.0.1:8001',
      token: null,
      tokenBudget: 18_000,
      profile: 'compatible',
      parentWatchMs: 30_000,
      logLevel: undefined,
      warnings: [],
    });
  });

  it('takes the first address that is set and skips blank ones', () => {
    const all = {
      AUTOMEM_API_URL: 'http://a:1',
      CLAUDE_PLUGIN_OPTION_API_URL: 'http://b:1',
      AUTOMEM_ENDPOINT: 'http://c:1',
    };
    expect(bridgeConfig(all).baseUrl).to.equal('http://a:1');
    expect(bridgeConfig({ ...all, AUTOMEM_API_URL: ' ' }).baseUrl).to.equal('http://b:1');
    const old = bridgeConfig({ AUTOMEM_ENDPOINT: 'https://memory.example/base' });
    expect(old.baseUrl).to.equal('https://memory.example/base');
    expect(old.warnings).to.deep.equal(['AUTOMEM_ENDPOINT is an old name: set AUTOMEM_API_URL to the same']);
  });

  it('takes the first key that is set', () => {
    const keys = {
      AUTOMEM_API_KEY: 'a',
      AUTOMEM_API_TOKEN: 'b',
      CLAUDE_PLUGIN_OPTION_API_KEY: 'c',
      CLAUDE_PLUGIN_OPTION_API_TOKEN: 'd',
    };
    const names = Object.keys(keys);
    for (const [index, key] of Object.values(keys).entries()) {
      const blank = Object.fromEntries(names.slice(0, index).map((name) => [name, '']));
      expect(bridgeConfig({ ...keys, ...blank }).token).to.equal(key);
    }
  });

  it('treats an invalid preference as unset and warns', () => {
    const config = bridgeConfig({
      AUTOMEM_RECALL_TOKEN_BUDGET: '-5',
      AUTOMEM_PARENT_WATCHDOG_MS: 'never',
      AUTOMEM_LOG_LEVEL: 'loud',
    });
    expect(config).to.include({ tokenBudget: 18_000, parentWatchMs: 30_000, logLevel: undefined });
    expect(config.warnings.map((warning) => warning.split(' ')[0])).to.deep.equal([
      'AUTOMEM_RECALL_TOKEN_BUDGET',
      'AUTOMEM_PARENT_WATCHDOG_MS',
      'AUTOMEM_LOG_LEVEL',
    ]);
  });

  it('checks for its parent process every 100 ms at the most', () => {
    expect(bridgeConfig({ AUTOMEM_PARENT_WATCHDOG_MS: '5' }).parentWatchMs).to.equal(100);
    expect(bridgeConfig({ AUTOMEM_PARENT_WATCHDOG_MS: '250' }).parentWatchMs).to.equal(250);
  });

  for (const text of ['memory:8001', 'localhost', 'ftp://memory.example', 'http://memory.example/?x=1']) {
    it(`rejects ${text} and names its variable`, () => {
      expect(() => bridgeConfig({ CLAUDE_PLUGIN_OPTION_API_URL: text })).to.throw(
        ConfigurationError,
        'CLAUDE_PLUGIN_OPTION_API_URL',
      );
    });
  }
});
