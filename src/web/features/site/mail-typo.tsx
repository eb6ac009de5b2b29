import type { MouseEvent } from 'react';
import { suggestEmail } from '#domain/format/mail-typos.ts';
import { rich } from '#web/language/rich.ts';
import { Button } from '#web/ui/form/button.tsx';

export type MailTypoProps = {
  typed: string;
  /** The customer accepts the address that was probably meant. */
  onAccept: (email: string) => void;
};

export function MailTypo({ typed, onAccept }: MailTypoProps) {
  const meant = suggestEmail(typed);
  if (meant === null) return null;

  /** The button disappears, so the focus returns to the field before it. */
  function accept(event: MouseEvent, email: string) {
    const field = event.currentTarget.closest('div')?.querySelector('input');
    onAccept(email);
    field?.focus();
  }

  return (
    <output>
      {rich('Did you mean <accept>{email}</accept>?', {
        email: meant,
        accept: (email) => (
          <Button size="small" variant="quiet" translate="no" onClick={(event) => accept(event, meant)}>
            {email}
          </Button>
        ),
      })}
    </output>
  );
}
