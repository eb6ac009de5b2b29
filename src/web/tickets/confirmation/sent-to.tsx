import { Suspense, useRef, useState } from 'react';
import { StrongAddress } from '#web/features/site/email-address.tsx';
import type { Contact, Order } from '#web/platform/api/types.ts';
import { lazyComponent } from '#web/platform/updates/missing-chunk.ts';
import { closeDisclosure, Disclosure } from '#web/ui/layout/disclosure.tsx';
import styles from './sent-to.module.css';
import type { OwnPurchase } from './wrong-address.tsx';

const OwnChanges = lazyComponent(async () => (await import('./own-changes.tsx')).OwnChanges);
const AskForCode = lazyComponent(async () => (await import('./ask-for-code.tsx')).AskForCode);
const WrongAddress = lazyComponent(async () => (await import('./wrong-address.tsx')).WrongAddress);

type SentToProps = {
  order: Order;
  own: OwnPurchase | null;
  isFirstVisit: boolean;
  onChanged: (own: OwnPurchase) => void;
};

/** The address the tickets were sent to, and how to correct it, the names on the tickets and the assistance. */
export function SentTo({ order, own, isFirstVisit, onChanged }: SentToProps) {
  const details = useRef<HTMLDetailsElement>(null);
  const [isOpened, setIsOpened] = useState(false);

  function handleCorrected(contact: Contact) {
    if (own !== null) onChanged({ ...own, contact });
    closeDisclosure(details.current);
  }

  return (
    <div data-no-print="">
      <p className={styles.address} aria-live="polite">
        {isFirstVisit && 'Thank you. '}Tickets sent to{' '}
        <StrongAddress>{own?.contact.email ?? order.contact.email}</StrongAddress>.
      </p>
      <Disclosure ref={details} summary="Wrong address?" onToggle={() => setIsOpened(true)}>
        {isOpened && (
          <Suspense fallback={null}>
            <WrongAddress order={order} own={own} onCorrected={handleCorrected} />
          </Suspense>
        )}
      </Disclosure>
      <Suspense>
        {own !== null && <OwnChanges order={order} own={own} onChanged={onChanged} />}
        {own === null && order.needsProof === 'code' && <AskForCode order={order} onProved={onChanged} />}
      </Suspense>
    </div>
  );
}
