import { useNavigate } from 'react-router';
import { type OrdersSearch, ordersPath, ordersState } from './orders-search.ts';

/** Replaces the list on screen. */
export function useShowOrders(): (search: OrdersSearch) => void {
  const navigate = useNavigate();
  return (search) => {
    const options = { replace: true, preventScrollReset: true, state: ordersState(search) };
    void navigate(ordersPath(search), options);
  };
}
