import type { ReactNode } from 'react';
import { rich } from '#web/language/rich.ts';
import { useSettings } from '#web/platform/settings/settings.ts';

/** Whether the operator has said how to be reached. */
export function useCanReach(): boolean {
  const { contact } = useSettings();
  return contact.phone !== null || contact.email !== null;
}

/** "Call +1 … or write to help@…" as links; nothing if neither is known. */
export function ContactWays({ isSentence = false }: { isSentence?: boolean }) {
  const { phone, email } = useSettings().contact;
  if (phone === null && email === null) return null;
  const values = {
    ways: email === null ? 'phone' : phone === null ? 'email' : 'both',
    phone: phone ?? '',
    email: email ?? '',
    tel: () => phone !== null && <PhoneLink phone={phone} />,
    mail: (address: ReactNode) => <a href={`mailto:${email}`}>{address}</a>,
  };
  return isSentence
    ? rich(
        '{ways, select, phone {Call <tel>{phone}</tel>} email {Write to <mail>{email}</mail>} other {Call <tel>{phone}</tel> or write to <mail>{email}</mail>}}',
        values,
      )
    : // Translators: within a sentence, such as "For a larger group, call …".
      rich(
        '{ways, select, phone {call <tel>{phone}</tel>} email {write to <mail>{email}</mail>} other {call <tel>{phone}</tel> or write to <mail>{email}</mail>}}',
        values,
      );
}

/** "Questions? Call +1 …"; nothing if the operator has not said how to be reached. */
export function Questions() {
  return (
    useCanReach() && rich('Questions? <contact></contact>.', { contact: () => <ContactWays isSentence /> })
  );
}

/** From left to right on every page: a leading plus sign would end up behind the number. */
export function PhoneLink({ phone }: { phone: string }) {
  return (
    <a dir="ltr" href={`tel:${phone.replace(/[^\d+]/g, '')}`}>
      {phone}
    </a>
  );
}
