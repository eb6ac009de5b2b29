import { useState } from 'react';
import { confirmAuthenticator } from '#contract/security/endpoints.ts';
import { QrCode } from '#web/features/ticket/qr-code.tsx';
import { profileStore } from '#web/platform/account/profile.ts';
import { hasErrorCode } from '#web/platform/api/api-error.ts';
import { request } from '#web/platform/api/request.ts';
import type { AuthenticatorSetup } from '#web/platform/api/types.ts';
import { useBusyWhile } from '#web/platform/updates/busy.ts';
import { CopyButton } from '#web/ui/form/copy-button.tsx';
import { Cluster, Stack } from '#web/ui/layout/stack.tsx';
import { Modal } from '#web/ui/popup/modal.tsx';
import { explainFailure } from '../parts/explain-failure.ts';
import { DigitsForm } from '../step-up/digits-form.tsx';
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx';
import styles from './setup-dialog.module.css';
import { useOwnerAction } from './use-owner-action.ts';

type SetupDialogProps = { setup: AuthenticatorSetup; onClose: () => void };

export function SetupDialog({ setup, onClose }: SetupDialogProps) {
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const confirm = useOwnerAction(
    async (code: string) => (await request(confirmAuthenticator, { body: { code } })).recoveryCodes,
    {
      onDone: (made) => {
        setCodes(made);
        // The server turns it on with the first authenticator.
        profileStore.set((profile) => ({
          ...profile,
          customer: { ...profile.customer, mfaRequired: true },
        }));
      },
      explain: (failure) =>
        hasErrorCode(failure, 'attempt_expired')
          ? 'That took too long. Close this and start again.'
          : explainFailure(failure),
    },
  );
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
            <code className={styles.secret}>{inFours(setup.secret)}</code>
            <CopyButton size="small" text={setup.secret} label="Copy" />
          </Cluster>
        </Stack>
        <DigitsForm
          label="Code that the app shows"
          problem={confirm.problem ?? undefined}
          isPending={confirm.isPending}
          onSubmit={confirm.run}
        />
      </Stack>
    </Modal>
  );
}

/** Nobody types 32 letters without a break. */
function inFours(secret: string): string {
  return secret.match(/.{1,4}/g)?.join(' ') ?? secret;
}
