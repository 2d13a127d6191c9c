import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { signEvent } from '../../../../../projectors/jobs/webhook-sender/sign-event.js';

const NEW = `whsec_${Buffer.from('the new secret, of 32 bytes length').toString('base64')}`;
const OLD = `whsec_${Buffer.from('the old secret, of 32 bytes length').toString('base64')}`;
const EVENT = { id: '00000000-0000-4000-8000-000000000001', body: '{"content":"ein Gedächtnis"}' };

describe('signEvent', () => {
  const verify = (secret: string, headers: Readonly<Record<string, string>>) => (): unknown =>
    new Webhook(secret).verify(EVENT.body, headers);

  it('signs as the library of Standard Webhooks verifies', () => {
    const at = Date.now();
    const keys = { secret: NEW, previousSecret: null, previousSecretUntil: null };
    const headers = signEvent(EVENT, keys, at);
    expect(headers).to.include({ 'webhook-id': EVENT.id, 'webhook-timestamp': String(Math.floor(at / 1_000)) });
    expect(headers['webhook-signature']).to.equal(new Webhook(NEW).sign(EVENT.id, new Date(at), EVENT.body));
    expect(verify(NEW, headers)()).to.deep.equal(JSON.parse(EVENT.body));
    expect(verify(OLD, headers)).to.throw('No matching signature');
  });

  it('signs with the previous secret as well, until its time is over', () => {
    const at = Date.now();
    const keys = { secret: NEW, previousSecret: OLD, previousSecretUntil: new Date(at + 1).toISOString() };
    for (const secret of [NEW, OLD]) expect(verify(secret, signEvent(EVENT, keys, at))).not.to.throw();
    const after = signEvent(EVENT, keys, at + 1);
    expect(verify(NEW, after)).not.to.throw();
    expect(verify(OLD, after)).to.throw('No matching signature');
  });
});
