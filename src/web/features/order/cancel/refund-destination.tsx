import { portalPages } from '#contract/paths.ts';
import type { CancellationQuote } from '#web/platform/api/types.ts';
import { pageConfig } from '#web/platform/page-config.ts';
import { RadioCards } from '#web/ui/form/radio-cards.tsx';

/** A trip card of the order's owner that can get the refund. */
export type RefundCard = CancellationQuote['tripCards'][number];

type RefundDestinationProps = {
  quote: CancellationQuote;
  /** Of the order. */
  reference: string;
  card: RefundCard | null;
  onChange: (card: RefundCard | null) => void;
};

const ORIGINAL = 'original';

/** The choice of a trip card for the refund, where the fare allows it: in the portal, which can do the step-up. */
export function RefundDestination({ quote, reference, card, onChange }: RefundDestinationProps) {
  const { tripCards, refund } = quote;
  const { host, origins } = pageConfig();
  if (tripCards.length === 0 || refund === 0) return null;
  if (host !== 'portal') {
    return (
      <p>
        To have the refund on a trip card at once, cancel in{' '}
        <a href={`${origins.portal}${portalPages.orders}?order=${reference}`}>My Orders</a>.
      </p>
    );
  }
  return (
    <RadioCards
      legend="Where should your refund go?"
      value={card?.id ?? ORIGINAL}
      onChange={(id) => onChange(tripCards.find((each) => each.id === id) ?? null)}
      options={[
        { value: ORIGINAL, label: 'Back to the card you paid with', description: 'In 5 to 10 days' },
        ...tripCards.map((each) => ({
          value: each.id,
          label: nameRefundCard(each),
          description: 'At once. We ask you to confirm that it is you.',
        })),
      ]}
    />
  );
}

export function nameRefundCard({ name, lastFour }: RefundCard): string {
  return `${name || 'Trip card'} ending in ${lastFour}`;
}
