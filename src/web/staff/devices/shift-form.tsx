import { useState } from 'react';
import { startShift } from '#contract/gate-devices/endpoints.ts';
import { CodeForm } from '#web/features/identity/code-form.tsx';
import { FormPage } from '#web/features/identity/form-page.tsx';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { PairedGateDevice, StaffSession } from '#web/platform/api/types.ts';
import { Button } from '#web/ui/form/button.tsx';
import { RadioCards } from '#web/ui/form/radio-cards.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';

type ShiftFormProps = {
  device: PairedGateDevice;
  onSignedIn: (session: StaffSession) => void;
  /** Signs in with a password or a passkey instead. */
  onOther: () => void;
};

/** The sign-in of a paired device: a name from the list, and its PIN. */
export function ShiftForm({ device: { name, staff }, onSignedIn, onOther }: ShiftFormProps) {
  const [chosen, setChosen] = useState<string | null>(staff.length === 1 ? (staff[0]?.id ?? null) : null);
  return (
    <FormPage title={t('Start a shift')} intro={t('This device is {device}.', { device: name })}>
      <Stack>
        {staff.length === 0 ? (
          <p>{t('No one has set a PIN yet. Sign in another way, and set one in your account.')}</p>
        ) : (
          <RadioCards
            legend={t('Who are you?')}
            value={chosen}
            onChange={setChosen}
            options={staff.map(({ id, name: label }) => ({ value: id, label }))}
          />
        )}
        {chosen !== null && (
          <CodeForm
            key={chosen}
            label={t('Your PIN')}
            button={t('Start the shift')}
            size="large"
            send={(pin) => request(startShift, { body: { staffId: chosen, pin } })}
            onDone={onSignedIn}
          />
        )}
        <Button variant="quiet" size="small" onClick={onOther}>
          {t('Sign in another way')}
        </Button>
      </Stack>
    </FormPage>
  );
}
