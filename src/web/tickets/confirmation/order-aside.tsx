import { useQuery } from '@tanstack/react-query';
import type { TravelerAssistance } from '#domain/orders/assistance.ts';
import { describeAssistance } from '#sentences/assistance.ts';
import { InstallInvitation } from '#web/features/install/install-invitation.tsx';
import { OrderActions } from '#web/features/order/actions/order-actions.tsx';
import { AssistanceCard } from '#web/features/order/assistance/assistance-card.tsx';
import { OrderMessages } from '#web/features/order/messages/order-messages.tsx';
import { OrderCrossings, OrderTerms } from '#web/features/order/order-details.tsx';
import { OrderPush } from '#web/features/order/push/order-push.tsx';
import { OrderReceipts } from '#web/features/order/receipts/order-receipts.tsx';
import { SendTickets } from '#web/features/order/send-tickets/send-tickets.tsx';
import { SavedAgeLine } from '#web/features/saved-offline/saved-age.tsx';
import { TicketFiles } from '#web/features/ticket/ticket-files.tsx';
import { textLanguage } from '#web/language/page-language.ts';
import { t } from '#web/language/texts.ts';
import type { Order } from '#web/platform/api/types.ts';
import { catalogueQuery, orderQuery } from '#web/platform/query/queries.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import { isKnownSignedIn } from '#web/platform/session/session.ts';
import { ActionList } from '#web/ui/layout/action-list.tsx';
import { FoldGroup } from '#web/ui/layout/fold.tsx';
import { DeleteTickets } from '../saved-tickets/delete-tickets.tsx';
import { OwnChanges } from './own-changes.tsx';
import { SentTo } from './sent-to.tsx';
import type { OwnPurchase } from './wrong-address.tsx';

type OrderAsideProps = {
  order: Order;
  own: OwnPurchase | null;
  onChanged: (own: OwnPurchase) => void;
  isFirstVisit: boolean;
};

/** Shown beside or below the tickets of a booked order. Loaded after the codes are on screen. */
export function OrderAside({ order, own, onChanged, isFirstVisit }: OrderAsideProps) {
  const isAsPlanned = order.status !== 'canceled' && order.status !== 'expired';
  return (
    <>
      <ActionList label={t('What you can do')}>
        {isAsPlanned && !isFirstVisit && <SentTo email={own?.contact.email ?? order.contact.email} />}
        <TicketFiles order={order} />
        <SendTickets order={order} />
        {isAsPlanned && <OwnChanges order={order} own={own} onChanged={onChanged} />}
        <OrderActions order={order} queryKey={orderQuery(order.id).queryKey} />
        <OrderPush order={order} />
        {!isKnownSignedIn() && <DeleteTickets />}
      </ActionList>
      <OwnAssistance order={order} travelers={own?.assistance} />
      <OrderCrossings order={order} />
    </>
  );
}

type OrderBelowProps = Pick<OrderAsideProps, 'order' | 'own'> & { isFresh: boolean };

/** Shown below the tickets on wide screens, last on others. */
export function OrderBelow({ order, own, isFresh }: OrderBelowProps) {
  return (
    <>
      <FoldGroup>
        <OrderTerms order={order} />
        <OrderReceipts order={order} buyerSecret={own?.buyerSecret} />
        <OrderMessages order={order} />
      </FoldGroup>
      {!isFresh && <SavedAgeLine asOf={[order.asOf]} isFresh={isFresh} now={serverNow()} />}
      <InstallInvitation />
    </>
  );
}

type OwnAssistanceProps = { order: Order; travelers: readonly TravelerAssistance[] | undefined };

/** The assistance requested in this tab. The API shows it only to signed-in owners. */
function OwnAssistance({ order, travelers = [] }: OwnAssistanceProps) {
  const catalogue = useQuery(catalogueQuery());
  if (travelers.length === 0 || order.assistance || !catalogue.data) return null;
  const knownAt = Date.parse(order.confirmedAt ?? order.insertedAt);
  const assistance = describeAssistance(t, textLanguage(), {
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
  return assistance && <AssistanceCard assistance={assistance} startsOpen />;
}
