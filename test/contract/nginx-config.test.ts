/** The configuration of nginx is one that nginx takes. What only its newer versions know, the name server, is left out of the check. */
import { expect } from 'chai';
import { nginxConfig } from '../../deploy/gateway/nginx-config.js';
import { checkNginxConfig, NGINX } from '../support/nginx.js';
import { rejection } from '../support/rejection.js';

const options = { port: 8001, commandApi: ['127.0.0.1:8011', '127.0.0.1:8021'], queryApi: ['127.0.0.1:8012'] };

describe(`the configuration of nginx${NGINX === null ? ' (nginx is not installed here: it has not judged it)' : ''}`, () => {
  it('names a name server only where there is one', () => {
    expect(nginxConfig(options)).to.not.match(/resolve/u);
    expect(nginxConfig({ ...options, resolver: '127.0.0.11' }))
      .to.match(/resolver 127\.0\.0\.11 .*;\n/u)
      .and.match(/server 127\.0\.0\.1:8021 .* resolve;/u);
  });

  it('logs neither query strings nor headers of callers, and no line of nginx about a single request, which would show them', () => {
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

    it('is refused by nginx -t where it is wrong', async () => {
      const refused = await rejection(checkNginxConfig(program, { ...options, commandApi: ['no address'] }));
      expect(String(refused)).to.include('invalid parameter');
    });
  }
});
