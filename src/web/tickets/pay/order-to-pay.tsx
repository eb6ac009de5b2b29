import { LegList } from '#web/features/order/leg-list.tsx';
import { OrderName } from '#web/features/order/order-title.tsx';
import { PriceLines } from '#web/features/order/price/price-lines.tsx';
import { StrongAddress } from '#web/features/site/email-address.tsx';
import { SentenceList } from '#web/features/site/sentence-list.tsx';
import { rich } from '#web/language/rich.ts';
import { t } from '#web/language/texts.ts';
import type { Order } from '#web/platform/api/types.ts';
import { useSession } from '#web/platform/session/session.ts';
import { Money } from '#web/ui/data/money.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Disclosure } from '#web/ui/layout/disclosure.tsx';
import { Cluster, Stack } from '#web/ui/layout/stack.tsx';
import { useIsWide } from '#web/ui/layout/use-is-wide.ts';
import { useDraft } from '../purchase.ts';
import { canGoBack, useGoToStep } from '../steps.ts';

type OrderToPayProps = { order: Order; canAskForAssistance?: boolean };

/** The order and its rules, beside the pay button. */
export function OrderToPay({ order, canAskForAssistance = false }: OrderToPayProps) {
  const isWide = useIsWide();
  return (
    <Card title={<OrderName reference={order.reference} />}>
      <Stack>
        <LegList legs={order.legs} />
        <TicketsGoTo />
        {canAskForAssistance && <AskForAssistance />}
        {isWide ? (
          <PriceAndRules order={order} />
        ) : (
          <>
            <Cluster justify="between" align="baseline">
              <span>{t('Total')}</span>
              <Money amount={order.total} currency={order.currency} size="large" />
            </Cluster>
            <Disclosure summary={t('Price in detail, and the rules')}>
              <PriceAndRules order={order} />
            </Disclosure>
          </>
        )}
      </Stack>
    </Card>
  );
}

function PriceAndRules({ order }: { order: Order }) {
  return (
    <Stack>
      <PriceLines {...order} />
      <SentenceList sentences={order.policyText} />
    </Stack>
  );
}

/** Not for an order opened from its link, whose details were not entered in this tab. */
function TicketsGoTo() {
  const draft = useDraft();
  const goToStep = useGoToStep();
  const email = draft.orderContact?.email;
  if (!email || !canGoBack(draft)) return null;
  return (
    <Cluster justify="between">
      <span>
        {rich('Tickets go to <address>{email}</address>', {
          email,
          address: () => <StrongAddress>{email}</StrongAddress>,
        })}
      </span>
      <Button size="small" variant="quiet" onClick={() => goToStep('details')}>
        {/* Translators: the address, a button. */}
        {t('Change')}
      </Button>
    </Cluster>
  );
}

/** For customers whose details are known, who come here without the step that asks. */
function AskForAssistance() {
  const draft = useDraft();
  const { isAuthenticated } = useSession();
  const goToStep = useGoToStep();
  if (!isAuthenticated || !canGoBack(draft)) return null;
  return (
    <p>
      <Button size="small" variant="quiet" onClick={() => goToStep('details')}>
        {t('Ask for assistance')}
      </Button>
    </p>
  );
}
