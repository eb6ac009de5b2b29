import { useQueryClient } from '@tanstack/react-query';
import { payOutRefund } from '#contract/desk/endpoints.ts';
import { BANK_REFERENCE_LENGTH, TERMINAL_REFERENCE_LENGTH } from '#contract/limits.ts';
import { FormDialog } from '#web/features/site/dialogs.tsx';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { WorkItem } from '#web/platform/api/types.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { TextField } from '#web/ui/form/field.tsx';
import { Segmented } from '#web/ui/form/segmented.tsx';
import { CashWithoutDrawer } from '../drawer/cash-without-drawer.tsx';

type Values = { method: 'cash' | 'terminal' | 'bank'; terminalReference: string; bankReference: string };

/** Notes that a refund was paid out. */
export function PaidOutDialog({ item, onClose }: { item: WorkItem; onClose: () => void }) {
  const client = useQueryClient();
  const money = formatMoney(item.amount ?? 0, item.currency);
  const form = useForm({
    initial: (): Values => ({ method: 'cash', terminalReference: '', bankReference: '' }),
    check: ({ method, terminalReference, bankReference }) => ({
      ...(method === 'terminal' &&
        terminalReference.trim() === '' && { terminalReference: t('Enter the number on the receipt.') }),
      ...(method === 'bank' &&
        bankReference.trim() === '' && { bankReference: t('Enter the reference of the transfer.') }),
    }),
    send: ({ method, terminalReference, bankReference }) =>
      request(payOutRefund, {
        params: { id: item.refundId ?? '' },
        body: {
          terminalReference: method === 'terminal' ? terminalReference.trim() : null,
          bankReference: method === 'bank' ? bankReference.trim() : null,
        },
      }),
    onDone: async () => {
      await client.invalidateQueries({ queryKey: ['desk-work'] });
      notify(t('{money} noted as paid out.', { money }), { type: 'success' });
      onClose();
    },
    busyReason: 'a refund being paid out',
  });
  return (
    <FormDialog
      form={form}
      title={t('Pay out {money} to {name}', { money, name: item.contactName })}
      confirm={t('It is paid out')}
      problemTitle={t('It is not noted yet')}
      onClose={onClose}
    >
      <Segmented
        {...form.field('method')}
        legend={t('How')}
        value={form.values.method}
        onChange={(method) => form.change({ method })}
        options={[
          { value: 'cash', label: t('In cash') },
          { value: 'terminal', label: t('At the card terminal') },
          { value: 'bank', label: t('By bank transfer') },
        ]}
      />
      {form.values.method === 'cash' && <CashWithoutDrawer />}
      {form.values.method === 'terminal' && (
        <TextField
          {...form.input('terminalReference')}
          label={t('Number on the receipt')}
          autoComplete="off"
          maxLength={TERMINAL_REFERENCE_LENGTH}
          required
        />
      )}
      {form.values.method === 'bank' && (
        <TextField
          {...form.input('bankReference')}
          label={t('Reference of the transfer')}
          autoComplete="off"
          maxLength={BANK_REFERENCE_LENGTH}
          required
        />
      )}
    </FormDialog>
  );
}
