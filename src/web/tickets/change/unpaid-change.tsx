import { useQueryClient } from '@tanstack/react-query';
import { abandonChange } from '#contract/orders/change/endpoints.ts';
import { LegList } from '#web/features/order/leg-list.tsx';
import { ActionButton } from '#web/features/site/problem.tsx';
import { formatWhen } from '#web/features/site/timestamp.tsx';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { Order, UnpaidChange } from '#web/platform/api/types.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { toHeldPlaces } from '../hold.ts';
import { usePurchase } from '../purchase.ts';
import { StepMain } from '../step-layout.tsx';
import { unpaidChangeQuery } from './queries.ts';

type UnpaidChangeProps = { order: Order; change: UnpaidChange & { expiresAt: string } };

/** Other boats that staff keep for the buyer, who pays for them here or keeps the order as it is. */
export function UnpaidChangeCard({ order, change }: UnpaidChangeProps) {
  const purchase = usePurchase();
  const client = useQueryClient();
  const { id, difference, expiresAt, asOf, legs } = change;
  const keepOrder = useAction(() => request(abandonChange, { params: { id: order.id, change_id: id } }), {
    onDone: () => void client.invalidateQueries(unpaidChangeQuery(order.id)),
  });

  function pay() {
    const hold = toHeldPlaces({ id, expiresAt, canExtend: false, asOf });
    purchase.change({ change: { id, difference }, hold, orderId: order.id });
  }

  return (
    <StepMain>
      <Card title={t('Your new trip')}>
        <Stack>
          <LegList legs={legs} />
          <p>
            {t('We keep these places for you until {time}. Your tickets stay valid until this is paid.', {
              time: formatWhen(expiresAt, serverNow()),
            })}
          </p>
          <Button size="large" block needsConnection onClick={pay}>
            {t('Pay {amount}', { amount: formatMoney(difference, order.currency) })}
          </Button>
          <ActionButton action={keepOrder} variant="quiet" needsConnection>
            {t('Keep my order as it is')}
          </ActionButton>
        </Stack>
      </Card>
    </StepMain>
  );
}
