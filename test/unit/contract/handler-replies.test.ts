/**
 * The types of the replies. The compiler checks them: a schema that it cannot read makes a body `unknown`, and then
 * this file does not compile.
 */
import { expect } from 'chai';
import { type OperationName, OPERATIONS } from '../../../shared/contract/operations.js';
import type { Handler, ReplyFor } from '../../../shared/http/handler.js';

type IsUnread<T> = unknown extends T ? true : [T] extends [never] ? true : false;
type Body<R> = R extends { readonly body: infer B } ? B : never;
/** The operations whose handlers answer with a body, and those whose handlers write text or a stream. */
type WithoutBody = { [N in OperationName]: ReplyFor<N> extends { readonly body: unknown } ? never : N }[OperationName];
type Unread = {
  [N in Exclude<OperationName, WithoutBody>]: IsUnread<Body<ReplyFor<N>>> extends false ? never : N;
}[Exclude<OperationName, WithoutBody>];

describe('reply types', () => {
  it('cover every operation but streams, downloads, documents and pages', () => {
    const none: Unread extends never ? true : Unread = true;
    const withoutBody: Record<WithoutBody, true> = {
      openapi: true,
      stream: true,
      backup: true,
      snapshotGraph: true,
      openViewer: true,
      showViewer: true,
      showViewerFile: true,
      openConsole: true,
      showConsole: true,
      showConsoleFile: true,
      openDocs: true,
      showDocs: true,
      showDocsFile: true,
    };
    expect(none).to.equal(true);
    expect(Object.keys(OPERATIONS)).to.include.members(Object.keys(withoutBody));
  });

  it('reject another status, a missing property and a property of another type', () => {
    const right: Handler<'streamStatus'> = async () => ({ status: 200, body: { subscribers: 1, instance: 'one' } });
    // @ts-expect-error The operation has no reply with this status.
    const status: Handler<'streamStatus'> = async () => ({ status: 201, body: { subscribers: 1, instance: 'one' } });
    // @ts-expect-error The body has no instance.
    const missing: Handler<'streamStatus'> = async () => ({ status: 200, body: { subscribers: 1 } });
    // @ts-expect-error The number of subscribers is a text.
    const type: Handler<'streamStatus'> = async () => ({ status: 200, body: { subscribers: '1', instance: 'one' } });
    expect([right, status, missing, type]).to.have.lengthOf(4);
  });
});
