/** `open`: something is owed, and the day is not past; `overdue`: it is past; `paid`: nothing is owed any more. */
export const INVOICE_STATES = ['open', 'overdue', 'paid'] as const;
export type InvoiceState = (typeof INVOICE_STATES)[number];
