import type { Quote } from '#web/platform/api/types.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';

export type PriceChangeProps = {
  /** The total that was shown before, in minor units. */
  was: number;
  quote: Quote;
};

/** The new price beside the one that was shown. */
export function PriceChange({ was, quote }: PriceChangeProps) {
  const now = formatMoney(quote.total, quote.currency);
  return (
    <Notice type="warning" role="alert" title="Please look at the price again">
      {was === quote.total
        ? `The price has been renewed. It is still ${now}.`
        : `It was ${formatMoney(was, quote.currency)} and is now ${now}. Nothing is charged unless you accept it.`}
    </Notice>
  );
}
