import { t } from '#web/language/texts.ts';
import type { TripCard } from '#web/platform/api/types.ts';
import { useShowsAtGate } from '#web/platform/connection/readable-offline.ts';
import { classes } from '#web/ui/classes.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { formatAsOf, formatSavedInLine, isOldBalance } from '../saved-offline/freshness.ts';
import { formatOnCard } from './card-amount.ts';
import styles from './card-balance.module.css';

type CardBalanceProps = {
  card: TripCard;
  /** In milliseconds. */
  now: number;
  /** One of a list that shows the time once: it is not repeated, unless the balance may have changed. */
  isListed?: boolean;
};

/** The balance with its time, and what the card still owes. */
export function CardBalance({ card, now, isListed = false }: CardBalanceProps) {
  const { balance, held, owed, asOf } = card;
  useShowsAtGate(formatSavedInLine([asOf], now));
  return (
    <>
      <div>
        <p className={classes(styles.balance, isOldBalance(asOf, now) && styles.old)}>
          <span className="visually-hidden">{t('Balance:')} </span>
          <strong className={styles.amount}>{formatOnCard(balance, card)}</strong>{' '}
          <time
            className={isListed && !isOldBalance(asOf, now) ? 'visually-hidden' : styles.time}
            dateTime={asOf}
            data-age="balance"
          >
            {formatAsOf(asOf, now)}
          </time>
        </p>
        {held > 0 && (
          <p className={styles.time}>
            {t('{amount} of it is set aside for a payment under way. {rest} can be spent.', {
              amount: formatOnCard(held, card),
              rest: formatOnCard(balance - held, card),
            })}
          </p>
        )}
      </div>
      {/* Undefined in a card that an earlier release saved on this device. */}
      {owed > 0 && (
        <Notice type="warning" title={t('{amount} still to pay', { amount: formatOnCard(owed, card) })}>
          {card.unit === 'trips'
            ? t('Buying the pass again pays this first.')
            : t('A fare or a disputed top-up is still unpaid. Your next top-up pays this first.')}
        </Notice>
      )}
    </>
  );
}
