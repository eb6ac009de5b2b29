import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { previewCardSale, sellCards } from '#contract/desk/card-sales/endpoints.ts';
import { CARD_SALE_LIMIT } from '#contract/desk/limits.ts';
import { TERMINAL_REFERENCE_LENGTH } from '#contract/limits.ts';
import { fillPath, staffPages } from '#contract/paths.ts';
import { parseTypedAmount } from '#domain/format/typed-amount.ts';
import { formatTrips } from '#sentences/card-amounts.ts';
import { startRecipient } from '#web/features/order/receipts/recipient-fields.tsx';
import { textLanguage } from '#web/language/page-language.ts';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { CardSalePreview, PassTerms } from '#web/platform/api/types.ts';
import type { useForm } from '#web/platform/forms/use-form.ts';
import { useRequestOnce } from '#web/platform/idempotency/use-request-once.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { formatDay } from '#web/ui/calendar/calendar.ts';
import { DefinitionList } from '#web/ui/data/definition-list.tsx';
import { formatMoney } from '#web/ui/data/money.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { TextAreaField, TextField } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { RadioCards } from '#web/ui/form/radio-cards.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { CashWithoutDrawer } from '../drawer/cash-without-drawer.tsx';
import {
  checkInvoice,
  InvoiceFields,
  type InvoiceValues,
  readInvoice,
} from '../gate/queue/invoice-fields.tsx';
import { ReviewDialog } from '../review-dialog.tsx';
import { useReviewedForm } from '../use-reviewed-form.ts';
import { CARD_SALES_KEY, cardSaleQuery } from './card-sale-query.ts';
import { CARD_PROBLEM_TEXTS } from './card-sale-texts.ts';

/** The product that is no pass. */
const MONEY = '';
/** A longer list would hide the button. */
const PROBLEMS_SHOWN = 10;

type Values = InvoiceValues & {
  /** The code of a pass, or `MONEY`. */
  product: string;
  amount: string;
  kind: 'numbers' | 'new';
  /** One per line. */
  cards: string;
  count: string;
  method: 'invoice' | 'cash' | 'terminal';
  reference: string;
};

type SaleFormProps = { passes: readonly PassTerms[]; currency: string };

/** What, on which cards and how it is paid; then what it costs, before it is sold. */
export function SaleForm({ passes, currency }: SaleFormProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const requestOnce = useRequestOnce();
  const { form, preview, review } = useReviewedForm({
    initial: (): Values => ({
      ...{ product: passes[0]?.code ?? MONEY, amount: '', kind: 'numbers', cards: '', count: '' },
      ...{ method: 'invoice', ...startRecipient(), email: '', reference: '' },
    }),
    check: (values) => checkValues(values, currency),
    ask: (values) => request(previewCardSale, { body: describeItems(values, currency) }),
    act: (values, { total }) => {
      const body = { ...describeItems(values, currency), payment: describePayment(values), total };
      return requestOnce(sellCards, { body });
    },
    onDone: async (sold) => {
      client.setQueryData(cardSaleQuery(sold.id).queryKey, sold);
      await client.invalidateQueries({ queryKey: CARD_SALES_KEY });
      notify(
        sold.invoice
          ? t('Sold. The invoice is mailed to {email}.', { email: values.email.trim() })
          : t('Sold.'),
        { type: 'success' },
      );
      await navigate(fillPath(staffPages.cardSale, { id: sold.id }));
    },
    byCode: { top_up_amount: 'amount', not_found: 'product' },
    busyReason: 'a sale of trip cards being typed',
  });
  const { values, change } = form;
  const isReady = preview !== null && preview.problems.length === 0;
  return (
    <Card title={t('Sell many cards')}>
      <Form form={form} problemTitle={t('Nothing is sold yet')}>
        <CardFields form={form} passes={passes} currency={currency} />
        <RadioCards
          legend={t('How do they pay?')}
          value={values.method}
          onChange={(method) => change({ method })}
          options={[
            { value: 'invoice', label: t('Invoice, paid later') },
            { value: 'cash', label: t('Cash') },
            { value: 'terminal', label: t('Card terminal') },
          ]}
        />
        {values.method === 'invoice' && (
          <InvoiceFields form={form} emailHint={t('The invoice goes there.')} />
        )}
        {values.method === 'cash' && <CashWithoutDrawer />}
        {values.method === 'terminal' && (
          <TextField
            {...form.input('reference')}
            label={t('Number on the receipt')}
            autoComplete="off"
            maxLength={TERMINAL_REFERENCE_LENGTH}
            required
          />
        )}
        {preview !== null && !isReady && (
          <CardProblems
            preview={preview}
            onRemove={(bad) => {
              change({
                cards: listNumbers(values.cards)
                  .filter((_, index) => !bad.has(index + 1))
                  .join('\n'),
              });
              review.onBack();
            }}
          />
        )}
        <Button type="submit" needsConnection isPending={form.isPending} pendingText={t('One moment…')}>
          {t('See the sale')}
        </Button>
      </Form>
      {isReady && (
        <ReviewDialog
          title={t('Sell {count, plural, one {# trip card} other {# trip cards}}', { count: preview.cards })}
          confirm={
            values.method === 'invoice'
              ? t('Sell on an invoice')
              : t('{price} taken: sell', { price: formatMoney(preview.total, preview.currency) })
          }
          {...review}
          onClose={review.onBack}
        >
          <Previewed preview={preview} values={values} />
        </ReviewDialog>
      )}
    </Card>
  );
}

