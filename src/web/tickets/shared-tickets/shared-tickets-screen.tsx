import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useParams } from 'react-router';
import { getSharedCalendar, getSharedTicketsPdf } from '#contract/orders/ticket-shares/endpoints.ts';
import { fillPath, ticketPages } from '#contract/paths.ts';
import { InstallInvitation } from '#web/features/install/install-invitation.tsx';
import { BoatsAccessibility } from '#web/features/sailing/accessibility.tsx';
import { SavedAgeLine, useIsFresh } from '#web/features/saved-offline/saved-age.tsx';
import { LoadProblem } from '#web/features/site/load-problem.tsx';
import { AddToCalendar, PrintTickets } from '#web/features/ticket/downloads.tsx';
import { OrderTickets } from '#web/features/ticket/order-tickets.tsx';
import { t } from '#web/language/texts.ts';
import { hasErrorCode } from '#web/platform/api/api-error.ts';
import type { SharedTickets } from '#web/platform/api/types.ts';
import { useReadableOffline } from '#web/platform/connection/readable-offline.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import { isKnownSignedIn } from '#web/platform/session/session.ts';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Loading } from '#web/ui/feedback/skeleton.tsx';
import { ButtonLink } from '#web/ui/form/button.tsx';
import { ActionList } from '#web/ui/layout/action-list.tsx';
import { Columns } from '#web/ui/layout/columns.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { DeleteTickets } from '../saved-tickets/delete-tickets.tsx';
import { rememberSavedOrders } from '../saved-tickets/has-saved-orders.tsx';
import { saveSharedTickets, useRestoringOrders } from '../saved-tickets/saved-orders.ts';
import { sharedTicketsQuery } from './shared-tickets-query.ts';

/** Tickets that another person sent with a link. They are saved on this device like bought ones. */
export function SharedTicketsScreen() {
  const { token = '' } = useParams();
  const isRestoring = useRestoringOrders();
  // Restored data would replace an earlier answer that the tickets were revoked.
  const query = useQuery({ ...sharedTicketsQuery(token), ...saveSharedTickets(), enabled: !isRestoring });
  const isFresh = useIsFresh(query);
  if (hasErrorCode(query.error, 'not_found')) return <NotShared isRevoked={query.data !== undefined} />;
  if (query.data) return <Shared shared={query.data} token={token} isFresh={isFresh} />;
  if (query.isError) {
    return <LoadProblem title={t('Your tickets could not be loaded')} query={query} />;
  }
  return <Loading text={t('Loading your tickets…')} height="4rem" lines={5} />;
}

type SharedProps = { shared: SharedTickets; token: string; isFresh: boolean };

function Shared({ shared, token, isFresh }: SharedProps) {
  useReadableOffline();
  useEffect(() => rememberSavedOrders(true), []);
  const { tickets, notice, asOf } = shared;
  const count = tickets.length;
  const hasValid = tickets.some(({ status }) => status !== 'canceled');
  return (
    <Stack gap="lg">
      <Stack as="header" gap="xs">
        <h1>{t('{count, plural, one {Your ticket} other {Your tickets}}', { count })}</h1>
        <p className="muted">
          {t(
            '{count, plural, one {Sent to you by the person who bought it.} other {Sent to you by the person who bought them.}}',
            { count },
          )}
        </p>
      </Stack>
      {notice && (
        <Notice type="warning" role="status">
          {notice}
        </Notice>
      )}
      {!hasValid && (
        <Notice type="warning" role="status" title={t('Canceled|tickets')}>
          {t(
            '{count, plural, one {Do not travel with this ticket.} other {Do not travel with these tickets.}} Ask the person who sent them to you.',
            { count },
          )}
        </Notice>
      )}
      <Columns
        aside={
          <Stack gap="lg" data-no-print="">
            {hasValid && (
              <ActionList label={t('What you can do')}>
                <AddToCalendar file={fillPath(getSharedCalendar.path, { token })} />
                <PrintTickets pdf={fillPath(getSharedTicketsPdf.path, { token })} />
              </ActionList>
            )}
            <InstallInvitation />
            <SavedAgeLine asOf={[asOf]} isFresh={isFresh} now={serverNow()} />
            {!isKnownSignedIn() && <DeleteTickets />}
          </Stack>
        }
      >
        <OrderTickets order={shared} isFresh={isFresh} />
        <BoatsAccessibility boats={shared.legs} />
      </Columns>
    </Stack>
  );
}

/** `isRevoked`: the link worked on this device before. */
function NotShared({ isRevoked }: { isRevoked: boolean }) {
  return (
    <EmptyState
      titleAs="h1"
      icon="ticket"
      title={isRevoked ? t('These tickets were taken back') : t('This link opens no tickets')}
      action={
        <ButtonLink to={ticketPages.home} variant="secondary">
          {t('Buy tickets')}
        </ButtonLink>
      }
    >
      {isRevoked
        ? t(
            'The person who sent them to you has taken them back. Ask them for a new link if you travel together.',
          )
        : t(
            'Check that the link is complete. The person who sent it may also have taken the tickets back: ask them for a new link.',
          )}
    </EmptyState>
  );
}
