import { type Context, Hono } from 'hono';
import type { StaffRole } from '#contract/staff/permissions.ts';

/** The session of a customer's bearer token. */
export type CustomerSession = {
  sessionId: string;
  customerId: string;
  /** Until then sensitive actions need no step-up. */
  freshUntil: Date | null;
  /** The proof cookie sent with the token; null for sessions not started by a browser. */
  proof: string | null;
};

/**
 * The session of a staff member. Its ids are named otherwise than those of customers, so that the compiler refuses one
 * where the other is meant.
 */
export type StaffSession = {
  staffSessionId: string;
  staffId: string;
  name: string;
  email: string;
  role: StaffRole;
  expiresAt: Date;
  /** Until then sensitive actions need no step-up. */
  freshUntil: Date | null;
};

/** The kinds of sessions, whose names are those of the table of hosts. */
export type SessionsByKind = { customer: CustomerSession; staff: StaffSession };

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
  getOperatorLanguage: () => string;
  /** The id of the customer or staff member with the valid token of the request. */
  signedInId?: string;
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
