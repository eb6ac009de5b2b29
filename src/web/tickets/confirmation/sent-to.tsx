import { StrongAddress } from '#web/features/site/email-address.tsx';
import { rich } from '#web/language/rich.ts';
import styles from './sent-to.module.css';

type SentToProps = {
  email: string;
  /** Right after the purchase. */
  isThanks?: boolean;
};

/** The address the tickets were sent to. */
export function SentTo({ email, isThanks = false }: SentToProps) {
  if (!email) return null;
  return (
    <p className={styles.address} aria-live="polite" data-no-print="">
      {rich(
        isThanks
          ? 'Thank you. Tickets sent to <address>{email}</address>.'
          : 'Tickets sent to <address>{email}</address>.',
        { email, address: () => <StrongAddress>{email}</StrongAddress> },
      )}
    </p>
  );
}
