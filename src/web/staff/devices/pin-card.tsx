import { useState } from 'react';
import { setShiftPin } from '#contract/gate-devices/endpoints.ts';
import { CodeForm } from '#web/features/identity/code-form.tsx';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';

type Step = 'closed' | 'open' | 'done';

/** Where people who check tickets choose the PIN for paired devices. */
export function PinCard() {
  const [step, setStep] = useState<Step>('closed');
  return (
    <Card title={t('PIN for shifts')}>
      <Stack>
        <p>{t('With it you sign in at paired devices of the gates, and nowhere else.')}</p>
        {step === 'closed' && (
          <div>
            <Button variant="secondary" onClick={() => setStep('open')}>
              {t('Choose a PIN')}
            </Button>
          </div>
        )}
        {step === 'open' && (
          <CodeForm
            label={t('New PIN')}
            hint={t('Six digits that are not easy to guess.')}
            button={t('Set the PIN')}
            send={(pin) => request(setShiftPin, { body: { pin } })}
            onDone={() => setStep('done')}
          />
        )}
        {step === 'done' && (
          <Notice type="success" role="status">
            {t('Your PIN is set. It counts from your next shift.')}
          </Notice>
        )}
      </Stack>
    </Card>
  );
}
