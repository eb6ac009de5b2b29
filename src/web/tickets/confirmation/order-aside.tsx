import { useQuery } from '@tanstack/react-query';
import { describeAssistance, type TravelerAssistance } from '#domain/orders/assistance.ts';
import { InstallInvitation } from '#web/features/install/install-invitation.tsx';
import { OrderActions } from '#web/features/order/actions/order-actions.tsx';
import { AssistanceCard } from '#web/features/order/assistance/assistance-card.tsx';
import { OrderDetails } from '#web/features/order/order-details.tsx';
import { SendTickets } from '#web/features/order/send-tickets/send-tickets.tsx';
import { SavedAgeLine } from '#web/features/saved-offline/saved-age.tsx';
import { TicketFiles } from '#web/features/ticket/ticket-files.tsx';
import type { Order } from '#web/platform/api/types.ts';
import { catalogueQuery, orderQuery } from '#web/platform/query/queries.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import { isKnownSignedIn } from '#web/platform/session/session.ts';
import { DeleteTickets } from '../saved-tickets/delete-tickets.tsx';
import type { OwnPurchase } from './wrong-address.tsx';

type OrderAsideProps = { order: Order; isFresh: boolean; own: OwnPurchase | null };

/** Shown beside or below the tickets of a booked order. Loaded after the codes are on screen. */
export function OrderAside({ order, isFresh, own }: OrderAsideProps) {
  return (
    <>
      <TicketFiles order={order} />
      <OrderActions order={order} queryKey={orderQuery(order.id).queryKey} />
      <SendTickets order={order} />
      <InstallInvitation />
      <OwnAssistance order={order} travelers={own?.assistance} />
      <OrderDetails order={order} />
      <SavedAgeLine asOf={[order.asOf]} isFresh={isFresh} now={serverNow()} />
      {!isKnownSignedIn() && <DeleteTickets />}
    </>
  );
}

type OwnAssistanceProps = { order: Order; travelers: readonly TravelerAssistance[] | undefined };

/** The assistance requested in this tab. The API shows it only to signed-in owners. */
function OwnAssistance({ order, travelers = [] }: OwnAssistanceProps) {
  const catalogue = useQuery(catalogueQuery());
  if (travelers.length === 0 || order.assistance || !catalogue.data) return null;
  const knownAt = Date.parse(order.confirmedAt ?? order.insertedAt);
  const assistance = describeAssistance({
    assistance: {
      askedAt: knownAt,
      noticeHours: catalogue.data.assistanceNoticeHours ?? 0,
      travelers: [...travelers],
    },
    travelerNames: order.travelerNames ?? [],
    legs: order.legs.map(({ leg, departsAt, origin }) => ({
      ...{ leg, port: origin.name },
      departsAt: Date.parse(departsAt),
    })),
    tickets: order.tickets.map((ticket) => ({ ...ticket, issuedAt: knownAt })),
  });
  return assistance && <AssistanceCard assistance={assistance} />;
}
