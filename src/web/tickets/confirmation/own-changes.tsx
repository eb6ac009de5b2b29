import { ChangeAssistance } from '#web/features/order/assistance/change-assistance.tsx';
import { ChangeNames } from '#web/features/order/traveler-names/change-names.tsx';
import type { Order } from '#web/platform/api/types.ts';
import { orderQuery } from '#web/platform/query/queries.ts';
import type { OwnPurchase } from './wrong-address.tsx';

type OwnChangesProps = {
  order: Order;
  own: OwnPurchase;
  onChanged: (changed: Partial<OwnPurchase>) => void;
};

/** What the tab that bought an order may change of it. */
export function OwnChanges({ order, own, onChanged }: OwnChangesProps) {
  const { queryKey } = orderQuery(order.id);
  return (
    <>
      <ChangeNames order={order} queryKey={queryKey} />
      <ChangeAssistance
        order={order}
        queryKey={queryKey}
        own={own}
        onSaved={(assistance) => onChanged({ assistance })}
      />
    </>
  );
}
