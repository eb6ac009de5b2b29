import { approveRefund, refuseRefund } from '#contract/desk/refunds/endpoints.ts';
import { Problem } from '#web/features/site/problem.tsx';
import { formatWhenCapitalized } from '#web/features/site/timestamp.tsx';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { StaffOrder } from '#web/platform/api/types.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { useRequestOnce } from '#web/platform/idempotency/use-request-once.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Cluster, Stack } from '#web/ui/layout/stack.tsx';
import { usePermission } from '../session/staff-session.ts';
import { useShowOrder } from './staff-order.ts';

type Asked = NonNullable<StaffOrder['refundRequest']>;
type RefundRequestCardProps = { asked: Asked; currency: string; now: number };

/** A refund that waits for another person. `now` in milliseconds. */
export function RefundRequestCard({ asked, currency, now }: RefundRequestCardProps) {
  const show = useShowOrder();
  const requestOnce = useRequestOnce();
  const mayApprove = usePermission('approve_refunds');
  const params = { id: asked.id };
  const approve = useAction(() => requestOnce(approveRefund, { params }), {
    onDone: (changed) => show(changed, t('The refund is made.')),
  });
  const refuse = useAction(() => request(refuseRefund, { params }), {
    onDone: (changed) => show(changed, t('Nothing is refunded.')),
  });
  const amount = formatMoney(asked.amount, currency);
  return (
    <Card
      tone="highlight"
      title={t('{name} asks to refund {amount}', { name: asked.askedBy ?? t('A colleague'), amount })}
    >
      <Stack>
        <Problem text={approve.problem ?? refuse.problem} />
        <p>{t('Reason: {reason}', { reason: asked.reason })}</p>
        <p>
          {describeScope(asked)} {formatWhenCapitalized(asked.at, now)}.
        </p>
        {asked.isOwn && <p>{t('A manager, not you, has to confirm it.')}</p>}
        <Cluster>
          {mayApprove && !asked.isOwn && (
            <Button
              variant="danger"
              needsConnection
              isPending={approve.isPending}
              onClick={() => approve.run()}
            >
              {t('Refund {amount}', { amount })}
            </Button>
          )}
          {(mayApprove || asked.isOwn) && (
            <Button
              variant="secondary"
              needsConnection
              isPending={refuse.isPending}
              onClick={() => refuse.run()}
            >
              {asked.isOwn ? t('Take it back') : t('Refuse')}
            </Button>
          )}
        </Cluster>
      </Stack>
    </Card>
  );
}

/** "Cancels all tickets that are left. To the trip card ending in 2347." */
function describeScope({ scope, tripCardLastFour: digits }: Asked): string {
  const to =
    digits === null
      ? t('Back to where the payments came from.')
      : t('To the trip card ending in {digits}.', { digits });
  switch (scope.kind) {
    case 'all':
      return `${t('Cancels all tickets that are left.')} ${to}`;
    case 'tickets':
      return `${t('Cancels the tickets {codes}.', { codes: scope.boardingCodes.join(', ') })} ${to}`;
    case 'amount':
      return `${t('The tickets stay valid.')} ${to}`;
    case 'failed':
      return `${t('Repeats the refunds that failed.')} ${to}`;
  }
}
