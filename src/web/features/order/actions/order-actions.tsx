import { CancelTickets, type CancelTicketsProps } from '../cancel/cancel-tickets.tsx';
import { ChangeOrderLink } from './change-order-link.tsx';

/** What a buyer can do with a paid order. */
export function OrderActions(props: CancelTicketsProps) {
  return (
    <>
      <ChangeOrderLink order={props.order} />
      <CancelTickets {...props} />
    </>
  );
}
