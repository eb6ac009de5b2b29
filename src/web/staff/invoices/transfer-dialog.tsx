import { useQueryClient } from '@tanstack/react-query';
import { noteTransfer } from '#contract/invoices/endpoints.ts';
import { BANK_REFERENCE_LENGTH } from '#contract/limits.ts';
import { toDecimal } from '#domain/fares/money.ts';
import { parseTypedAmount } from '#domain/format/typed-amount.ts';
import { FormDialog } from '#web/features/site/dialogs.tsx';
import { textLanguage } from '#web/language/page-language.ts';
import { t } from '#web/language/texts.ts';
import type { Invoice } from '#web/platform/api/types.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { useRequestOnce } from '#web/platform/idempotency/use-request-once.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { TextField } from '#web/ui/form/field.tsx';

type Values = { day: string; amount: string; reference: string };
type TransferDialogProps = { invoice: Invoice; today: string; onClose: () => void };

/** Notes what the bank statement has of an invoice: the whole sum, or a part. */
export function TransferDialog({ invoice, today, onClose }: TransferDialogProps) {
  const { id, number, owed, currency } = invoice;
  const client = useQueryClient();
  const requestOnce = useRequestOnce();
  const read = (typed: string) =>
    typed.trim() === '' ? null : parseTypedAmount(typed, currency, textLanguage());
  const form = useForm({
    initial: (): Values => ({ day: today, amount: toDecimal(owed, currency), reference: '' }),
    check: ({ amount }): { amount?: string } => (read(amount) ? {} : { amount: t('Enter an amount.') }),
    send: ({ day, amount, reference }) => {
      const body = { day, amount: read(amount) ?? 0, reference: reference.trim(), owed };
      return requestOnce(noteTransfer, { params: { id }, body });
    },
    onDone: async (noted) => {
      const rest = formatMoney(noted.owed, currency);
      notify(noted.owed === 0 ? t('The invoice is paid.') : t('{rest} is still owed.', { rest }), {
        type: 'success',
      });
      await client.invalidateQueries({ queryKey: ['staff-invoices'] });
      onClose();
    },
    busyReason: 'a transfer being noted',
  });
  return (
    <FormDialog
      form={form}
      title={t('Transfer for {number}', { number })}
      confirm={t('Note it')}
      problemTitle={t('It is not noted yet')}
      onClose={onClose}
    >
      <TextField
        {...form.input('amount')}
        label={t('Amount')}
        inputMode="decimal"
        autoComplete="off"
        required
      />
      <TextField {...form.input('day')} type="date" max={today} label={t('Day on the statement')} required />
      <TextField
        {...form.input('reference')}
        label={t('What the statement says')}
        autoComplete="off"
        maxLength={BANK_REFERENCE_LENGTH}
        isOptional
      />
    </FormDialog>
  );
}
