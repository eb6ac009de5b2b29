import {
  checkRecipient,
  RecipientFields,
  type RecipientValues,
  readRecipient,
} from '#web/features/order/receipts/recipient-fields.tsx';
import { t } from '#web/language/texts.ts';
import { isEmail, MESSAGES } from '#web/platform/forms/messages.ts';
import type { useForm } from '#web/platform/forms/use-form.ts';
import { EmailField } from '#web/ui/form/field.tsx';

/** Who gets an invoice, as it is typed. */
export type InvoiceValues = RecipientValues & { email: string };

export function checkInvoice(values: InvoiceValues) {
  return { ...checkRecipient(values), ...(!isEmail(values.email.trim()) && { email: MESSAGES.email }) };
}

/** As the call takes it. */
export function readInvoice(values: InvoiceValues) {
  return {
    method: 'invoice' as const,
    recipient: readRecipient(values),
    ...{ email: values.email.trim(), days: null },
  };
}

type InvoiceFieldsProps = {
  form: Pick<ReturnType<typeof useForm<InvoiceValues>>, 'input'>;
  /** What is mailed to the address. */
  emailHint: string;
};

export function InvoiceFields({ form, emailHint }: InvoiceFieldsProps) {
  return (
    <>
      <RecipientFields form={form} nameLabel={t('Company, school or agency')} isOfOthers />
      <EmailField {...form.input('email')} label={t('Email')} hint={emailHint} autoComplete="off" required />
    </>
  );
}
