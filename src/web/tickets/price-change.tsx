import { t } from '#web/language/texts.ts';
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
  const price = formatMoney(quote.total, quote.currency);
  return (
    <Notice type="warning" role="alert" title={t('Please look at the price again')}>
      {was === quote.total
        ? t('The price has been renewed. It is still {price}.', { price })
        : t('It was {oldPrice} and is now {price}. Nothing is charged unless you accept it.', {
            oldPrice: formatMoney(was, quote.currency),
            price,
          })}
    </Notice>
  );
}
