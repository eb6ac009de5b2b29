import type { privacyCalls } from '#contract/privacy/schemas.ts';
import type { Context } from '../context.ts';
import { readClient, writeCookies } from '../http/client.ts';
import type { Handlers } from '../http/handle-calls.ts';
import { withStepUp } from '../identity/security/step-up.ts';
import { createProofCookie } from '../identity/sessions.ts';
import { deleteCustomer } from './delete-customer.ts';
import { exportCustomer } from './export-customer.ts';

/** Handlers with which customers export and delete everything stored about them. */
export function createPrivacyHandlers(context: Context): Handlers<typeof privacyCalls> {
  return {
    deleteCustomer: withStepUp(context, async ({ session }, c) => {
      await deleteCustomer(context, session);
      writeCookies(c, context.config, [createProofCookie(null)]);
    }),

    exportCustomer: withStepUp(context, ({ session }, c) =>
      exportCustomer(context, { ...session, device: readClient(c).device }),
    ),
  };
}
