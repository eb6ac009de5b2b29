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
  /** The `:name` parts of the address. */
  path: Record<string, string>;
  /** A publishable key may only do what a browser needs, and sees less. */
  authority: 'secret' | 'publishable';
  /** Where the provider's own pages are. */
  origin: string;
  /** Same card, same text; the number cannot be had back from it. */
  fingerprint(cardNumber: string): string;
};

export type Answer = { status: number; body: object };

export type Route = {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  /** Parameters it takes, beside `expand`. */
  known: readonly string[];
  /** A publishable key may call it. */
  publishable?: true;
  run(call: Call): Promise<Answer>;
};

export function ok(body: object): Answer {
  return { status: 200, body };
}

/** The object named in the address; 404 when there is none. */
export async function requireFromPath<K extends Kind>(call: Call, kind: K, param = 'id'): Promise<Stored<K>> {
  const id = call.path.id ?? '';
  const stored = await call.unit.find(kind, id);
  if (!stored) throw noSuch(kind, id, param, 404);
  return stored;
}

/** The object a parameter names; 400 when there is none. */
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
