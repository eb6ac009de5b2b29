import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { nameRole } from '#sentences/staff.ts';
import { QueryFallback } from '#web/features/site/load-problem.tsx';
import { formatWhenCapitalized } from '#web/features/site/timestamp.tsx';
import { t } from '#web/language/texts.ts';
import type { StaffMember } from '#web/platform/api/types.ts';
import type { Column } from '#web/ui/data/table.tsx';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { PageHeader } from '#web/ui/layout/page.tsx';
import { SortedTable } from '../lists/sorted-table.tsx';
import { Permitted } from '../session/permitted.tsx';
import { ChangeDialog } from './change-dialog.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { peopleQuery } from './people-query.ts';

/** Everyone who works here, for managers. */
export function PeopleScreen() {
  return (
    <Permitted permission="manage_staff">
      <People />
    </Permitted>
  );
}

function People() {
  const query = useQuery(peopleQuery);
  const [isInviting, setIsInviting] = useState(false);
  const [changedId, setChangedId] = useState<string | null>(null);
  const changed = query.data?.find(({ id }) => id === changedId);
  return (
    <>
      <PageHeader
        title={t('Staff')}
        intro={t('Who works here, and what they may do.')}
        action={
          <Button icon="plus" onClick={() => setIsInviting(true)}>
            {t('Invite someone')}
          </Button>
        }
      />
      {query.data === undefined ? (
        <QueryFallback query={query} problem={t('We could not load the list')} loading={t('Loading…')}>
          <Skeleton height="16rem" />
        </QueryFallback>
      ) : (
        <SortedTable
          caption={t('Staff')}
          isCaptionHidden
          columns={listColumns(query.dataUpdatedAt, setChangedId)}
          rows={query.data}
          getKey={({ id }) => id}
        />
      )}
      {isInviting && <InviteDialog onClose={() => setIsInviting(false)} />}
      {changed && <ChangeDialog member={changed} onClose={() => setChangedId(null)} />}
    </>
  );
}

function listColumns(now: number, onChange: (id: string) => void): Column<StaffMember>[] {
  return [
    {
      id: 'name',
      header: t('Name'),
      sortBy: ({ name }) => name,
      cell: (member) => (
        <>
          {member.name} <StateBadge member={member} />
        </>
      ),
    },
    { id: 'email', header: t('Email'), sortBy: ({ email }) => email, cell: ({ email }) => email },
    {
      id: 'role',
      header: t('Role'),
      sortBy: ({ role }) => nameRole(t, role),
      cell: ({ role }) => nameRole(t, role),
    },
    { id: 'factor', header: t('Second factor'), cell: describeFactors },
    {
      id: 'seen',
      header: t('Last seen'),
      sortBy: ({ lastSeenAt }) => lastSeenAt ?? '',
      cell: ({ lastSeenAt }) => (lastSeenAt === null ? t('Never') : formatWhenCapitalized(lastSeenAt, now)),
    },
    {
      id: 'change',
      header: t('Change'),
      cell: ({ id, name }) => (
        <Button
          size="small"
          variant="secondary"
          aria-label={t('Change {name}', { name })}
          onClick={() => onChange(id)}
        >
          {t('Change')}
        </Button>
      ),
    },
  ];
}

function StateBadge({ member: { state } }: { member: StaffMember }) {
  if (state === 'active') return null;
  return state === 'invited' ? (
    <Badge tone="info">{t('Invited|a person')}</Badge>
  ) : (
    <Badge tone="warning">{t('Disabled|a person')}</Badge>
  );
}

function describeFactors({ passkeys, hasAuthenticator }: StaffMember): string {
  const factors = [
    ...(passkeys > 0 ? [t('Passkey')] : []),
    ...(hasAuthenticator ? [t('Authenticator')] : []),
  ];
  return factors.join(', ') || t('None yet');
}