type CardFieldsProps = SaleFormProps & {
  form: Pick<ReturnType<typeof useForm<Values, CardSalePreview>>, 'values' | 'change' | 'field' | 'input'>;
};

/** What each card gets, and which cards get it. */
function CardFields({ form, passes, currency }: CardFieldsProps) {
  const { values, change } = form;
  return (
    <>
      <RadioCards
        id={form.field('product').id}
        legend={t('What each card gets')}
        value={values.product}
        onChange={(product) => change({ product })}
        options={[
          ...passes.map((pass) => ({
            value: pass.code,
            label: pass.name,
            description: formatTrips(t, pass.trips),
            price: formatMoney(pass.price, pass.currency),
          })),
          { value: MONEY, label: t('Money|on trip cards') },
        ]}
      />
      {values.product === MONEY && (
        <TextField
          {...form.input('amount')}
          label={t('Amount for each card in {currency}', { currency })}
          inputMode="decimal"
          autoComplete="off"
          required
        />
      )}
      <RadioCards
        legend={t('Which cards')}
        value={values.kind}
        onChange={(kind) => change({ kind })}
        options={[
          {
            value: 'numbers',
            label: t('Plastic cards'),
            description:
              values.product !== MONEY &&
              t('Unused ones become the pass. Cards that have the same pass get more trips.'),
          },
          {
            value: 'new',
            label: t('New numbers'),
            description: t('For cards that you print yourselves. You get the list after the sale.'),
          },
        ]}
      />
      {values.kind === 'numbers' ? (
        <TextAreaField
          {...form.input('cards')}
          label={t('One number per line')}
          hint={t('Scan them or paste a list, {count} at most.', { count: CARD_SALE_LIMIT })}
          rows={8}
          autoComplete="off"
          spellCheck={false}
          required
        />
      ) : (
        <TextField
          {...form.input('count')}
          label={t('How many')}
          inputMode="numeric"
          autoComplete="off"
          required
        />
      )}
    </>
  );
}

