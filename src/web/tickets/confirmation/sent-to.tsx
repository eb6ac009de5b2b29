import { Suspense, useRef, useState } from 'react';
import { EmailAddress } from '#web/features/site/email-address.tsx';
import type { Contact } from '#web/platform/api/types.ts';
import { orderQuery } from '#web/platform/query/queries.ts';
import { lazyComponent } from '#web/platform/updates/missing-chunk.ts';
import { closeDisclosure, Disclosure } from '#web/ui/layout/disclosure.tsx';
import styles from './sent-to.module.css';
import type { SentToProps } from './wrong-address.tsx';

/** In the tab that bought the order only. */
const ChangeNames = lazyComponent(
  async () => (await import('#web/features/order/traveler-names/change-names.tsx')).ChangeNames,
);
const WrongAddress = lazyComponent(async () => (await import('./wrong-address.tsx')).WrongAddress);

/** The address the tickets were sent to, and how to correct it and the names on the tickets. */
export function SentTo({ order, own, onCorrected }: SentToProps) {
  const details = useRef<HTMLDetailsElement>(null);
  const [isOpened, setIsOpened] = useState(false);

  function handleCorrected(corrected: Contact) {
    onCorrected(corrected);
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
          <ChangeNames order={order} queryKey={orderQuery(order.id).queryKey} />
        </Suspense>
      )}
    </div>
  );
}
