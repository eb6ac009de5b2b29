import { rebookStaffOrder } from '#contract/desk/changes/endpoints.ts';
import type { Direction } from '#domain/orders/legs.ts';
import { LegList } from '#web/features/order/leg-list.tsx';
import { t } from '#web/language/texts.ts';
import type { Leg, StaffOrder } from '#web/platform/api/types.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { useRequestOnce } from '#web/platform/idempotency/use-request-once.ts';
import { ReviewDialog } from '#web/staff/review-dialog.tsx';
import { useShowOrder } from '../staff-order.ts';

type RebookReviewProps = {
  staffOrder: StaffOrder;
  journey: { direction: Direction; legs: readonly Leg[] };
  onBack: () => void;
  onClose: () => void;
};

/** Another boat instead of one that does not run as bought: at no charge, as the buyer could choose it. */
export function RebookReview({ staffOrder: { order }, journey, onBack, onClose }: RebookReviewProps) {
  const { direction, legs } = journey;
  const show = useShowOrder();
  const requestOnce = useRequestOnce();
  const rebook = useAction(
    () => {
      const sailingIds = legs.map(({ sailingId }) => sailingId);
      const body = { direction, sailingIds, version: order.version };
      return requestOnce(rebookStaffOrder, { params: { reference: order.reference }, body });
    },
    {
      onDone: (changed) => {
        show(changed, t('The order is changed.'));
        onClose();
      },
    },
  );
  return (
    <ReviewDialog
      title={t('Another day or boat')}
      confirm={t('Change the order')}
      action={rebook}
      onBack={onBack}
      onClose={onClose}
    >
      <LegList legs={legs} />
      <p>{t('This boat is free of charge, because theirs does not run as bought.')}</p>
    </ReviewDialog>
  );
}
