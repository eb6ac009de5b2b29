import type { ComponentProps } from 'react';
import { formatList } from '#messages/intl.ts';
import { formatClock } from '#web/features/site/local-time.ts';
import { textLanguage } from '#web/language/page-language.ts';
import { t } from '#web/language/texts.ts';
import type { BoatChangeOutcome } from '#web/platform/api/types.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { FirstRows } from '../first-rows.tsx';
import { askToCall, describeNotices } from '../notice-texts.ts';
import { OrderLink } from '../orders/order-link.tsx';
import { ReviewDialog } from '../review-dialog.tsx';
import { OrderTable, PhoneLink } from './order-table.tsx';

type OutcomeDialogProps = Omit<ComponentProps<typeof ReviewDialog>, 'children' | 'size'> & {
  outcome: BoatChangeOutcome;
};

/** Whom a change affects, before it is made. */
export function OutcomeDialog({ outcome, ...dialog }: OutcomeDialogProps) {
  return (
    <ReviewDialog {...dialog} size="3xl">
      <Summary outcome={outcome} />
      {outcome.orders.length > 0 && (
        <OrderTable orders={outcome.orders} currency={outcome.currency} isPreview />
      )}
    </ReviewDialog>
  );
}

/** Orders to call that are shown before the rest is asked for. */
const CALLS_AT_FIRST = 10;

function Summary({ outcome }: { outcome: BoatChangeOutcome }) {
  const { sailings, unreachable, orders, refunds, currency, underWay, doubleBookings } = outcome;
  const waiting = orders.filter(({ outcome: each }) => each === 'waiting');
  const stranded = waiting.filter(({ offered }) => offered === null);
  return (
    <>
      <ul>
        <li>
          {t(
            '{count, plural, =0 {No sailing changes.} one {# sailing changes.} other {# sailings change.}}',
            {
              count: sailings,
            },
          )}
        </li>
        {describeNotices(outcome).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
        {waiting.length > 0 && (
          <li>
            {t(
              '{count, plural, one {# order chooses} other {# orders choose}} another boat or the refund. If all choose the refund, you pay back {amount}.',
              { count: waiting.length, amount: formatMoney(refunds.all, currency) },
            )}
          </li>
        )}
      </ul>
      {unreachable.length > 0 && (
        <Notice type="warning" title={askToCall(unreachable.length)}>
          <FirstRows rows={unreachable} most={CALLS_AT_FIRST}>
            {(shown) => (
              <ul>
                {shown.map(({ reference, contactName, phone }) => (
                  <li key={reference} tabIndex={-1}>
                    <OrderLink reference={reference} /> {contactName} <PhoneLink phone={phone} />
                  </li>
                ))}
              </ul>
            )}
          </FirstRows>
        </Notice>
      )}
      {stranded.length > 0 && (
        <Notice type="warning">
          {t(
            '{count, plural, one {No other boat has room for # order} other {No other boat has room for # orders}}. That is {amount}.',
            { count: stranded.length, amount: formatMoney(refunds.withoutOffer, currency) },
          )}
        </Notice>
      )}
      {underWay.length > 0 && (
        <Notice type="warning">
          {t('Already under way, and not changed: {boats}.', {
            boats: formatList(
              textLanguage(),
              underWay.map(({ departsLocal }) => formatClock(departsLocal)),
            ),
          })}
        </Notice>
      )}
      {doubleBookings.map(({ vessel, departures }) => (
        <Notice key={vessel} type="warning">
          {t('{vessel} is then sold twice at the same time: {departures}.', {
            vessel,
            departures: formatList(textLanguage(), departures),
          })}
        </Notice>
      ))}
    </>
  );
}
