import { nameRole } from '#sentences/staff.ts';
import type { AccountMailKind } from '../account-mails.ts';
import { button, definitions, text } from '../mail-content.ts';
import type { AccountTemplates } from './trip-cards.ts';

/** The mails to people who work for the operator. */
export const STAFF_MAILS: AccountTemplates<Extract<AccountMailKind, `staff-${string}`>> = {
  'staff-invitation': (t, { link, role }, { settings }) => ({
    title: t('Your staff account at {brand}', { brand: settings.brand.name }),
    parts: [
      text(
        t('You are invited to work for {brand}. Choose how you will sign in:', {
          brand: settings.brand.name,
        }),
      ),
      button(t('Accept the invitation'), link),
      definitions([t('Your role'), nameRole(t, role)]),
      text(t('The link works once, within 7 days. It is for you alone, so don’t pass it on.')),
      text(t('If you don’t work for {brand}, ignore this email.', { brand: settings.brand.name })),
    ],
  }),
};
