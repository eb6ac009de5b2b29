import { issueStaffReceipts } from '#contract/desk/orders/endpoints.ts';
import { canHaveReceipts } from '#web/features/order/receipts/can-have-receipts.ts';
import { Receipts } from '#web/features/order/receipts/receipts.tsx';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { StaffOrder } from '#web/platform/api/types.ts';
import { Fold } from '#web/ui/layout/fold.tsx';
import { usePermission } from '../session/staff-session.ts';

/** Receipts and credit notes for a buyer who asks for them, if the operator issues them. */
export function StaffReceipts({ staffOrder: { order } }: { staffOrder: StaffOrder }) {
  const mayServe = usePermission('serve_orders');
  if (!mayServe || !canHaveReceipts(order)) return null;
  const { reference } = order;
  return (
    <Fold title={t('Receipt|an invoice')}>
      <Receipts
        issue={(recipient) => request(issueStaffReceipts, { params: { reference }, body: { recipient } })}
      />
    </Fold>
  );
}
