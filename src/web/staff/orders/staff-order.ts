import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { getStaffOrder } from '#contract/desk/orders/endpoints.ts';
import { request } from '#web/platform/api/request.ts';
import type { StaffOrder } from '#web/platform/api/types.ts';
import { notify } from '#web/platform/notifications/notifications.ts';

export const staffOrderQuery = (reference: string) =>
  queryOptions({
    queryKey: ['staff-order', reference] as const,
    queryFn: ({ signal }) => request(getStaffOrder, { params: { reference }, signal }),
  });

/** Shows an order as an action has answered it, with its new history, and says what was done. */
export function useShowOrder(): (staffOrder: StaffOrder, done: string) => void {
  const client = useQueryClient();
  return (staffOrder, done) => {
    client.setQueryData(staffOrderQuery(staffOrder.order.reference).queryKey, staffOrder);
    void client.invalidateQueries({ queryKey: ['desk-work'] });
    notify(done, { type: 'success' });
  };
}

/** Whether there is something to mail. */
export function hasValidTickets({ order: { status } }: StaffOrder): boolean {
  return status === 'confirmed' || status === 'partly_canceled';
}
