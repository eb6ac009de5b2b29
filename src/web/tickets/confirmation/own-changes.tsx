import { ChangeAssistance } from '#web/features/order/assistance/change-assistance.tsx';
import { ChangeNames } from '#web/features/order/traveler-names/change-names.tsx';
import type { Order } from '#web/platform/api/types.ts';
import { orderQuery } from '#web/platform/query/queries.ts';
import type { OwnPurchase } from './wrong-address.tsx';

type OwnChangesProps = {
  order: Order;
  own: OwnPurchase;
  onChanged: (own: OwnPurchase) => void;
};

/** What the buyer may change of an order. */
export function OwnChanges({ order, own, onChanged }: OwnChangesProps) {
  const { queryKey } = orderQuery(order.id);
  return (
    <>
      <ChangeNames order={order} queryKey={queryKey} buyerSecret={own.buyerSecret} />
      <ChangeAssistance
        order={order}
        queryKey={queryKey}
        own={own}
        onSaved={(assistance) => onChanged({ ...own, assistance })}
      />
    </>
  );
}
