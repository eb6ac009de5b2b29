import { useState } from 'react';
import { PERSON_NAME_LENGTH } from '#contract/limits.ts';
import { fillPath } from '#contract/paths.ts';
import { getReceiptPdf, getReceiptUbl, type issueReceipts } from '#contract/receipts/endpoints.ts';
import { ADDRESS_LENGTH, TAX_NUMBER_LENGTH } from '#contract/receipts/limits.ts';
import { listCountries } from '#web/language/countries.ts';
import { textLanguage } from '#web/language/page-language.ts';
import { t } from '#web/language/texts.ts';
import type { DataOf } from '#web/platform/api/request-types.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { pageConfig } from '#web/platform/page-config.ts';
import { formatDay } from '#web/ui/calendar/calendar.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { RowList } from '#web/ui/data/row-list.tsx';
import { Button, ButtonLink } from '#web/ui/form/button.tsx';
import { Checkbox } from '#web/ui/form/checkbox.tsx';
import { TextField } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { Cluster, Stack } from '#web/ui/layout/stack.tsx';

type Receipt = DataOf<typeof issueReceipts>[number];
type Recipient = Omit<Values, 'isForCompany' | 'country'> & { country?: string };

type ReceiptsProps = {
  /** Issues the receipts of an order, and returns all of them. */
  issue: (recipient: Recipient | null) => Promise<readonly Receipt[]>;
};

/** A form, and after it the receipts of the order. */
export function Receipts({ issue }: ReceiptsProps) {
  const [receipts, setReceipts] = useState<readonly Receipt[] | null>(null);
  if (receipts === null) {
    return <ReceiptForm issue={issue} onIssued={setReceipts} />;
  }
  return (
    <RowList
      label={t('Receipts')}
      rows={receipts.map((receipt) => ({
        id: receipt.id,
        title: nameReceipt(receipt),
        details: describeReceipt(receipt),
        action: <Downloads receipt={receipt} />,
      }))}
    />
  );
}

function Downloads({ receipt: { id, hasUbl } }: { receipt: Receipt }) {
  const link = { variant: 'secondary', icon: 'download', needsConnection: true, download: true } as const;
  return (
    <Cluster>
      <ButtonLink {...link} to={fillPath(getReceiptPdf.path, { id })}>
        {t('PDF')}
      </ButtonLink>
      {hasUbl && (
        <ButtonLink {...link} to={fillPath(getReceiptUbl.path, { id })}>
          {t('Download as UBL')}
        </ButtonLink>
      )}
    </Cluster>
  );
}

function nameReceipt({ kind, number }: Receipt): string {
  return kind === 'receipt' ? t('Receipt {number}', { number }) : t('Credit note {number}', { number });
}

function describeReceipt({ issuedOn, total, currency, recipient }: Receipt): string {
  return [formatDay(issuedOn, 'date'), formatMoney(total, currency), recipient].filter(Boolean).join(', ');
}

/** `country`: empty if nothing needs it. */
type Values = { isForCompany: boolean; name: string; address: string; taxNumber: string; country: string };

type ReceiptFormProps = ReceiptsProps & {
  onIssued: (receipts: readonly Receipt[]) => void;
};

function ReceiptForm({ issue, onIssued }: ReceiptFormProps) {
  const { seller_country: sellerCountry } = pageConfig();
  const form = useForm({
    initial: (): Values => ({
      ...{ isForCompany: false, name: '', address: '', taxNumber: '' },
      country: sellerCountry ?? '',
    }),
    check: ({ isForCompany, name, address }) =>
      isForCompany
        ? {
            ...(name.trim() === '' ? { name: t('Enter the name.') } : {}),
            ...(address.trim() === '' ? { address: t('Enter the address.') } : {}),
          }
        : {},
    send: ({ isForCompany, country, ...recipient }) =>
      issue(isForCompany ? { ...recipient, ...(country === '' ? {} : { country }) } : null),
    onDone: onIssued,
    busyReason: 'a receipt being asked for',
  });
  return (
    <Form form={form} problemTitle={t('There is no receipt yet')}>
      <Checkbox
        label={t('Made out to a company')}
        checked={form.values.isForCompany}
        onChange={({ target }) => form.change({ isForCompany: target.checked })}
      />
      {form.values.isForCompany && (
        <Stack>
          <TextField
            {...form.input('name')}
            label={t('Name of the company')}
            autoComplete="organization"
            maxLength={PERSON_NAME_LENGTH}
            required
          />
          <TextField
            {...form.input('address')}
            label={t('Address')}
            autoComplete="street-address"
            maxLength={ADDRESS_LENGTH}
            required
          />
          {sellerCountry !== undefined && (
            <Select
              {...form.input('country')}
              label={t('Country')}
              autoComplete="country"
              options={listCountries(textLanguage())}
            />
          )}
          <TextField
            {...form.input('taxNumber')}
            label={t('Tax number')}
            autoComplete="off"
            maxLength={TAX_NUMBER_LENGTH}
          />
        </Stack>
      )}
      <Button
        type="submit"
        variant="secondary"
        needsConnection
        isPending={form.isPending}
        pendingText={t('One moment…')}
      >
        {t('Get a receipt')}
      </Button>
    </Form>
  );
}
