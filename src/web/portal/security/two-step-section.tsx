import { changeProfile } from '#web/platform/account/profile.ts';
import type { SecurityOverview } from '#web/platform/api/types.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { Switch } from '#web/ui/form/switch.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { Problem } from '../parts/problem.tsx';
import { useSecurityAction } from './use-security-action.ts';

export function TwoStepSection({ overview }: { overview: SecurityOverview }) {
  const { mfaRequired, authenticator, passkeys } = overview;
  const hasSecondStep = authenticator.status === 'active' || passkeys > 0;
  const change = useSecurityAction((isOn: boolean) => changeProfile({ mfaRequired: isOn }), {
    onDone: (_, isOn) =>
      notify(isOn ? 'Two-step sign-in is on.' : 'Two-step sign-in is off.', { type: 'success' }),
  });
  return (
    <Stack>
      <Problem text={change.problem} />
      <Switch
        label="Ask for a second step"
        description={
          hasSecondStep
            ? 'After your password or emailed code, we also ask for your authenticator or a passkey.'
            : 'Set up an authenticator or add a passkey first.'
        }
        checked={mfaRequired}
        disabled={!hasSecondStep && !mfaRequired}
        aria-busy={change.isPending || undefined}
        onChange={(event) => change.run(event.target.checked)}
      />
    </Stack>
  );
}
