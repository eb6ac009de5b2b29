import { type FormEvent, useState } from 'react';
import { CODE_LENGTH } from '#contract/limits.ts';
import { PriceLines } from '#web/features/order/price/price-lines.tsx';
import { QueryFallback } from '#web/features/site/load-problem.tsx';
import { SentenceList } from '#web/features/site/sentence-list.tsx';
import { rich } from '#web/language/rich.ts';
import { hidden } from '#web/language/tags.tsx';
import { t } from '#web/language/texts.ts';
import { errorText } from '#web/platform/api/api-error.ts';
import type { FareClass } from '#web/platform/api/types.ts';
import { formatMoney, Money } from '#web/ui/data/money.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { ReferenceField } from '#web/ui/form/field.tsx';
import { RadioCards } from '#web/ui/form/radio-cards.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { Popover } from '#web/ui/popup/popover.tsx';
import styles from './fare-choice.module.css';
import type { Offer } from './queries.ts';
import type { Fares } from './use-offers.ts';

type FareProps = Fares & { id: string; promoCode: string };

/** The fare classes with their prices, and the chosen one's price and rules in detail. */
export function FareChoice({ id, offers, chosen, promoCode, onChoose, onPromoCode, onRetry }: FareProps) {
  const current = offers.find(({ fareClass }) => fareClass.code === chosen);
  const offer = current?.offer ?? null;
  return (
    <Stack gap="lg">
      <RadioCards
        id={id}
        legend={t('Fare')}
        value={chosen}
        onChange={onChoose}
        options={offers.map(({ fareClass, offer, error }) => ({
          value: fareClass.code,
          label: fareClass.name,
          description: describeFare(fareClass, offer, error),
          price: offer ? <Money amount={offer.quote.total} currency={offer.quote.currency} /> : undefined,
          extra: offer ? <IncludedRules name={fareClass.name} offer={offer} /> : undefined,
        }))}
      />
      {offer === null ? (
        <QueryFallback
          query={{
            isError: current?.error != null,
            error: current?.error,
            isFetching: false,
            refetch: onRetry,
          }}
          problem={t('This fare is not available')}
          loading={t('Working out the price…')}
        >
          <Skeleton height="2.5rem" lines={4} />
        </QueryFallback>
      ) : (
        <Card title={t('{fare}: what you pay', { fare: offer.quote.fareClass.name })}>
          <Stack>
            <PriceLines {...offer.quote} />
            <PromoField code={promoCode} offer={offer} onApply={onPromoCode} />
            <div>
              <h3 className={styles.rules}>{t('Fare rules')}</h3>
              <SentenceList sentences={offer.quote.policyText} />
            </div>
          </Stack>
        </Card>
      )}
    </Stack>
  );
}

/** What holds for the chosen sailings now; the operator's general text until that is known. */
function describeFare(fareClass: FareClass, offer: Offer | null, error: unknown): string {
  const summary = offer?.quote.fareClass.summary || fareClass.summary;
  return error === null ? summary : `${summary} ${errorText(error)}`;
}

/** To compare with the rules of the chosen fare, which are on the page. */
function IncludedRules({ name, offer }: { name: string; offer: Offer }) {
  return (
    <Popover label={rich('What’s included<hidden> in {fare}</hidden>', { hidden, fare: name })}>
      <strong>{name}</strong>
      <SentenceList sentences={offer.quote.policyText} />
    </Popover>
  );
}

type PromoFieldProps = { code: string; offer: Offer; onApply: (code: string) => void };

function PromoField({ code, offer, onApply }: PromoFieldProps) {
  const [typed, setTyped] = useState(code);
  const { quote, promoProblem } = offer;

  function submit(event: FormEvent) {
    event.preventDefault();
    onApply(typed.trim());
  }

  return (
    <form className={styles.promo} onSubmit={submit} noValidate>
      <ReferenceField
        label={t('Promo code')}
        isOptional
        maxLength={CODE_LENGTH}
        value={typed}
        error={typed.trim() === code.trim() ? promoProblem : undefined}
        hint={
          quote.promoCode !== null ? (
            <output>
              {rich('<code>{promoCode}</code> takes {amount} off.', {
                promoCode: quote.promoCode,
                code: (promoCode) => <span translate="no">{promoCode}</span>,
                amount: formatMoney(quote.discount, quote.currency),
              })}
            </output>
          ) : undefined
        }
        onChange={(event) => setTyped(event.target.value)}
      />
      <Button type="submit" variant="secondary">
        {t('Apply')}
      </Button>
    </form>
  );
}
