import { isTakenByStaff } from '#domain/refunds/refund-method.ts';
import { describeCard } from '#sentences/payment-cards.ts';
import { describeTicket } from '#sentences/tickets.ts';
import { EmailAddress } from '#web/features/site/email-address.tsx';
import { rich } from '#web/language/rich.ts';
import { t } from '#web/language/texts.ts';
import type { CancellationQuote, Order } from '#web/platform/api/types.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { PriceBreakdown, type PriceLine } from '#web/ui/data/price-breakdown.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { nameLeg } from '../order-status.ts';
import { nameRefundCard, type RefundCard } from './refund-destination.tsx';

type RefundSummaryProps = { quote: CancellationQuote; order: Order; card: RefundCard | null };

/** What was paid for each ticket, what the fare keeps, the refund and its destinations. */
export function RefundSummary({ quote, order, card }: RefundSummaryProps) {
  const { currency, refund, notes } = quote;
  return (
    <Stack>
      <PriceBreakdown
        lines={[
          ...quote.tickets.map((ticket) => presentTicket(ticket, quote, order)),
          ...listUnrefunded(quote),
        ]}
        total={{ label: t('Refund'), amount: refund }}
        currency={currency}
      />
      <Stack as="ul" gap="xs">
        {listDestinations(quote, card).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
        {!quote.isWholeOrder && <li>{t('Your other tickets stay valid.')}</li>}
      </Stack>
      {notes.length > 0 && (
        <Notice>
          {notes.map((note) => (
            <p key={note}>{note}</p>
          ))}
        </Notice>
      )}
    </Stack>
  );
}

type ResultProps = Pick<RefundSummaryProps, 'quote' | 'card'> & { email: string };

/** What was canceled, and where the refund goes. */
export function CancellationResult({ quote, card, email }: ResultProps) {
  return (
    <Stack>
      <Notice type="success" role="status">
        {quote.tickets.length === 1
          ? t('The ticket is no longer valid.')
          : t('{count, plural, one {# ticket is} other {# tickets are}} no longer valid.', {
              count: quote.tickets.length,
            })}
      </Notice>
      {listDestinations(quote, card).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      <p>
        {rich('The details are on their way to <address>{email}</address>.', {
          address: () => <EmailAddress>{email}</EmailAddress>,
          email,
        })}
        {!quote.isWholeOrder && ` ${t('Your other tickets stay valid.')}`}
      </p>
    </Stack>
  );
}

type QuotedTicket = CancellationQuote['tickets'][number];

function presentTicket(ticket: QuotedTicket, { currency }: CancellationQuote, order: Order): PriceLine {
  const { ticketId, leg, title, paid, refund } = ticket;
  const own = order.tickets.filter((each) => each.leg === leg);
  const shown = own.find(({ id }) => id === ticketId);
  const [label, detail] = shown ? describeTicket(t, shown, own) : [title, null];
  const details = [
    detail,
    nameLeg(ticket, order.legs),
    refund < paid && t('{amount} refunded', { amount: formatMoney(refund, currency) }),
  ];
  return {
    id: ticketId,
    label: <bdi>{label}</bdi>,
    detail: details.filter(Boolean).join(' · ') || undefined,
    amount: ticket.isDriver ? t('Included') : paid,
  };
}

/** The amounts that are not refunded: by the fare's percentage, and as a fee. */
function listUnrefunded({ paid, fee, refund }: CancellationQuote): PriceLine[] {
  const unrefunded = paid - fee - refund;
  return [
    ...(unrefunded > 0
      ? [{ id: 'unrefunded', label: t('Not refunded under your fare’s rules'), amount: -unrefunded }]
      : []),
    ...(fee > 0 ? [{ id: 'fee', label: t('Cancellation fee'), amount: -fee }] : []),
  ];
}

/** "$5.20 goes back to Visa ending in 4242. Most banks show it within 5 to 10 days." */
function listDestinations(
  { destinations, currency, paid, refund }: CancellationQuote,
  card: RefundCard | null,
): string[] {
  if (paid === 0) return [t('These tickets were free, so there is nothing to refund.')];
  if (card !== null) {
    return [
      t('{amount} is put on {card} at once.', {
        amount: formatMoney(refund, currency),
        card: nameRefundCard(card),
      }),
    ];
  }
  return destinations.map((destination) => describeDestination(destination, currency));
}

/** Without a network and digits, the card is only the one that was paid with. */
export function describeDestination(
  { destination, amount, ...paidWith }: CancellationQuote['destinations'][number],
  currency: string,
): string {
  const { trips, network, lastFour } = paidWith;
  const isIdentified = network !== null || lastFour !== null;
  const card = describeCard(t, { method: destination, ...paidWith });
  if (trips !== undefined) {
    const count = { trips, pass: card };
    return isIdentified
      ? t('{trips, plural, one {# trip is} other {# trips are}} put back on your {pass} at once.', count)
      : t(
          '{trips, plural, one {# trip is} other {# trips are}} put back on the {pass} you paid with at once.',
          count,
        );
  }
  const sum = { amount: formatMoney(amount, currency), card };
  if (isTakenByStaff(destination)) return t('You get {amount} back at the ticket booth.', sum);
  if (destination === 'invoice') {
    return t(
      '{amount} is taken off your invoice. Anything you paid above that is transferred back to you.',
      sum,
    );
  }
  if (destination === 'trip_card') {
    return isIdentified
      ? t('{amount} is put back on your {card} at once.', sum)
      : t('{amount} is put back on the {card} you paid with at once.', sum);
  }
  return isIdentified
    ? t('{amount} goes back to your {card}. Most banks show it within 5 to 10 days.', sum)
    : t('{amount} goes back to the {card} you paid with. Most banks show it within 5 to 10 days.', sum);
}
