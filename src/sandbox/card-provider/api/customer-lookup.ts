import type { Stripe } from 'stripe';
import { noSuch } from '../errors.ts';
import { allowOnly, type Parameters, readGroup, readText } from '../parameters.ts';
import type { Stored } from '../records.ts';
import { type Call, requireNamed } from './call.ts';

export type LiveCustomer = Stored<'customer'> & { doc: Stripe.Customer };

/** The customer named by a parameter; refused if unknown or deleted. */
export async function requireCustomer(call: Call, id: string): Promise<LiveCustomer> {
  return requireLive(await requireNamed(call, 'customer', id, 'customer'), 'customer', 400);
}

/** Refuses a deleted customer. */
export function requireLive(customer: Stored<'customer'>, param: string, status: 400 | 404): LiveCustomer {
  const { doc } = customer;
  if (!isLive(doc)) throw noSuch('customer', customer.id, param, status);
  return Object.assign(customer, { doc });
}

function isLive(doc: Stored<'customer'>['doc']): doc is Stripe.Customer {
  return !('deleted' in doc && doc.deleted);
}

/** The `address` group; null if it is unset. */
export function readAddress(parameters: Parameters): Stripe.Address | null {
  if (parameters.address === '' || parameters.address === undefined) return null;
  const address = readGroup(parameters, 'address');
  allowOnly(address, ['city', 'country', 'line1', 'line2', 'postal_code', 'state']);
  return {
    city: readText(address, 'city'),
    country: readText(address, 'country', 2),
    line1: readText(address, 'line1'),
    line2: readText(address, 'line2'),
    postal_code: readText(address, 'postal_code'),
    state: readText(address, 'state'),
  };
}
