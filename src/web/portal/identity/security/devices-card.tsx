import type { UseQueryResult } from '@tanstack/react-query';
import { endOtherSessions, endSession } from '#contract/identity/security/endpoints.ts';
import { portalPages } from '#contract/paths.ts';
import { nameDevice } from '#sentences/device.ts';
import { Problem } from '#web/features/site/problem.tsx';
import { formatWhen } from '#web/features/site/timestamp.tsx';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { SignedInDevice } from '#web/platform/api/types.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { RowList } from '#web/ui/data/row-list.tsx';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { Button, ButtonLink } from '#web/ui/form/button.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { LoadedCard } from './loaded-card.tsx';
import { useSecurityAction } from './use-security-action.ts';

export function DevicesCard({ query }: { query: UseQueryResult<SignedInDevice[]> }) {
  return (
    <LoadedCard
      title={t('Where you are signed in')}
      problem={t('We could not load your devices')}
      query={query}
    >
      {(devices) => <Devices devices={sortCurrentFirst(devices)} now={query.dataUpdatedAt} />}
    </LoadedCard>
  );
}

function Devices({ devices, now }: { devices: readonly SignedInDevice[]; now: number }) {
  const end = useSecurityAction(({ id }: SignedInDevice) => request(endSession, { params: { id } }), {
    onDone: (_, { device }) =>
      notify(t('{device} is signed out.', { device: nameDevice(t, device) }), { type: 'success' }),
  });
  const endOthers = useSecurityAction(() => request(endOtherSessions), {
    onDone: () => notify(t('All other devices are signed out.'), { type: 'success' }),
  });
  return (
    <Stack>
      <Problem text={end.problem ?? endOthers.problem} />
      <RowList
        label={t('Devices')}
        rows={devices.map((device) => ({
          id: device.id,
          title: (
            <>
              {nameDevice(t, device.device)} {device.current && <Badge tone="info">{t('This device')}</Badge>}
            </>
          ),
          details: formatDeviceDetails(device, now),
          action: device.current ? (
            <ButtonLink size="small" variant="secondary" to={portalPages.signOut}>
              {t('Sign out')}
            </ButtonLink>
          ) : (
            <Button
              size="small"
              variant="secondary"
              aria-label={t('Sign out {device}', { device: nameDevice(t, device.device) })}
              isPending={end.input?.id === device.id}
              onClick={() => end.run(device)}
            >
              {t('Sign out')}
            </Button>
          ),
        }))}
      />
      {devices.length > 1 ? (
        <Button
          variant="secondary"
          isPending={endOthers.isPending}
          pendingText={t('Signing out…')}
          onClick={() => endOthers.run()}
        >
          {t('Sign out all other devices')}
        </Button>
      ) : (
        <p>{t('You’re not signed in anywhere else.')}</p>
      )}
    </Stack>
  );
}

function sortCurrentFirst(devices: readonly SignedInDevice[]): SignedInDevice[] {
  return devices.toSorted((a, b) => Number(b.current) - Number(a.current));
}

function formatDeviceDetails(device: SignedInDevice, now: number): string {
  const signIn = describeSignIn(device, now);
  return device.current
    ? signIn
    : `${signIn}. ${t('Last seen {time}', { time: formatWhen(device.lastSeenAt, now) })}`;
}

function describeSignIn({ kind, insertedAt }: SignedInDevice, now: number): string {
  const time = formatWhen(insertedAt, now);
  switch (kind) {
    case 'password':
      return t('Signed in with your password {time}', { time });
    case 'magic_link':
      return t('Signed in by email {time}', { time });
    case 'passkey':
      return t('Signed in with a passkey {time}', { time });
    case 'authenticator':
      return t('Signed in in two steps {time}', { time });
  }
}
