import { useState } from 'react';
import { fillPath } from '#contract/paths.ts';
import { getReceiptPdf, getReceiptUbl, type issueReceipts } from '#contract/receipts/endpoints.ts';
import { t } from '#web/language/texts.ts';
import type { DataOf } from '#web/platform/api/request-types.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { formatDay } from '#web/ui/calendar/calendar.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { RowList } from '#web/ui/data/row-list.tsx';
import { Button, ButtonLink } from '#web/ui/form/button.tsx';
import { Checkbox } from '#web/ui/form/checkbox.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { Cluster, Stack } from '#web/ui/layout/stack.tsx';
import {
  checkRecipient,
  RecipientFields,
  type RecipientValues,
  readRecipient,
  startRecipient,
} from './recipient-fields.tsx';

type Receipt = DataOf<typeof issueReceipts>[number];
type Recipient = ReturnType<typeof readRecipient>;

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

type Values = RecipientValues & { isForCompany: boolean };

type ReceiptFormProps = ReceiptsProps & {
  onIssued: (receipts: readonly Receipt[]) => void;
};

function ReceiptForm({ issue, onIssued }: ReceiptFormProps) {
  const form = useForm({
    initial: (): Values => ({ isForCompany: false, ...startRecipient() }),
    check: (values) => (values.isForCompany ? checkRecipient(values) : {}),
    send: (values) => issue(values.isForCompany ? readRecipient(values) : null),
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
          <RecipientFields form={form} nameLabel={t('Name of the company')} />
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
