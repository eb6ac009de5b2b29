import { Link } from 'react-router';
import type { InvoiceState } from '#contract/invoices/states.ts';
import { staffPages } from '#contract/paths.ts';
import { t } from '#web/language/texts.ts';

/** Where a list of invoices is, with its filters. */
export function getInvoicesPath({ state, q }: { state: InvoiceState; q: string }): string {
  const params = new URLSearchParams({
    ...(state === 'open' ? {} : { state }),
    ...(q === '' ? {} : { q }),
  });
  return params.size === 0 ? staffPages.invoices : `${staffPages.invoices}?${params}`;
}

/** An invoice's number, which opens it among the invoices. */
export function InvoiceLink({ number, state }: { number: string; state: InvoiceState }) {
  return <Link to={getInvoicesPath({ state, q: number })}>{t('Invoice {number}', { number })}</Link>;
}
