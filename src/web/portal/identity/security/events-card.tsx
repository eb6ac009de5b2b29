import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { type Message, message } from '#messages/translate.ts';
import { nameDevice } from '#sentences/device.ts';
import { formatWhenCapitalized } from '#web/features/site/timestamp.tsx';
import { t } from '#web/language/texts.ts';
import type { Page } from '#web/platform/api/request.ts';
import type { SecurityEvent } from '#web/platform/api/types.ts';
import { ShowMore, useFocusOnMore } from '#web/portal/parts/show-more.tsx';
import { type Column, Table } from '#web/ui/data/table.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { LoadedCard } from './loaded-card.tsx';

const LABEL = message('Recent security events');

type EventsQuery = UseInfiniteQueryResult<InfiniteData<Page<SecurityEvent[]>>>;

export function EventsCard({ query }: { query: EventsQuery }) {
  return (
    <LoadedCard title={t(LABEL)} problem={t('We could not load recent security events')} query={query}>
      {({ pages }) => <Events events={pages.flatMap(({ data }) => data)} query={query} />}
    </LoadedCard>
  );
}

function Events({ events, query }: { events: readonly SecurityEvent[]; query: EventsQuery }) {
  const { box, expectMore } = useFocusOnMore<HTMLDivElement>(events.length, 'tbody > tr');
  if (events.length === 0)
    return <p>{t('Sign-ins on new devices and security changes will appear here.')}</p>;
  return (
    <Stack>
      <div ref={box}>
        <Table
          caption={t(LABEL)}
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
    { id: 'what', header: t('What'), cell: ({ kind }) => describeEvent(kind) },
    { id: 'device', header: t('Device'), cell: ({ device }) => nameDevice(t, device) || t('Not known') },
    { id: 'when', header: t('When'), cell: ({ insertedAt }) => formatWhenCapitalized(insertedAt, now) },
  ];
}

/** A newer server may report kinds that this page does not know. */
function describeEvent(kind: SecurityEvent['kind']): string {
  const text: Message | undefined = TEXTS[kind];
  return text === undefined ? t('A change to your account') : t(text);
}

const TEXTS: Record<SecurityEvent['kind'], Message> = {
  account_created: message('Your account was created'),
  signed_in_on_new_device: message('Signed in on a new device'),
  password_changed: message('Password changed'),
  password_reset: message('Password reset by email'),
  password_switched_off: message('Password switched off after too many wrong tries'),
  email_change_asked: message('Email change requested'),
  email_changed: message('Email changed'),
  email_change_undone: message('Email change undone'),
  phone_changed: message('Phone number changed'),
  passkey_added: message('Passkey added'),
  passkey_removed: message('Passkey removed'),
  authenticator_added: message('Authenticator set up'),
  authenticator_removed: message('Authenticator removed'),
  recovery_codes_made: message('New recovery codes created'),
  recovery_code_used: message('Recovery code used'),
  second_step_locked: message('Second step locked after too many wrong codes'),
  mfa_on: message('Two-step sign-in turned on'),
  mfa_off: message('Two-step sign-in turned off'),
  sessions_ended: message('Other devices signed out'),
  primary_card_added: message('Primary payment card added'),
  data_exported: message('Your data downloaded'),
};
