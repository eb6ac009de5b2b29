import { Suspense, useRef, useState } from 'react';
import { ChangeAssistance } from '#web/features/order/assistance/change-assistance.tsx';
import { ChangeNames } from '#web/features/order/traveler-names/change-names.tsx';
import { needsPassengerList, TravelerDetails } from '#web/features/passenger-list/lazy-details.tsx';
import { t } from '#web/language/texts.ts';
import type { Contact, Order } from '#web/platform/api/types.ts';
import { orderQuery } from '#web/platform/query/queries.ts';
import { closeDisclosure, Disclosure } from '#web/ui/layout/disclosure.tsx';
import { AskForCode } from './ask-for-code.tsx';
import { type OwnPurchase, WrongAddress } from './wrong-address.tsx';

type OwnChangesProps = {
  order: Order;
  /** Null except for the buyer. */
  own: OwnPurchase | null;
  onChanged: (own: OwnPurchase) => void;
};

/** Corrects the address, the names on the tickets and the assistance. */
export function OwnChanges({ order, own, onChanged }: OwnChangesProps) {
  const details = useRef<HTMLDetailsElement>(null);
  const [isOpened, setIsOpened] = useState(false);
  const { queryKey } = orderQuery(order.id);

  function handleCorrected(contact: Contact) {
    if (own !== null) onChanged({ ...own, contact });
    closeDisclosure(details.current);
  }

  return (
    <>
      <Disclosure
        ref={details}
        icon="info"
        summary={t('Wrong address?')}
        data-no-print=""
        onToggle={() => setIsOpened(true)}
      >
        {isOpened && <WrongAddress order={order} own={own} onCorrected={handleCorrected} />}
      </Disclosure>
      {own !== null && (
        <>
          {needsPassengerList(order) ? (
            <Suspense>
              <TravelerDetails order={order} buyerSecret={own.buyerSecret} />
            </Suspense>
          ) : (
            <ChangeNames order={order} queryKey={queryKey} buyerSecret={own.buyerSecret} />
          )}
          <ChangeAssistance
            order={order}
            queryKey={queryKey}
            own={own}
            onSaved={(assistance) => onChanged({ ...own, assistance })}
          />
        </>
      )}
      {own === null && order.needsProof === 'code' && <AskForCode order={order} onProved={onChanged} />}
    </>
  );
}
