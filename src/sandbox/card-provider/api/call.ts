import type { Stripe } from 'stripe';
import type { SqlStore } from '#sandbox/sql-store.ts';
import { noSuch } from '../errors.ts';
import type { Parameters } from '../parameters.ts';
import type { Kind, Stored } from '../records.ts';
import type { UnitOfWork } from '../unit-of-work.ts';

/** One API call, authenticated and parsed. */
export type Call = {
  unit: UnitOfWork;
  store: SqlStore;
  parameters: Parameters;
  /** The `:name` parts of the path. */
  path: Record<string, string>;
  /** A publishable key permits only the calls a browser needs, and returns fewer fields. */
  authority: 'secret' | 'publishable';
  /** The origin of the provider's own pages. */
  origin: string;
  /** Equal for the same card number, which it does not reveal. */
  fingerprint(cardNumber: string): string;
};

export type Answer = { status: number; body: object };

export type Route = {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  /** Accepted parameters besides `expand`. */
  allowedParameters: readonly string[];
  /** Whether a publishable key may call it. */
  publishable?: true;
  run(call: Call): Promise<Answer>;
};

export function ok(body: object): Answer {
  return { status: 200, body };
}

/** Answers one object by its id. */
export function retrieveRoute(kind: Kind): Route {
  return {
    method: 'GET',
    path: `/v1/${kind}s/:id`,
    allowedParameters: [],
    run: async (call) => ok((await requireFromPath(call, kind)).doc),
  };
}

/** Changes, saves and answers one object by its id. */
export function changeRoute<K extends Kind>(
  kind: K,
  action: '' | `/${string}`,
  allowedParameters: readonly string[],
  change: (call: Call, stored: Stored<K>) => Promise<void> | void,
): Route {
  return {
    method: 'POST',
    path: `/v1/${kind}s/:id${action}`,
    allowedParameters,
    async run(call) {
      const stored = await requireFromPath(call, kind);
      call.unit.save(stored);
      await change(call, stored);
      return ok(stored.doc);
    },
  };
}

/** What the provider calls the id in a path, if not `id`. */
const idNames: Partial<Record<Kind, string>> = {
  payment_method: 'payment_method',
  confirmation_token: 'confirmation_token',
  payment_intent: 'intent',
  setup_intent: 'intent',
};

/** The object named in the path; 404 if it does not exist. */
export async function requireFromPath<K extends Kind>(
  call: Call,
  kind: K,
  param = idNames[kind] ?? 'id',
): Promise<Stored<K>> {
  const id = call.path.id ?? '';
  const stored = await call.unit.find(kind, id);
  if (!stored) throw noSuch(kind, id, param, 404);
  return stored;
}

/** The object named by a parameter; 400 if it does not exist. */
export async function requireNamed<K extends Kind>(
  call: Call,
  kind: K,
  id: string,
  param: string,
): Promise<Stored<K>> {
  const stored = await call.unit.find(kind, id);
  if (!stored) throw noSuch(kind, id, param, 400);
  return stored;
}

export type LiveCustomer = Stored<'customer'> & { doc: Stripe.Customer };

/** The customer named by a parameter; refused if unknown or deleted. */
export async function requireCustomer(call: Call, id: string): Promise<LiveCustomer> {
  return requireLive(await requireNamed(call, 'customer', id, 'customer'), 'customer', 400);
}

/** Refuses a deleted customer. */
export function requireLive(customer: Stored<'customer'>, param: string, status: 400 | 404): LiveCustomer {
  const { doc } = customer;
  if (doc.deleted) throw noSuch('customer', customer.id, param, status);
  return Object.assign(customer, { doc });
}
