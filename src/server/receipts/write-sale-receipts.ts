import type { Recipient } from '#contract/receipts/schemas.ts';
import type { WebSettings } from '#contract/settings/schemas.ts';
import { translateTexts } from '#messages/translations.ts';
import { describeStoredValueTax } from '#sentences/stored-value-tax.ts';
import type { Context } from '../context.ts';
import { textsIn } from '../core/texts.ts';
import type { Database } from '../database/database.ts';
import type { ReceiptContent, ReceiptRow } from '../database/schema/accounting.ts';
import type { CardSaleRow } from '../database/schema/trip-cards.ts';
import type { Seller } from '../settings/seller.ts';
import { hasUblAmounts, nameRecipient, writeDocument } from './write-document.ts';

type SaleReceipt = {
  sale: CardSaleRow;
  /** Null: a simplified receipt. */
  recipient: Recipient | null;
  seller: Seller;
  settings: WebSettings;
  language: string;
  /** Of an invoice; absent: it is paid already. */
  due?: NonNullable<ReceiptContent['due']>;
};

/** Issues the receipt or invoice of a sale of trip cards. */
export function issueSaleReceipt(
  tx: Database,
  context: Pick<Context, 'clock'>,
  { sale, recipient, seller, settings, language, due }: SaleReceipt,
): Promise<ReceiptRow> {
  const t = textsIn(language);
  const total = sale.cards * sale.amount;
  const untaxed = describeStoredValueTax(t);
  const text = sale.pass ? translateTexts(sale.pass, language).name : t('Value on a trip card');
  return writeDocument(tx, context, {
    ...{ kind: 'receipt', orderId: null, cardSaleId: sale.id, refersTo: null, throughSeq: 0 },
    ...{ total, currency: sale.currency },
    content: {
      ...{ language, reference: '', seller, recipient: recipient && nameRecipient(recipient) },
      ...(due ? { due } : {}),
      ...chooseElectronicTerms({ recipient, settings, currency: sale.currency }, untaxed),
      lines: [
        {
          ...{ text, quantity: sale.cards, taxBp: 0, gross: total, tax: 0 },
          parts: [{ taxBp: 0, name: untaxed, gross: total, tax: 0 }],
        },
      ],
    },
  });
}

/** Issues the credit note of the whole receipt of a sale of trip cards. Nothing is to be paid for a credit note. */
export function creditSaleReceipt(
  tx: Database,
  context: Pick<Context, 'clock'>,
  { number, cardSaleId, total, currency, content: { due: _, ...content } }: ReceiptRow,
): Promise<ReceiptRow> {
  return writeDocument(tx, context, {
    ...{ kind: 'credit_note', orderId: null, cardSaleId, refersTo: number, throughSeq: 0 },
    ...{ total: -total, currency },
    content: {
      ...content,
      lines: content.lines.map((line) => ({
        ...{ ...line, quantity: -line.quantity, gross: -line.gross },
        ...(line.parts ? { parts: line.parts.map((part) => ({ ...part, gross: -part.gross })) } : {}),
      })),
    },
  });
}

function chooseElectronicTerms(
  {
    recipient,
    settings: { seller },
    currency,
  }: { recipient: Recipient | null; settings: WebSettings; currency: string },
  reason: string,
): Pick<ReceiptContent, 'electronic'> {
  const recipientCountry = recipient?.country;
  if (seller.country === null || recipientCountry === undefined || !hasUblAmounts(currency)) return {};
  const zeroTax = { category: 'outside_scope', reason } as const;
  return { electronic: { sellerCountry: seller.country, recipientCountry, zeroTax } };
}
