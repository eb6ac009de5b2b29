import { Hono } from 'hono';

/** Who a bearer token belongs to. */
export type SignedIn = {
  sessionId: string;
  customerId: string;
  /** Until then nothing more need be shown for what could lock the owner out. */
  freshUntil: Date | null;
  /** The value of the cookie that came beside the token; null for sessions no browser began. */
  proof: string | null;
};

/** What middleware leaves for handlers. */
export type ApiVariables = {
  /**
   * Headers of the answer, gathered before it is made: a plain record, because a Headers object, or touching a
   * finished answer, costs several times more.
   */
  headers: Record<string, string>;
  /** Set-Cookie lines of the answer: the one header that comes several times. */
  cookies?: readonly string[];
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
