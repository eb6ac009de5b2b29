import { removePasskey } from '#contract/security/endpoints.ts';
import { request } from '#web/platform/api/request.ts';

import type { Passkey } from '#web/platform/api/types.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { pageConfig } from '#web/platform/page-config.ts';
import { reportUnknownPasskey } from '#web/platform/passkeys/passkeys.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { useSecurityAction } from './use-security-action.ts';

type RemovePasskeyDialogProps = { passkey: Passkey; onClose: () => void };

export function RemovePasskeyDialog({ passkey, onClose }: RemovePasskeyDialogProps) {
  const remove = useSecurityAction(() => request(removePasskey, { params: { id: passkey.id } }), {
    onDone: () => {
      // So that the browser stops offering it.
      void reportUnknownPasskey({ rpId: pageConfig().parent_domain, credentialId: passkey.credentialId });
      notify(`“${passkey.name}” is removed.`, { type: 'success' });
      onClose();
    },
  });
  return (
    <ConfirmDialog title={`Remove “${passkey.name}”?`} confirm="Remove" action={remove} onClose={onClose}>
      You can no longer sign in with it. If your device or password manager still offers it, delete it there
      too.
    </ConfirmDialog>
  );
}
