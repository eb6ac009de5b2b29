import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { Page } from '#web/platform/api/request.ts';
import type { SecurityEvent } from '#web/platform/api/types.ts';
import { ShowMore, useFocusOnMore } from '#web/portal/parts/show-more.tsx';
import { formatWhenCapitalized } from '#web/portal/parts/timestamp.tsx';
import { type Column, Table } from '#web/ui/data/table.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { LoadedCard } from './loaded-card.tsx';

const LABEL = 'Recent security events';

type EventsQuery = UseInfiniteQueryResult<InfiniteData<Page<SecurityEvent[]>>>;

export function EventsCard({ query }: { query: EventsQuery }) {
  return (
    <LoadedCard title={LABEL} what="recent security events" query={query}>
      {({ pages }) => <Events events={pages.flatMap(({ data }) => data)} query={query} />}
    </LoadedCard>
  );
}

function Events({ events, query }: { events: readonly SecurityEvent[]; query: EventsQuery }) {
  const { box, expectMore } = useFocusOnMore<HTMLDivElement>(events.length, 'tbody tr');
  if (events.length === 0) return <p>Sign-ins on new devices and security changes will appear here.</p>;
  return (
    <Stack>
      <div ref={box}>
        <Table
          caption={LABEL}
          isCaptionHidden
          columns={listColumns(query.dataUpdatedAt)}
          rows={events}
          getKey={({ id }) => id}
        />
      </div>
      <ShowMore query={query} onShow={expectMore} />
    </Stack>
  );
}

function listColumns(now: number): Column<SecurityEvent>[] {
  return [
    { id: 'what', header: 'What', cell: ({ kind }) => TEXTS[kind] ?? 'A change to your account' },
    { id: 'device', header: 'Device', cell: ({ device }) => device || 'Not known' },
    { id: 'when', header: 'When', cell: ({ insertedAt }) => formatWhenCapitalized(insertedAt, now) },
  ];
}

const TEXTS: Record<SecurityEvent['kind'], string> = {
  account_created: 'Your account was created',
  signed_in_on_new_device: 'Signed in on a new device',
  password_changed: 'Password changed',
  password_reset: 'Password reset by email',
  password_switched_off: 'Password switched off after too many wrong tries',
  email_change_asked: 'Email change requested',
  email_changed: 'Email changed',
  email_change_undone: 'Email change undone',
  phone_changed: 'Phone number changed',
  passkey_added: 'Passkey added',
  passkey_removed: 'Passkey removed',
  authenticator_added: 'Authenticator set up',
  authenticator_removed: 'Authenticator removed',
  recovery_codes_made: 'New recovery codes created',
  recovery_code_used: 'Recovery code used',
  second_step_locked: 'Second step locked after too many wrong codes',
  mfa_on: 'Two-step sign-in turned on',
  mfa_off: 'Two-step sign-in turned off',
  sessions_ended: 'Other devices signed out',
  primary_card_added: 'Primary payment card added',
  data_exported: 'Your data downloaded',
};
