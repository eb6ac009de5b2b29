import { InstallInvitation } from '#web/features/install/install-invitation.tsx';
import { OrderActions } from '#web/features/order/actions/order-actions.tsx';
import { OrderDetails } from '#web/features/order/order-details.tsx';
import { SendTickets } from '#web/features/order/send-tickets/send-tickets.tsx';
import { SavedAgeLine } from '#web/features/saved-offline/saved-age.tsx';
import { TicketFiles } from '#web/features/ticket/ticket-files.tsx';
import type { Order } from '#web/platform/api/types.ts';
import { orderQuery } from '#web/platform/query/queries.ts';
import { isKnownSignedIn } from '#web/platform/session/session.ts';
import { DeleteTickets } from '../saved-tickets/delete-tickets.tsx';
import { OwnAssistance } from './own-assistance.tsx';
import type { OwnPurchase } from './wrong-address.tsx';

type OrderAsideProps = { order: Order; isFresh: boolean; own: OwnPurchase | null };

/** What stands beside or below the tickets of a booked order. Loaded after the codes are on screen. */
export function OrderAside({ order, isFresh, own }: OrderAsideProps) {
  return (
    <>
      <TicketFiles order={order} />
      <OrderActions order={order} queryKey={orderQuery(order.id).queryKey} />
      <SendTickets order={order} />
      <InstallInvitation />
      <OwnAssistance order={order} travelers={own?.assistance} />
      <OrderDetails order={order} />
      <SavedAgeLine asOf={[order.asOf]} isFresh={isFresh} now={Date.now()} />
      {!isKnownSignedIn() && <DeleteTickets />}
    </>
  );
}
