import { useState } from 'react';
import { confirmAuthenticator } from '#contract/identity/security/endpoints.ts';
import { AuthenticatorKey } from '#web/features/identity/authenticator-key.tsx';
import { CodeForm } from '#web/features/identity/code-form.tsx';
import { t } from '#web/language/texts.ts';
import { profileStore } from '#web/platform/account/profile.ts';
import { hasErrorCode } from '#web/platform/api/api-error.ts';
import { request } from '#web/platform/api/request.ts';
import type { AuthenticatorSetup } from '#web/platform/api/types.ts';
import { explainFailure } from '#web/platform/forms/problems.ts';
import { useBusyWhile } from '#web/platform/updates/busy.ts';
import { Stack } from '#web/ui/layout/stack.tsx';
import { Modal } from '#web/ui/popup/modal.tsx';
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx';
import { useReloadSecurity } from './use-security-action.ts';

type SetupDialogProps = { setup: AuthenticatorSetup; onClose: () => void };

export function SetupDialog({ setup, onClose }: SetupDialogProps) {
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const reloadSecurity = useReloadSecurity();
  useBusyWhile(true, 'an authenticator being set up');
  if (codes !== null) {
    return <RecoveryCodesDialog codes={codes} intro={t('Two-step sign-in is on.')} onClose={onClose} />;
  }
  return (
    <Modal title={t('Set up an authenticator')} onClose={onClose}>
      <Stack gap="lg">
        <AuthenticatorKey setup={setup} />
        <CodeForm
          label={t('Code that the app shows')}
          send={(code) => request(confirmAuthenticator, { body: { code } })}
          onDone={({ recoveryCodes }) => {
            setCodes(recoveryCodes);
            reloadSecurity();
            // The server turns it on with the first authenticator.
            profileStore.set((profile) => ({
              ...profile,
              customer: { ...profile.customer, mfaRequired: true },
            }));
          }}
          onFailed={(failure) => ({
            code: hasErrorCode(failure, 'attempt_expired')
              ? t('That took too long. Close this and start again.')
              : explainFailure(failure),
          })}
        />
      </Stack>
    </Modal>
  );
}
