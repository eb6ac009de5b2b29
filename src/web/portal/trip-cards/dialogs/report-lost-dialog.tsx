import { replaceLostTripCard } from '#contract/trip-cards/endpoints.ts';
import { request } from '#web/platform/api/request.ts';

import type { TripCard } from '#web/platform/api/types.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { Problem } from '#web/portal/parts/problem.tsx';
import { formatMoney } from '#web/ui/data/money.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { Modal } from '#web/ui/popup/modal.tsx';
import { cardTitle } from '../labels.ts';
import { useCardAction } from '../use-card-action.ts';

type ReportLostDialogProps = { card: TripCard; onClose: () => void; onReplaced: (card: TripCard) => void };

export function ReportLostDialog({ card, onClose, onReplaced }: ReportLostDialogProps) {
  const report = useCardAction(
    ({ id }: TripCard, idempotencyKey) => request(replaceLostTripCard, { params: { id }, idempotencyKey }),
    (replacement) => {
      notify(
        `The card ending ${card.lastFour} no longer works. Its balance is on your new card ending ${replacement.lastFour}.`,
        { type: 'success' },
      );
      onReplaced(replacement);
    },
  );
  return (
    <Modal
      title={`Report ${cardTitle(card)} lost?`}
      onClose={onClose}
      canClose={!report.isPending}
      footer={
        <>
          <Button variant="secondary" aria-disabled={report.isPending} onClick={onClose}>
            Cancel
          </Button>
          <Button
            variant="danger"
            isPending={report.isPending}
            pendingText="Reporting…"
            onClick={() => report.run(card)}
          >
            Report lost
          </Button>
        </>
      }
    >
      <Stack>
        <ul>
          <li>The number ending {card.lastFour} stops working for good, even if you find it.</li>
          <li>
            The balance, {formatMoney(card.balance, card.currency)}, moves to a new card right away. Its name,
            alert, automatic top-up and sharing stay the same.
          </li>
          <li>The codes of the old card stop working.</li>
        </ul>
        {card.status === 'active' && <p>Not sure yet? Freeze the card instead. You can undo that.</p>}
        <Problem text={report.problem} />
      </Stack>
    </Modal>
  );
}
