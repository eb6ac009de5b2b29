import * as z from 'zod/mini';
import { describeCalls } from '#contract/endpoint.ts';
import * as endpoints from './endpoints.ts';

export const privacyCalls = describeCalls(endpoints, {
  deleteCustomer: {
    summary: 'Delete the account; its orders are kept without it and their tickets remain valid',
    response: z.null(),
    errors: ['step_up_required', 'account_in_use'],
  },
  exportCustomer: {
    summary: 'Export everything stored about the customer as JSON',
    response: z.record(z.string(), z.unknown()),
    errors: ['step_up_required', 'rate_limited'],
  },
});
