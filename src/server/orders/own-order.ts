import type { Context } from '../context.ts';
import { ApiError, notFound } from '../http/api-error.ts';
import { type OrderRecord, requireOrder } from './queries.ts';

/**
 * An order that the caller may cancel or change. One that belongs to a customer is only for that customer.
 * @throws {ApiError} not_found, unauthenticated
 */
export async function requireOwnOrder(
  context: Context,
  session: { customerId: string } | null,
  id: string,
): Promise<OrderRecord> {
  const record = await requireOrder(context, id);
  const { customerId } = record.order;
  if (customerId === null || customerId === session?.customerId) return record;
  if (session === null) throw new ApiError('unauthenticated');
  throw notFound();
}
