import { useState } from 'react';
import { getStaffPasskeyChallenge, stepUpStaff } from '#contract/staff/endpoints.ts';
import { CodeForm } from '#web/features/identity/code-form.tsx';
import { PasskeyButton } from '#web/features/identity/passkey-button.tsx';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import { canUsePasskeys } from '#web/platform/passkeys/passkeys.ts';
import { useBusyWhile } from '#web/platform/updates/busy.ts';
import { Stack } from '#web/ui/layout/stack.tsx';
import { Modal } from '#web/ui/popup/modal.tsx';

/** Asks for a code or a passkey before something that only the owner of the account may do. */
export function StepUpDialog({ onConfirmed, onCancel }: { onConfirmed: () => void; onCancel: () => void }) {
  const [hasPasskeys] = useState(canUsePasskeys);
  useBusyWhile(true, 'confirming who it is');
  return (
    <Modal title={t('Confirm it’s you')} size="sm" onClose={onCancel}>
      <Stack>
        <p>{t('This is asked again after ten minutes, in case you left the device unattended.')}</p>
        <CodeForm
          label={t('Code from your authenticator')}
          send={(code) => request(stepUpStaff, { body: { code } })}
          onDone={onConfirmed}
        />
        {hasPasskeys && (
          <PasskeyButton
            challenge={getStaffPasskeyChallenge}
            send={({ temp, response }) => request(stepUpStaff, { body: { temp, response } })}
            onDone={onConfirmed}
          >
            {t('Use a passkey instead')}
          </PasskeyButton>
        )}
      </Stack>
    </Modal>
  );
}