function Previewed({ preview, values }: { preview: CardSalePreview; values: Values }) {
  const { cards, amount, total, currency, passName, repeated, dueOn } = preview;
  const money = (price: number) => formatMoney(price, currency);
  const isInvoice = values.method === 'invoice';
  return (
    <>
      <DefinitionList
        items={[
          { term: t('What each card gets'), details: passName ?? t('Money|on trip cards') },
          { term: t('Cards'), details: String(cards) },
          { term: t('Each|a price'), details: money(amount) },
          { term: t('Total'), details: money(total) },
          ...(isInvoice ? [{ term: t('For|whom'), details: values.recipient.trim() }] : []),
          ...(isInvoice && dueOn !== null
            ? [{ term: t('Due|an invoice'), details: formatDay(dueOn, 'date') }]
            : []),
        ]}
      />
      {repeated > 0 && (
        <p>
          {t(
            '{count, plural, one {# repeated number is left out.} other {# repeated numbers are left out.}}',
            {
              count: repeated,
            },
          )}
        </p>
      )}
      {isInvoice && dueOn === null && (
        <Notice type="warning">
          {t(
            'Nothing can be sold on an invoice until the settings have the seller’s name, address, tax number and bank account.',
          )}
        </Notice>
      )}
    </>
  );
}

type CardProblemsProps = { preview: CardSalePreview; onRemove: (lines: ReadonlySet<number>) => void };

function CardProblems({ preview: { problems }, onRemove }: CardProblemsProps) {
  return (
    <Notice
      type="alert"
      role="alert"
      title={t('{count, plural, one {# card} other {# cards}} cannot get it', { count: problems.length })}
      action={
        <Button
          variant="secondary"
          size="small"
          onClick={() => onRemove(new Set(problems.map(({ line }) => line)))}
        >
          {t('Take them off the list')}
        </Button>
      }
    >
      <Stack as="ul" gap="xs">
        {problems.slice(0, PROBLEMS_SHOWN).map(({ line, text, problem }) => (
          <li key={line}>
            {t('{number}: {problem}', { number: text, problem: t(CARD_PROBLEM_TEXTS[problem]) })}
          </li>
        ))}
      </Stack>
      {problems.length > PROBLEMS_SHOWN && (
        <p>{t('And {count} more.', { count: problems.length - PROBLEMS_SHOWN })}</p>
      )}
    </Notice>
  );
}

function listNumbers(cards: string): string[] {
  return cards
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function checkValues(values: Values, currency: string) {
  const { product, amount, kind, cards, count, method, reference } = values;
  const numbers = listNumbers(cards).length;
  return {
    ...(product === MONEY && !readAmount(amount, currency) && { amount: t('Enter an amount.') }),
    ...(kind === 'numbers' && numbers === 0 && { cards: t('Enter the number of a card.') }),
    ...(kind === 'numbers' &&
      numbers > CARD_SALE_LIMIT && {
        cards: t('{count} cards at most. Sell the others afterwards.', { count: CARD_SALE_LIMIT }),
      }),
    ...(kind === 'new' &&
      !isCount(count) && { count: t('Enter a number from 1 to {count}.', { count: CARD_SALE_LIMIT }) }),
    ...(method === 'invoice' && checkInvoice(values)),
    ...(method === 'terminal' &&
      reference.trim() === '' && { reference: t('Enter the number on the receipt.') }),
  };
}

function isCount(text: string): boolean {
  return /^\s*\d{1,3}\s*$/.test(text) && Number(text) >= 1 && Number(text) <= CARD_SALE_LIMIT;
}

/** In minor units; 0 if it is no amount. */
function readAmount(text: string, currency: string): number {
  return parseTypedAmount(text, currency, textLanguage()) ?? 0;
}

function describeItems({ product, amount, kind, cards, count }: Values, currency: string) {
  return {
    product:
      product === MONEY
        ? { kind: 'money' as const, amount: readAmount(amount, currency) }
        : { kind: 'pass' as const, code: product },
    cards: kind === 'numbers' ? { kind, numbers: listNumbers(cards) } : { kind, count: Number(count) },
  };
}

function describePayment(values: Values) {
  const { method, reference } = values;
  if (method === 'invoice') return readInvoice(values);
  return method === 'terminal' ? { method, reference: reference.trim() } : { method };
}
