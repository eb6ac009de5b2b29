import type { WebSettings } from '#contract/settings/schemas.ts';
import { translateSettings } from '#contract/settings/translate-settings.ts';
import { formatMoney } from '#domain/format/money.ts';
import { formatContact } from '#domain/orders/contact.ts';
import type { Translate } from '#messages/translate.ts';
import { textsIn } from '#server/core/texts.ts';
import type { ReceiptRow } from '#server/database/schema/accounting.ts';
import type { InvoiceRow } from '#server/database/schema/invoices.ts';
import { definitions, legalLinks, type MailContent, type MailTexts, text } from '../mail-content.ts';
import { formatDay } from './day.ts';

export type InvoiceMailKind = 'invoice' | 'invoice-reminder' | 'invoice-credited';

type InvoiceMailInput = {
  invoice: InvoiceRow;
  receipt: ReceiptRow;
  /** The credit note, or the invoice itself. */
  document: ReceiptRow;
  /** What is left to pay, in minor units. */
  owed: number;
  settings: WebSettings;
};

/** The content of a mail to the recipient of an invoice. The title is the subject too. */
export function invoiceMailContent(kind: InvoiceMailKind, input: InvoiceMailInput): MailContent {
  const { language } = input.receipt.content;
  const settings = translateSettings(input.settings, language);
  const { brand, contact } = settings;
  const t = textsIn(language);
  const { title, parts } = writeTexts(t, kind, { ...input, settings });
  return {
    ...{ language, brandName: brand.name, accent: brand.accent, title, parts },
    footer: [formatContact(brand.name, contact)],
    footerLinks: legalLinks(t, settings),
  };
}

function writeTexts(t: Translate, kind: InvoiceMailKind, input: InvoiceMailInput): MailTexts {
  const { receipt, document } = input;
  const { number } = receipt;
  if (kind === 'invoice') {
    return {
      title: t('Invoice {number}', { number }),
      parts: [text(t('Thank you for your order. The invoice is attached.')), ...describePayment(t, input)],
    };
  }
  if (kind === 'invoice-reminder') {
    return {
      title: t('Reminder: invoice {number}', { number }),
      parts: [
        text(
          t(
            'We have not received the whole payment of this invoice yet. If you have transferred it meanwhile, ignore this email.',
          ),
        ),
        ...describePayment(t, input),
      ],
    };
  }
  return {
    title: t('Credit note {number}', { number: document.number }),
    parts: [
      text(t('The attached credit note corrects invoice {number}.', { number })),
      ...describePayment(t, input),
    ],
  };
}

/** What is left to pay, until when and where; or that nothing is. */
function describePayment(t: Translate, { receipt, owed, settings }: InvoiceMailInput): MailTexts['parts'] {
  const { content, currency, number } = receipt;
  if (!content.due || owed === 0) return [text(t('Nothing is left to pay.'))];
  return [
    definitions(
      [t('To be paid'), formatMoney(owed, currency, settings.language)],
      [t('Until|a day'), formatDay(content.due.on, settings.language)],
      [t('Bank account'), content.due.bankAccount],
      [t('Payment reference'), number],
    ),
  ];
}
