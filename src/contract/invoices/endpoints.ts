import { staffEndpoint } from '#contract/endpoint.ts';

export const listInvoices = staffEndpoint('GET', '/api/staff/invoices', 'manage_invoices');
export const noteTransfer = staffEndpoint('POST', '/api/staff/invoices/{id}/transfers', 'manage_invoices', {
  idempotency: 'required',
});
export const takeBackTransfer = staffEndpoint(
  'POST',
  '/api/staff/invoices/{id}/transfers/{seq}/take_back',
  'manage_invoices',
);
export const mailInvoice = staffEndpoint('POST', '/api/staff/invoices/{id}/mails', 'manage_invoices', {
  idempotency: 'required',
});
