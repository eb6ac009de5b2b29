import { useQuery } from '@tanstack/react-query';
import { describeAssistance, type TravelerAssistance } from '#domain/orders/assistance.ts';
import { AssistanceCard } from '#web/features/order/assistance/assistance-card.tsx';
import type { Order } from '#web/platform/api/types.ts';
import { catalogueQuery } from '#web/platform/query/queries.ts';

type OwnAssistanceProps = { order: Order; travelers: readonly TravelerAssistance[] | undefined };

/** In the tab that bought the order: what was asked there, which the API tells only to signed-in owners. */
export function OwnAssistance({ order, travelers = [] }: OwnAssistanceProps) {
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
