import { type Context, Hono } from 'hono';

/** The session of a bearer token. */
export type SignedIn = {
  sessionId: string;
  customerId: string;
  /** Until then sensitive actions need no step-up. */
  freshUntil: Date | null;
  /** The proof cookie sent with the token; null for sessions not started by a browser. */
  proof: string | null;
};

/** Values that middleware provides to handlers. */
export type ApiVariables = {
  /**
   * Response headers, collected before the response is created. A plain record, because a Headers object or changing a
   * finished response costs several times more.
   */
  headers: Record<string, string>;
  /** Set-Cookie lines of the response, the only header that can repeat. */
  cookies?: readonly string[];
  /** Text of the JSON response, for storing it. */
  answered?: string;
  /** The client's address, for limits only; never logged. Read on demand, because few calls that repeat need it. */
  readRemoteAddress: () => string;
  /** Set by `requireSession`, and by `findSession` if there is a valid token. */
  signedIn?: SignedIn;
};
export type ApiEnv = { Variables: ApiVariables };

/** The request, its response so far and the values of `ApiVariables`. */
export type HttpContext = Context<ApiEnv>;

/** Answers a request. */
export type RouteHandler = (c: HttpContext) => Response | Promise<Response>;

/** Creates a router for one module. */
export function createRouter(): Hono<ApiEnv> {
  return new Hono<ApiEnv>();
}
