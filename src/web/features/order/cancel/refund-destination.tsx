import { portalPages } from '#contract/paths.ts';
import { rich } from '#web/language/rich.ts';
import { t } from '#web/language/texts.ts';
import type { CancellationQuote } from '#web/platform/api/types.ts';
import { pageConfig } from '#web/platform/page-config.ts';
import { isSignInRequired } from '#web/platform/session/session.ts';
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
  if (tripCards.length === 0 || refund === 0) return null;
  if (!isSignInRequired()) {
    return (
      <p>
        {rich('To have the refund on a trip card at once, cancel in <link>My Orders</link>.', {
          link: (text) => (
            <a href={`${pageConfig().origins.portal}${portalPages.orders}?order=${reference}`}>{text}</a>
          ),
        })}
      </p>
    );
  }
  return (
    <RadioCards
      legend={t('Where should your refund go?')}
      value={card?.id ?? ORIGINAL}
      onChange={(id) => onChange(tripCards.find((each) => each.id === id) ?? null)}
      options={[
        { value: ORIGINAL, label: t('Back to the card you paid with'), description: t('In 5 to 10 days') },
        ...tripCards.map((each) => ({
          value: each.id,
          label: nameRefundCard(each),
          description: t('At once. We ask you to confirm that it is you.'),
        })),
      ]}
    />
  );
}

export function nameRefundCard({ name, lastFour }: RefundCard): string {
  return name === ''
    ? t('Trip card ending in {digits}', { digits: lastFour })
    : t('{card} ending in {digits}', { card: name, digits: lastFour });
}
