import { Suspense, useRef, useState } from 'react';
import { EmailAddress } from '#web/features/site/email-address.tsx';
import type { Contact, Order } from '#web/platform/api/types.ts';
import { orderQuery } from '#web/platform/query/queries.ts';
import { lazyComponent } from '#web/platform/updates/missing-chunk.ts';
import { closeDisclosure, Disclosure } from '#web/ui/layout/disclosure.tsx';
import styles from './sent-to.module.css';
import type { OwnPurchase } from './wrong-address.tsx';

/** In the tab that bought the order only. */
const ChangeNames = lazyComponent(
  async () => (await import('#web/features/order/traveler-names/change-names.tsx')).ChangeNames,
);
const ChangeAssistance = lazyComponent(
  async () => (await import('#web/features/order/assistance/change-assistance.tsx')).ChangeAssistance,
);
const WrongAddress = lazyComponent(async () => (await import('./wrong-address.tsx')).WrongAddress);

type SentToProps = {
  order: Order;
  own: OwnPurchase | null;
  onChanged: (changed: Partial<OwnPurchase>) => void;
};

/** The address the tickets were sent to, and how to correct it, the names on the tickets and the assistance. */
export function SentTo({ order, own, onChanged }: SentToProps) {
  const details = useRef<HTMLDetailsElement>(null);
  const [isOpened, setIsOpened] = useState(false);
  const { queryKey } = orderQuery(order.id);

  function handleCorrected(contact: Contact) {
    onChanged({ contact });
    closeDisclosure(details.current);
  }

  return (
    <div data-no-print="">
      <p className={styles.address} aria-live="polite">
        {own !== null && 'Thank you. '}Tickets sent to{' '}
        <strong>
          <EmailAddress>{own?.contact.email ?? order.contact.email}</EmailAddress>
        </strong>
        .
      </p>
      <Disclosure ref={details} summary="Wrong address?" onToggle={() => setIsOpened(true)}>
        {isOpened && (
          <Suspense fallback={null}>
            <WrongAddress order={order} own={own} onCorrected={handleCorrected} />
          </Suspense>
        )}
      </Disclosure>
      {own !== null && (
        <Suspense>
          <ChangeNames order={order} queryKey={queryKey} />
          <ChangeAssistance
            order={order}
            queryKey={queryKey}
            own={own}
            onSaved={(assistance) => onChanged({ assistance })}
          />
        </Suspense>
      )}
    </div>
  );
}
