import { useQuery, useQueryClient } from '@tanstack/react-query';
import { t } from '#web/language/texts.ts';
import { ApiError } from '#web/platform/api/api-error.ts';
import { explainFailure } from '#web/platform/forms/problems.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { findPushState, turnPushOff, turnPushOn } from '#web/platform/push/push.ts';
import { Problem } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Cluster, Stack } from '#web/ui/layout/stack.tsx';

export function PushControl({ orderId }: { orderId: string }) {
  const client = useQueryClient();
  const queryKey = ['push', orderId];
  const { data: state } = useQuery({ queryKey, queryFn: () => findPushState(orderId), retry: false });
  const action = useAction((turn: typeof turnPushOn) => turn(orderId), {
    onDone: (next) => client.setQueryData(queryKey, next),
    explain: (failure) =>
      failure instanceof ApiError
        ? explainFailure(failure)
        : t('Your browser could not turn that on. Please try again.'),
  });
  if (state === undefined || state === 'unsupported') return null;
  const isOn = state === 'on';
  return (
    <Stack gap="xs" data-no-print="">
      <Cluster justify="between">
        <span role="status" className={isOn || state === 'off' ? undefined : 'note'}>
          {describeState(state)}
        </span>
        {(isOn || state === 'off') && (
          <Button
            variant={isOn ? 'quiet' : 'secondary'}
            size="small"
            needsConnection
            isPending={action.isPending}
            onClick={() => action.run(isOn ? turnPushOff : turnPushOn)}
          >
            {isOn ? t('Turn off|pushes') : t('Tell me')}
          </Button>
        )}
      </Cluster>
      <Problem text={action.problem} />
    </Stack>
  );
}

function describeState(state: 'needs-install' | 'denied' | 'off' | 'on'): string {
  switch (state) {
    case 'needs-install':
      return t(
        'Put the app on your home screen and open your order there. Then we can tell you if the boat is late, canceled or moved.',
      );
    case 'denied':
      return t(
        'Notifications of this site are blocked. Allow them in your browser’s settings to be told here if the boat is late, canceled or moved.',
      );
    case 'on':
      return t('We tell you on this device if the boat is late, canceled or moved.');
    case 'off':
      return isPhone()
        ? t('Tell me on this phone if the boat is late, canceled or moved')
        : t('Tell me on this device if the boat is late, canceled or moved');
  }
}

function isPhone(): boolean {
  return /iPhone|Android.*Mobile/.test(navigator.userAgent);
}
