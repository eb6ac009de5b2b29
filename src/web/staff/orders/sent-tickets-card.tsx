import { revokeStaffTicketShare } from '#contract/desk/orders/endpoints.ts';
import { Problem } from '#web/features/site/problem.tsx';
import { formatWhenCapitalized } from '#web/features/site/timestamp.tsx';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { StaffOrder } from '#web/platform/api/types.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { RowList } from '#web/ui/data/row-list.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { usePermission } from '../session/staff-session.ts';
import { useShowOrder } from './staff-order.ts';

/** To whom the buyer has sent tickets. `now` in milliseconds. */
export function SentTicketsCard({ staffOrder, now }: { staffOrder: StaffOrder; now: number }) {
  const { order, ticketShares } = staffOrder;
  const show = useShowOrder();
  const mayServe = usePermission('serve_orders');
  const takeBack = useAction(
    (shareId: string) =>
      request(revokeStaffTicketShare, { params: { reference: order.reference, share_id: shareId } }),
    { onDone: (changed) => show(changed, t('The tickets are taken back. Their link no longer works.')) },
  );
  if (ticketShares.length === 0) return null;
  return (
    <Card title={t('Sent tickets')}>
      <Stack>
        <Problem text={takeBack.problem} />
        <RowList
          label={t('Sent tickets')}
          rows={ticketShares.map(({ id, name, email, ticketIds, insertedAt }) => {
            const recipient = name || (email ?? t('A link'));
            return {
              id,
              title: <bdi>{recipient}</bdi>,
              details: [
                t('{count, plural, one {# ticket} other {# tickets}}', { count: ticketIds.length }),
                formatWhenCapitalized(insertedAt, now),
              ].join(' · '),
              action: mayServe && (
                <Button
                  size="small"
                  variant="secondary"
                  needsConnection
                  aria-label={t('Take back what was sent to {recipient}', { recipient })}
                  isPending={takeBack.input === id}
                  onClick={() => takeBack.run(id)}
                >
                  {t('Take back')}
                </Button>
              ),
            };
          })}
        />
      </Stack>
    </Card>
  );
}
