import { isIncludedDriver } from '#domain/fares/included-driver.ts';
import { describeTicket } from '#domain/orders/describe-ticket.ts';
import { describeCard } from '#domain/payments/labels.ts';
import { formatTrips } from '#domain/trip-cards/card-amounts.ts';
import { EmailAddress } from '#web/features/site/email-address.tsx';
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
        total={{ label: 'Refund', amount: refund }}
        currency={currency}
      />
      <Stack as="ul" gap="xs">
        {listDestinations(quote, card).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
        {!quote.isWholeOrder && <li>Your other tickets stay valid.</li>}
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
          ? 'The ticket is no longer valid.'
          : `${quote.tickets.length} tickets are no longer valid.`}
      </Notice>
      {listDestinations(quote, card).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      <p>
        The details are on their way to <EmailAddress>{email}</EmailAddress>.
        {!quote.isWholeOrder && ' Your other tickets stay valid.'}
      </p>
    </Stack>
  );
}

type QuotedTicket = CancellationQuote['tickets'][number];

function presentTicket(ticket: QuotedTicket, { currency }: CancellationQuote, order: Order): PriceLine {
  const { ticketId, leg, title, paid, refund } = ticket;
  const own = order.tickets.filter((each) => each.leg === leg);
  const shown = own.find(({ id }) => id === ticketId);
  const [label, detail] = shown ? describeTicket(shown, own) : [title, null];
  const details = [
    detail,
    nameLeg(ticket, order.legs),
    refund < paid && `${formatMoney(refund, currency)} refunded`,
  ];
  return {
    id: ticketId,
    label: <bdi>{label}</bdi>,
    detail: details.filter(Boolean).join(' · ') || undefined,
    amount: isIncludedDriver({ kind: 'passenger', description: title, amount: paid }) ? 'Included' : paid,
  };
}

/** The amounts that are not refunded: by the fare's percentage, and as a fee. */
function listUnrefunded({ paid, fee, refund }: CancellationQuote): PriceLine[] {
  const unrefunded = paid - fee - refund;
  return [
    ...(unrefunded > 0
      ? [{ id: 'unrefunded', label: 'Not refunded under your fare’s rules', amount: -unrefunded }]
      : []),
    ...(fee > 0 ? [{ id: 'fee', label: 'Cancellation fee', amount: -fee }] : []),
  ];
}

/** "$5.20 goes back to Visa ending in 4242. Most banks show it within 5 to 10 days." */
function listDestinations(
  { destinations, currency, paid, refund }: CancellationQuote,
  card: RefundCard | null,
): string[] {
  if (paid === 0) return ['These tickets were free, so there is nothing to refund.'];
  if (card !== null) return [`${formatMoney(refund, currency)} is put on ${nameRefundCard(card)} at once.`];
  return destinations.map(({ destination, amount, ...card }) => {
    const { trips } = card;
    const sum = trips === undefined ? formatMoney(amount, currency) : formatTrips(trips);
    const isIdentified = card.network !== null || card.lastFour !== null;
    const name = isIdentified
      ? `your ${describeCard({ method: destination, ...card })}`
      : `the ${describeCard({ method: destination, ...card })} you paid with`;
    return destination === 'trip_card'
      ? `${sum} ${trips === undefined || trips === 1 ? 'is' : 'are'} put back on ${name} at once.`
      : `${sum} goes back to ${name}. Most banks show it within 5 to 10 days.`;
  });
}
