import { isTakenByStaff } from '#domain/refunds/refund-method.ts';
import { describeCard } from '#sentences/payment-cards.ts';
import { t } from '#web/language/texts.ts';
import type { RefundPreview } from '#web/platform/api/types.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';

type RefundPartsProps = Pick<RefundPreview, 'destinations' | 'currency'>;

/** Where the parts of a refund go. */
export function RefundParts({ destinations, currency }: RefundPartsProps) {
  return (
    <Stack as="ul" gap="xs">
      {destinations
        .map((part) => describePart(part, currency))
        .map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
    </Stack>
  );
}

type Part = RefundPreview['destinations'][number];

function describePart({ destination: method, amount, ...card }: Part, currency: string): string {
  const to = { amount: formatMoney(amount, currency), card: describeCard(t, { method, ...card }) };
  if (card.trips !== undefined) {
    return t('{trips, plural, one {# trip} other {# trips}} back on {card}', {
      ...to,
      trips: card.trips,
    });
  }
  if (isTakenByStaff(method)) return t('{amount} to be paid out: it was paid with {card}', to);
  if (method === 'invoice') return t('{amount} off what is owed on the invoice', to);
  if (method === 'bank') return t('{amount} to be paid out: it was transferred for the invoice', to);
  return t('{amount} to {card}', to);
}
