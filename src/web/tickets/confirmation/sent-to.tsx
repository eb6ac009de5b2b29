import { Suspense, useRef, useState } from 'react';
import { EmailAddress } from '#web/parts/email-address.tsx';
import type { Contact, Order } from '#web/platform/api/types.ts';
import { lazyPart } from '#web/platform/updates/missing-part.ts';
import styles from './sent-to.module.css';

const WrongAddress = lazyPart(async () => (await import('./wrong-address.tsx')).WrongAddress);

export type SentToProps = {
  order: Order;
  /** What this tab's buyer typed; null in any other tab, where the order's address may be masked. */
  contact: Contact | null;
  onCorrected: (contact: Contact) => void;
};

/** The address the tickets were sent to, and how to correct it. */
export function SentTo({ order, contact, onCorrected }: SentToProps) {
  const details = useRef<HTMLDetailsElement>(null);
  const summary = useRef<HTMLElement>(null);
  const [isAsked, setIsAsked] = useState(false);

  function handleCorrected(corrected: Contact) {
    onCorrected(corrected);
    if (details.current) details.current.open = false;
    summary.current?.focus();
  }

  return (
    <div data-no-print="">
      <p className={styles.address} aria-live="polite">
        {contact !== null && 'Thank you. '}Tickets sent to{' '}
        <strong>
          <EmailAddress>{contact?.email ?? order.contact.email}</EmailAddress>
        </strong>
        .
      </p>
      <details ref={details} onToggle={() => setIsAsked(true)}>
        <summary ref={summary} className={styles.summary}>
          Wrong address?
        </summary>
        {isAsked && (
          <Suspense fallback={null}>
            <WrongAddress order={order} contact={contact} onCorrected={handleCorrected} />
          </Suspense>
        )}
      </details>
    </div>
  );
}
