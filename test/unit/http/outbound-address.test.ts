import { expect } from 'chai';
import { createOutboundAddresses, outboundAddresses } from '../../../shared/http/outbound-address.js';
import { ConfigurationError } from '../../../shared/kernel/config/config.js';

/** What a URL of a webhook could hold to reach the machine or the network of the service. */
const ATTEMPTS: Readonly<Record<string, string>> = {
  loopback: 'https://127.0.0.1/',
  'loopback as one number': 'https://2130706433/',
  'loopback in hexadecimal': 'https://0x7f.0.0.1/',
  'loopback in octal': 'https://017700000001/',
  'loopback in a short form': 'https://127.1/',
  'loopback in full-width digits': 'https://１２７.0.0.1/',
  'loopback of IPv6': 'https://[::1]/',
  'loopback, mapped to IPv6': 'https://[::ffff:127.0.0.1]/',
  'loopback, as an IPv4-compatible address': 'https://[::127.0.0.1]/',
  'loopback behind NAT64': 'https://[64:ff9b::7f00:1]/',
  'loopback in 6to4': 'https://[2002:7f00:1::]/',
  'the unspecified address': 'https://0.0.0.0/',
  'the unspecified address of IPv6': 'https://[::]/',
  'a private network': 'https://10.0.0.7/',
  'another private network': 'https://172.31.255.255/',
  'a home network': 'https://192.168.1.1/',
  'a unique local address': 'https://[fd12::1]/',
  'carrier-grade NAT': 'https://100.100.100.200/',
  'the metadata of a cloud': 'https://169.254.169.254/latest/meta-data/',
  'the metadata of Azure': 'https://168.63.129.16/',
  'the metadata of a cloud over IPv6': 'https://[fd00:ec2::254]/',
  'a link-local address': 'https://[fe80::1]/',
  multicast: 'https://224.0.0.1/',
  'multicast of IPv6': 'https://[ff02::1]/',
  broadcast: 'https://255.255.255.255/',
  Teredo: 'https://[2001:0:7f00:1::]/',
};

describe('createOutboundAddresses', () => {
  const none = createOutboundAddresses([]);

  for (const [what, url] of Object.entries(ATTEMPTS)) {
    it(`refuses ${what}: ${url}`, () => {
      expect(none.problemOf(url)).to.include('which is not a public address').and.include('WEBHOOK_ALLOWED_NETWORKS');
    });
  }

  it('lets public addresses and names pass', () => {
    for (const url of ['https://8.8.8.8/', 'https://[2606:4700::1111]/', 'https://example.com:8443/hook?a=b'])
      expect(none.problemOf(url)).to.equal(null);
  });

  it('refuses what is no https: URL, and a URL with a password', () => {
    expect(none.problemOf('example.com/hook')).to.equal("must be an address such as 'https://receiver.example/events'");
    expect(none.problemOf('http://example.com/')).to.equal('must begin with https:, not with http:');
    expect(none.problemOf('file:///etc/passwd')).to.equal('must begin with https:, not with file:');
    expect(none.problemOf('https://name:word@example.com/')).to.equal(
      'must have no user and no password: the receiver verifies the signature of each event',
    );
  });

  it('lets http: pass within allowed networks only', () => {
    const some = createOutboundAddresses(['10.1.0.0/16', 'fd12::/64', '127.0.0.1/32']);
    for (const host of ['10.1.255.1', '[fd12::7]', '127.0.0.1'])
      for (const protocol of ['http', 'https']) expect(some.problemOf(`${protocol}://${host}/`)).to.equal(null);
    for (const url of ['http://8.8.8.8/', 'http://10.2.0.1/', 'https://10.2.0.1/', 'https://[::ffff:127.0.0.1]/'])
      expect(some.problemOf(url), url).to.be.a('string');
  });

  type Found = { readonly address: string; readonly family: number };
  const lookUp = (
    found: readonly Found[],
    { protocol = 'https:', networks = [], all = true }: { protocol?: string; networks?: string[]; all?: boolean } = {},
  ): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const { lookup } = createOutboundAddresses(networks, async () => found);
      lookup(protocol)('receiver.test', { all }, (error, address, family) =>
        error === null ? resolve(all ? address : [address, family]) : reject(error),
      );
    });
  const PUBLIC = { address: '8.8.8.8', family: 4 };
  const INNER = { address: '127.0.0.1', family: 4 };
  const LINK_LOCAL = { address: 'fe80::1%2', family: 6 };

  it('keeps the public addresses of a name', async () => {
    expect(await lookUp([INNER, PUBLIC, LINK_LOCAL])).to.deep.equal([PUBLIC]);
    expect(await lookUp([INNER, PUBLIC], { all: false })).to.deep.equal(['8.8.8.8', 4]);
    for (const found of [[INNER], [LINK_LOCAL], []]) {
      const error = await lookUp(found).catch((thrown: unknown) => thrown);
      expect(String(error)).to.include('receiver.test').and.include('not a public address');
    }
  });

  it('keeps only allowed addresses of a name for http:', async () => {
    const options = { protocol: 'http:', networks: ['127.0.0.0/8'] };
    expect(await lookUp([PUBLIC, INNER], options)).to.deep.equal([INNER]);
    expect(String(await lookUp([PUBLIC], options).catch((thrown: unknown) => thrown))).to.include(
      'not allowed for http:',
    );
  });

  it('passes the failure of DNS on', async () => {
    const { lookup } = createOutboundAddresses([], () => Promise.reject(new Error('no such name')));
    const error = await new Promise((resolve) => lookup('https:')('receiver.test', {}, resolve));
    expect(String(error)).to.include('no such name');
  });
});

describe('outboundAddresses', () => {
  it('names the networks of WEBHOOK_ALLOWED_NETWORKS that are none', () => {
    const read = (value: string) => () => outboundAddresses({ WEBHOOK_ALLOWED_NETWORKS: value });
    for (const value of ['10.0.0.0', '10.0.0.0/33', 'fd12::/129', 'localhost/8', '10.0.0.0/8/8', '10.0.0.0/x'])
      expect(read(`${value},10.1.0.0/16`)).to.throw(ConfigurationError, `names ${value}, which is no network`);
    expect(read('10.0.0.0/8, fd12::/64')().problemOf('http://10.9.9.9/')).to.equal(null);
  });
});
