import { useState } from 'react';
import { confirmAuthenticator } from '#contract/identity/security/endpoints.ts';
import { QrCode } from '#web/features/ticket/qr-code.tsx';
import { profileStore } from '#web/platform/account/profile.ts';
import { hasErrorCode } from '#web/platform/api/api-error.ts';
import { request } from '#web/platform/api/request.ts';
import type { AuthenticatorSetup } from '#web/platform/api/types.ts';
import { explainFailure } from '#web/platform/forms/problems.ts';
import { useBusyWhile } from '#web/platform/updates/busy.ts';
import { CopyButton } from '#web/ui/form/copy-button.tsx';
import { Cluster, Stack } from '#web/ui/layout/stack.tsx';
import { Modal } from '#web/ui/popup/modal.tsx';
import { CodeForm } from '../forms/code-form.tsx';
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx';
import styles from './setup-dialog.module.css';
import { useReloadSecurity } from './use-security-action.ts';

type SetupDialogProps = { setup: AuthenticatorSetup; onClose: () => void };

export function SetupDialog({ setup, onClose }: SetupDialogProps) {
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const reloadSecurity = useReloadSecurity();
  useBusyWhile(true, 'an authenticator being set up');
  if (codes !== null) {
    return <RecoveryCodesDialog codes={codes} intro="Two-step sign-in is on. " onClose={onClose} />;
  }
  return (
    <Modal title="Set up an authenticator" onClose={onClose}>
      <Stack gap="lg">
        <Stack gap="sm">
          <p>Scan this with your authenticator app.</p>
          <div className={styles.code}>
            <QrCode payload={setup.otpauthUri} label="Code to scan with your authenticator app" />
          </div>
          <p>
            App on this device? <a href={setup.otpauthUri}>Open it there</a>, or enter this key:
          </p>
          <Cluster>
            <code className={styles.secret} translate="no">
              {groupByFour(setup.secret)}
            </code>
            <CopyButton size="small" text={setup.secret} label="Copy" />
          </Cluster>
        </Stack>
        <CodeForm
          label="Code that the app shows"
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
              ? 'That took too long. Close this and start again.'
              : explainFailure(failure),
          })}
        />
      </Stack>
    </Modal>
  );
}

/** In groups of four, which are easier to type. */
function groupByFour(secret: string): string {
  return secret.match(/.{1,4}/g)?.join(' ') ?? secret;
}
