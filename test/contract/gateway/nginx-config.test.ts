/**
 * Checks the configuration of nginx, with nginx itself where it is installed. The check leaves out the name server,
 * which needs a newer version.
 */
import { expect } from 'chai';
import { nginxConfig } from '../../../deploy/gateway/nginx-config.js';
import { rejection } from '../../support/checks/rejection.js';
import { checkNginxConfig, NGINX } from '../../support/processes/nginx.js';

const options = { port: 8001, commandApi: ['127.0.0.1:8011', '127.0.0.1:8021'], queryApi: ['127.0.0.1:8012'] };

describe(`nginxConfig${NGINX === null ? ' (without nginx -t: nginx is not installed)' : ''}`, () => {
  it('contains a name server only with the resolver option', () => {
    expect(nginxConfig(options)).to.not.match(/resolve/u);
    expect(nginxConfig({ ...options, resolver: '127.0.0.11' }))
      .to.match(/resolver 127\.0\.0\.11 .*;\n/u)
      .and.match(/server 127\.0\.0\.1:8021 .* resolve;/u);
  });

  it('logs no query strings, no headers of callers and no errors of single requests', () => {
    const config = nginxConfig(options);
    const [format = ''] = /log_format[^;]*;/u.exec(config) ?? [];
    expect(format)
      .to.include('$path')
      .and.not.match(/\$(?:request|request_uri|args|query_string|arg_\w+|http_\w+)\b/u);
    expect(config).to.match(/error_log \S+ emerg;/u);
  });

  if (NGINX !== null) {
    const program = NGINX;
    it('passes nginx -t', () => checkNginxConfig(program, options));

    it('fails nginx -t with an invalid address', async () => {
      const failure = await rejection(checkNginxConfig(program, { ...options, commandApi: ['no address'] }));
      expect(String(failure)).to.include('invalid parameter');
    });
  }
});
