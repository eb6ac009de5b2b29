import { Suspense, useState } from 'react';
import { removeAuthenticator, setUpAuthenticator } from '#contract/security/endpoints.ts';
import { request } from '#web/platform/api/request.ts';
import type { AuthenticatorSetup, SecurityOverview } from '#web/platform/api/types.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { lazyComponent } from '#web/platform/updates/missing-chunk.ts';
import { Button } from '#web/ui/form/button.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { Problem } from '../parts/problem.tsx';
import { formatDate } from '../parts/timestamp.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { useSecurityAction } from './use-security-action.ts';

const loadSetupDialog = () => import('./setup-dialog.tsx');
const SetupDialog = lazyComponent(() => loadSetupDialog().then((module) => module.SetupDialog));

export function AuthenticatorSection({ overview }: { overview: SecurityOverview }) {
  const { status, confirmedAt } = overview.authenticator;
  // Not in SetUp, which is replaced before the dialog's last page is shown.
  const [setup, setSetup] = useState<AuthenticatorSetup | null>(null);
  return (
    <>
      {status === 'active' ? <Active since={confirmedAt} /> : <SetUp onStart={setSetup} />}
      {setup && (
        <Suspense>
          <SetupDialog setup={setup} onClose={() => setSetup(null)} />
        </Suspense>
      )}
    </>
  );
}

function SetUp({ onStart }: { onStart: (setup: AuthenticatorSetup) => void }) {
  const begin = useSecurityAction(
    async () => {
      const [begun] = await Promise.all([request(setUpAuthenticator), loadSetupDialog()]);
      return begun;
    },
    { onDone: onStart },
  );
  return (
    <Stack>
      <p>An app on your phone shows a new code every 30 seconds. You enter it when you sign in.</p>
      <Problem text={begin.problem} />
      <div>
        <Button
          variant="secondary"
          isPending={begin.isPending}
          pendingText="Preparing…"
          onClick={() => begin.run()}
        >
          Set up an authenticator
        </Button>
      </div>
    </Stack>
  );
}

function Active({ since }: { since: string | null }) {
  const [isRemoving, setIsRemoving] = useState(false);
  const remove = useSecurityAction(() => request(removeAuthenticator), {
    onDone: () => {
      notify('Your authenticator is removed.', { type: 'success' });
      setIsRemoving(false);
    },
  });
  return (
    <Stack>
      <p>
        {since === null
          ? 'Your authenticator is set up.'
          : `Your authenticator was set up on ${formatDate(since)}.`}
      </p>
      <div>
        <Button variant="secondary" onClick={() => setIsRemoving(true)}>
          Remove authenticator
        </Button>
      </div>
      {isRemoving && (
        <ConfirmDialog
          title="Remove your authenticator?"
          confirm="Remove"
          action={remove}
          onClose={() => setIsRemoving(false)}
        >
          Its codes stop working. To switch phones, remove it here and set up the new one.
        </ConfirmDialog>
      )}
    </Stack>
  );
}
