import type { UseQueryResult } from '@tanstack/react-query';
import { endOtherSessions, endSession } from '#contract/identity/security/endpoints.ts';
import { portalPages } from '#contract/paths.ts';
import { request } from '#web/platform/api/request.ts';
import type { SignedInDevice } from '#web/platform/api/types.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { Problem } from '#web/portal/parts/problem.tsx';
import { formatWhen } from '#web/portal/parts/timestamp.tsx';
import { RowList } from '#web/ui/data/row-list.tsx';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { Button, ButtonLink } from '#web/ui/form/button.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { LoadedCard } from './loaded-card.tsx';
import { useSecurityAction } from './use-security-action.ts';

export function DevicesCard({ query }: { query: UseQueryResult<SignedInDevice[]> }) {
  return (
    <LoadedCard title="Where you are signed in" what="your devices" query={query}>
      {(devices) => <Devices devices={sortCurrentFirst(devices)} now={query.dataUpdatedAt} />}
    </LoadedCard>
  );
}

function Devices({ devices, now }: { devices: readonly SignedInDevice[]; now: number }) {
  const end = useSecurityAction(({ id }: SignedInDevice) => request(endSession, { params: { id } }), {
    onDone: (_, { device }) => notify(`${device} is signed out.`, { type: 'success' }),
  });
  const endOthers = useSecurityAction(() => request(endOtherSessions), {
    onDone: () => notify('All other devices are signed out.', { type: 'success' }),
  });
  return (
    <Stack>
      <Problem text={end.problem ?? endOthers.problem} />
      <RowList
        label="Devices"
        rows={devices.map((device) => ({
          id: device.id,
          title: (
            <>
              {device.device} {device.current && <Badge tone="info">This device</Badge>}
            </>
          ),
          details: formatDeviceDetails(device, now),
          action: device.current ? (
            <ButtonLink size="small" variant="secondary" to={portalPages.signOut}>
              Sign out
            </ButtonLink>
          ) : (
            <Button
              size="small"
              variant="secondary"
              aria-label={`Sign out ${device.device}`}
              isPending={end.input?.id === device.id}
              onClick={() => end.run(device)}
            >
              Sign out
            </Button>
          ),
        }))}
      />
      {devices.length > 1 ? (
        <Button
          variant="secondary"
          isPending={endOthers.isPending}
          pendingText="Signing out…"
          onClick={() => endOthers.run()}
        >
          Sign out all other devices
        </Button>
      ) : (
        <p>You’re not signed in anywhere else.</p>
      )}
    </Stack>
  );
}

function sortCurrentFirst(devices: readonly SignedInDevice[]): SignedInDevice[] {
  return devices.toSorted((a, b) => Number(b.current) - Number(a.current));
}

const SIGN_IN_METHODS: Record<SignedInDevice['kind'], string> = {
  password: 'with your password',
  magic_link: 'by email',
  passkey: 'with a passkey',
  authenticator: 'in two steps',
};

function formatDeviceDetails({ kind, insertedAt, lastSeenAt, current }: SignedInDevice, now: number): string {
  const began = `Signed in ${SIGN_IN_METHODS[kind]} ${formatWhen(insertedAt, now)}`;
  return current ? began : `${began}. Last seen ${formatWhen(lastSeenAt, now)}`;
}
