import { ORDER_NOTE_LENGTH } from '#contract/desk/limits.ts';
import { addOrderNote } from '#contract/desk/orders/endpoints.ts';
import { formatWhenCapitalized } from '#web/features/site/timestamp.tsx';
import { t } from '#web/language/texts.ts';
import type { StaffOrder } from '#web/platform/api/types.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { useRequestOnce } from '#web/platform/idempotency/use-request-once.ts';
import { RowList } from '#web/ui/data/row-list.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { TextField } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { usePermission } from '../session/staff-session.ts';
import { useShowOrder } from './staff-order.ts';

/** What staff know about an order and its buyer does not see. `now` in milliseconds. */
export function OrderNotes({ staffOrder, now }: { staffOrder: StaffOrder; now: number }) {
  const mayServe = usePermission('serve_orders');
  const { notes } = staffOrder;
  if (!mayServe && notes.length === 0) return null;
  return (
    <Card title={t('Notes')}>
      <Stack>
        {notes.length > 0 && (
          <RowList
            label={t('Notes')}
            rows={notes.map(({ id, at, text, staffName }) => ({
              id,
              title: text,
              details: [staffName, formatWhenCapitalized(at, now)].filter(Boolean).join(', '),
            }))}
          />
        )}
        {mayServe && <NoteForm reference={staffOrder.order.reference} />}
      </Stack>
    </Card>
  );
}

function NoteForm({ reference }: { reference: string }) {
  const show = useShowOrder();
  const requestOnce = useRequestOnce();
  const form = useForm({
    initial: { text: '' },
    check: ({ text }): { text?: string } => (text.trim() === '' ? { text: t('Write a note first.') } : {}),
    send: ({ text }) => requestOnce(addOrderNote, { params: { reference }, body: { text: text.trim() } }),
    onDone: (staffOrder) => {
      show(staffOrder, t('The note is saved.'));
      form.change({ text: '' });
    },
    busyReason: 'a note about an order being written',
  });
  return (
    <Form form={form}>
      <TextField
        {...form.input('text')}
        label={t('New note')}
        hint={t('For other staff. The buyer never sees it.')}
        autoComplete="off"
        maxLength={ORDER_NOTE_LENGTH}
      />
      <Button
        type="submit"
        variant="secondary"
        needsConnection
        isPending={form.isPending}
        pendingText={t('Saving…')}
      >
        {t('Save the note')}
      </Button>
    </Form>
  );
}
