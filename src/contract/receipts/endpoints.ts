import { endpoint } from '#contract/endpoint.ts';

export const issueReceipts = endpoint('POST', '/api/orders/{id}/receipts', 'optional');
export const getReceiptPdf = endpoint('GET', '/api/receipts/{id}', 'none');
export const getReceiptUbl = endpoint('GET', '/api/receipts/{id}/ubl', 'none');
