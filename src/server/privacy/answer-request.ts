import { eq, sql } from 'drizzle-orm';
import type { GivenReason } from '#sentences/errors/error-reasons.ts';
import type { CommandContext } from '../context.ts';
import { mails } from '../database/schema/system.ts';
import { findCustomerByEmail, normalizeEmail } from '../identity/customers.ts';
import { eraseCustomer } from './delete-customer.ts';
import { isOrderOfPerson, previewErasure } from './erase-orders.ts';
import { exportCustomerForOperator } from './export-customer.ts';
import type { PersonalData } from './export-data.ts';
import { eraseGuest, exportGuest } from './guests.ts';
import type { Answering } from './privacy-log.ts';

/** A person who asked the operator in writing. */
type PersonInput = Answering & { email: string };

/** `providerCustomer`: at the card provider, who remains to be deleted. */
type ErasedPerson = { hadAccount: boolean; orders: number; providerCustomer: string | null };

/**
 * What is stored about an address, as numbers: the account, its orders and mails, and why its orders cannot be erased yet.
 */
export async function findPerson(
  { db, clock }: Pick<CommandContext, 'db' | 'clock'>,
  typed: string,
): Promise<{ customerId: string | null; orders: number; mails: number; blockers: GivenReason[] }> {
  const email = normalizeEmail(typed);
  const customer = await findCustomerByEmail(db, email);
  const customerId = customer?.id ?? null;
  const mailCount = await db.$count(mails, eq(sql`lower(${mails.toAddress})`, email));
  const preview = await previewErasure(db, isOrderOfPerson({ customerId, email }), clock.now());
  return { customerId, mails: mailCount, ...preview };
}

/**
 * Reads everything stored about a person, with or without an account.
 * @throws {PrivacyRefused} if nothing is stored
 */
export async function exportPerson(context: CommandContext, input: PersonInput): Promise<PersonalData> {
  const customer = await findCustomerByEmail(context.db, input.email);
  if (!customer) return exportGuest(context, input);
  const { actor, reason } = input;
  return exportCustomerForOperator(context, { customerId: customer.id, actor, reason });
}

/**
 * Erases a person, with or without an account, or nothing.
 * @throws {PrivacyRefused} if an order is not over, a trip card holds value, or nothing is stored
 */
export async function erasePerson(
  context: Pick<CommandContext, 'db' | 'clock' | 'vault'>,
  input: PersonInput,
): Promise<ErasedPerson> {
  const customer = await findCustomerByEmail(context.db, input.email);
  if (!customer) {
    return { hadAccount: false, orders: await eraseGuest(context, input), providerCustomer: null };
  }
  const { actor, reason } = input;
  const erased = await eraseCustomer(context, { customerId: customer.id, actor, reason });
  return { hadAccount: true, ...erased };
}
