import { Hono } from 'hono';

/** Who a bearer token belongs to. */
export type SignedIn = { sessionId: string; customerId: string };

/** What middleware leaves for handlers. */
export type ApiVariables = {
  /**
   * Headers of the answer, gathered before it is made: a plain record, because a Headers object, or touching a
   * finished answer, costs several times more.
   */
  headers: Record<string, string>;
  /** Text of the JSON answer, once it is made, for whoever keeps it. */
  answered?: string;
  requestId: string;
  /** The address the request came from, for limits only; never logged. */
  remoteAddress: string;
  /** Set by `requireSession`, and by `findSession` when there is a valid token. */
  signedIn?: SignedIn;
};
export type ApiEnv = { Variables: ApiVariables };

/** A router of one room. */
export function createRouter(): Hono<ApiEnv> {
  return new Hono<ApiEnv>();
}
