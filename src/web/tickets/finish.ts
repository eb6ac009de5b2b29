import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useNavigate } from 'react-router';
import { fillPath, ticketPages } from '#contract/paths.ts';
import { orderCompleted } from '#web/platform/analytics/completed-orders.ts';
import { orderQuery } from '#web/platform/query/queries.ts';

export function confirmationPath(orderId: string): string {
  return fillPath(ticketPages.confirmation, { id: orderId });
}

/** The purchase is over: the order is asked for anew, and its confirmation takes this entry of the history, so that "back" cannot pay again. */
export function useFinish(): (orderId: string) => void {
  const navigate = useNavigate();
  const client = useQueryClient();
  return useCallback(
    (orderId) => {
      // Here, because nobody is told anything on the confirmation: its address opens the order.
      const order = client.getQueryData(orderQuery(orderId).queryKey);
      if (order?.status === 'confirmed') orderCompleted(order);
      void client.invalidateQueries({ queryKey: orderQuery(orderId).queryKey });
      void navigate(confirmationPath(orderId), { replace: true });
    },
    [navigate, client],
  );
}
