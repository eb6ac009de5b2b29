import { PERSON_NAME_LENGTH } from '#contract/limits.ts';
import { ADDRESS_LENGTH, TAX_NUMBER_LENGTH } from '#contract/receipts/limits.ts';
import { t } from '#web/language/texts.ts';
import { isEmail, MESSAGES } from '#web/platform/forms/messages.ts';
import type { useForm } from '#web/platform/forms/use-form.ts';
import { EmailField, TextField } from '#web/ui/form/field.tsx';

/** Who gets an invoice, as it is typed. */
export type InvoiceValues = { recipient: string; address: string; taxNumber: string; email: string };

export const NO_RECIPIENT = { recipient: '', address: '', taxNumber: '' };

export function checkInvoice({ recipient, address, email }: InvoiceValues) {
  return {
    ...(recipient.trim() === '' && { recipient: t('Enter the name.') }),
    ...(address.trim() === '' && { address: t('Enter the address.') }),
    ...(!isEmail(email.trim()) && { email: MESSAGES.email }),
  };
}

/** As the call takes it. */
export function readInvoice({ recipient, address, taxNumber, email }: InvoiceValues) {
  return {
    method: 'invoice' as const,
    recipient: { name: recipient.trim(), address: address.trim(), taxNumber: taxNumber.trim() },
    ...{ email: email.trim(), days: null },
  };
}

type InvoiceFieldsProps = { form: Pick<ReturnType<typeof useForm<InvoiceValues>>, 'input'> };

export function InvoiceFields({ form }: InvoiceFieldsProps) {
  return (
    <>
      <TextField
        {...form.input('recipient')}
        label={t('Company, school or agency')}
        autoComplete="off"
        maxLength={PERSON_NAME_LENGTH}
        required
      />
      <TextField
        {...form.input('address')}
        label={t('Address')}
        autoComplete="off"
        maxLength={ADDRESS_LENGTH}
        required
      />
      <TextField
        {...form.input('taxNumber')}
        label={t('Tax number')}
        autoComplete="off"
        maxLength={TAX_NUMBER_LENGTH}
        isOptional
      />
      <EmailField
        {...form.input('email')}
        label={t('Email')}
        hint={t('The invoice and the tickets go there.')}
        autoComplete="off"
        required
      />
    </>
  );
}
