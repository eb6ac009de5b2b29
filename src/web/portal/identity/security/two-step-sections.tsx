import { useState } from 'react';
import {
  removeAuthenticator,
  renewRecoveryCodes,
  setUpAuthenticator,
} from '#contract/identity/security/endpoints.ts';
import { ConfirmDialog } from '#web/features/site/dialogs.tsx';
import { ActionButton, Problem } from '#web/features/site/problem.tsx';
import { formatDate } from '#web/features/site/timestamp.tsx';
import { t } from '#web/language/texts.ts';
import { changeProfile } from '#web/platform/account/profile.ts';
import { request } from '#web/platform/api/request.ts';
import type { AuthenticatorSetup, SecurityOverview } from '#web/platform/api/types.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Switch } from '#web/ui/form/switch.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx';
import { SetupDialog } from './setup-dialog.tsx';
import { useSecurityAction } from './use-security-action.ts';

export function AuthenticatorSection({ overview }: { overview: SecurityOverview }) {
  const { status, confirmedAt } = overview.authenticator;
  // Not in SetUp, which is replaced before the dialog's last page is shown.
  const [setup, setSetup] = useState<AuthenticatorSetup | null>(null);
  return (
    <>
      {status === 'active' ? <Active since={confirmedAt} /> : <SetUp onStart={setSetup} />}
      {setup && <SetupDialog setup={setup} onClose={() => setSetup(null)} />}
    </>
  );
}

function SetUp({ onStart }: { onStart: (setup: AuthenticatorSetup) => void }) {
  const begin = useSecurityAction(() => request(setUpAuthenticator), { onDone: onStart });
  return (
    <Stack>
      <p>{t('An app on your phone shows a new code every 30 seconds. You enter it when you sign in.')}</p>
      <ActionButton action={begin} pendingText={t('Preparing…')}>
        {t('Set up an authenticator')}
      </ActionButton>
    </Stack>
  );
}

function Active({ since }: { since: string | null }) {
  const [isRemoving, setIsRemoving] = useState(false);
  const remove = useSecurityAction(() => request(removeAuthenticator), {
    onDone: () => {
      notify(t('Your authenticator is removed.'), { type: 'success' });
      setIsRemoving(false);
    },
  });
  return (
    <Stack>
      <p>
        {since === null
          ? t('Your authenticator is set up.')
          : t('Your authenticator was set up on {date}.', { date: formatDate(since) })}
      </p>
      <Button variant="secondary" onClick={() => setIsRemoving(true)}>
        {t('Remove authenticator')}
      </Button>
      {isRemoving && (
        <ConfirmDialog
          title={t('Remove your authenticator?')}
          size="sm"
          confirm={t('Remove')}
          action={remove}
          onClose={() => setIsRemoving(false)}
        >
          <p>{t('Its codes stop working. To switch phones, remove it here and set up the new one.')}</p>
        </ConfirmDialog>
      )}
    </Stack>
  );
}

/** Whether a second step is asked for. */
export function TwoStepSection({ overview }: { overview: SecurityOverview }) {
  const { mfaRequired, authenticator, passkeys } = overview;
  const hasSecondStep = authenticator.status === 'active' || passkeys > 0;
  const change = useSecurityAction((isOn: boolean) => changeProfile({ mfaRequired: isOn }), {
    onDone: (_, isOn) =>
      notify(t(isOn ? 'Two-step sign-in is on.' : 'Two-step sign-in is off.'), { type: 'success' }),
  });
  return (
    <Stack>
      <Problem text={change.problem} />
      <Switch
        label={t('Ask for a second step')}
        description={t(
          hasSecondStep
            ? 'After your password or emailed code, we also ask for your authenticator or a passkey.'
            : 'Set up an authenticator or add a passkey first.',
        )}
        checked={mfaRequired}
        disabled={!hasSecondStep && !mfaRequired}
        aria-busy={change.isPending || undefined}
        onChange={(event) => change.run(event.target.checked)}
      />
    </Stack>
  );
}

const FEW = 3;

export function RecoveryCodesSection({ overview }: { overview: SecurityOverview }) {
  const { recoveryCodesLeft: left, mfaRequired, authenticator, passkeys } = overview;
  const [isAsking, setIsAsking] = useState(false);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const make = useSecurityAction(async () => (await request(renewRecoveryCodes)).recoveryCodes, {
    onDone: (made) => {
      setIsAsking(false);
      setCodes(made);
    },
  });
  const isNeeded = authenticator.status === 'active' || (mfaRequired && passkeys > 0);
  if (!isNeeded && left === 0 && codes === null) return null;
  return (
    <Stack gap="sm">
      <h3>{t('Recovery codes')}</h3>
      {left > FEW ? (
        <p>
          {t(
            'You have {count, plural, one {# recovery code} other {# recovery codes}}. Use one to sign in without your phone. Each works once.',
            { count: left },
          )}
        </p>
      ) : (
        <Notice type="warning">{describeFew(left)}</Notice>
      )}
      <Problem text={isAsking ? null : make.problem} />
      <Button
        variant="secondary"
        isPending={make.isPending && !isAsking}
        onClick={() => (left === 0 ? make.run() : setIsAsking(true))}
      >
        {t('Get new codes')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t('Get new recovery codes?')}
          size="sm"
          confirm={t('Get new codes')}
          action={make}
          onClose={() => setIsAsking(false)}
        >
          <p>{t('Your current codes stop working. You get ten new ones.')}</p>
        </ConfirmDialog>
      )}
      {codes && <RecoveryCodesDialog codes={codes} onClose={() => setCodes(null)} />}
    </Stack>
  );
}

function describeFew(left: number): string {
  if (left === 0) return t('You have no recovery codes. Get some now, in case you lose your phone.');
  return left === 1
    ? t('You have one recovery code left. Get new ones soon.')
    : t('You have {count, plural, one {# recovery code} other {# recovery codes}} left. Get new ones soon.', {
        count: left,
      });
}
