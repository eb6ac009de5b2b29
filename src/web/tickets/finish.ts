import { useCallback } from 'react';
import { useNavigate } from 'react-router';
import { fillPath, ticketPages } from '#contract/paths.ts';

export function confirmationPath(orderId: string): string {
  return fillPath(ticketPages.confirmation, { id: orderId });
}

/** The purchase is over: its confirmation takes this entry of the history, so that "back" cannot pay again. */
export function useFinish(): (orderId: string) => void {
  const navigate = useNavigate();
  return useCallback((orderId) => void navigate(confirmationPath(orderId), { replace: true }), [navigate]);
}
