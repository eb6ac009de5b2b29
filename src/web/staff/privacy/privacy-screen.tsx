import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { fillPath, staffPages } from '#contract/paths.ts';
import { QueryFallback } from '#web/features/site/load-problem.tsx';
import { formatWhenCapitalized } from '#web/features/site/timestamp.tsx';
import { t } from '#web/language/texts.ts';
import type { PrivacyOverview, PrivacyRecord, StoredPerson } from '#web/platform/api/types.ts';
import { checkEmail } from '#web/platform/forms/messages.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { DefinitionList } from '#web/ui/data/definition-list.tsx';
import { RowList } from '#web/ui/data/row-list.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { EmailField } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { PageHeader } from '#web/ui/layout/page.tsx';
import { Cluster, Stack } from '#web/ui/layout/stack.tsx';
import { Permitted } from '../session/permitted.tsx';
import { EraseDialog, ExportDialog } from './answer-dialogs.tsx';
import { overviewQuery, personQuery, privacyPath } from './privacy-queries.ts';
import { namePrivacyAct } from './privacy-texts.ts';

/** Answers persons who ask what is stored about them, or want it erased. */
export function PrivacyScreen() {
  return (
    <Permitted permission="answer_privacy_requests">
      <PrivacyRequests />
    </Permitted>
  );
}

function PrivacyRequests() {
  const [params] = useSearchParams();
  const email = params.get('email') ?? '';
  return (
    <>
      <PageHeader
        title={t('Privacy requests')}
        intro={t(
          'For people who ask what is stored about them, or want it erased, with an account or without.',
        )}
      />
      <Stack>
        <LookUpForm key={email} email={email} />
        {email !== '' && <Person email={email} />}
        <Overview />
      </Stack>
    </>
  );
}

function LookUpForm({ email }: { email: string }) {
  const navigate = useNavigate();
  const form = useForm({
    initial: { email },
    check: (typed) => checkEmail(typed.email),
    send: (typed) => navigate(privacyPath(typed.email.trim())),
  });
  return (
    <Card>
      <Form form={form}>
        <EmailField
          {...form.input('email')}
          label={t('Email of the person')}
          hint={t('Answer only to this address, because anyone can write a name.')}
          autoComplete="off"
          required
        />
        <Cluster>
          <Button type="submit" needsConnection>
            {t('Look up')}
          </Button>
        </Cluster>
      </Form>
    </Card>
  );
}

function Person({ email }: { email: string }) {
  const query = useQuery(personQuery(email));
  if (query.data !== undefined) return <ShownPerson email={email} person={query.data} />;
  return (
    <QueryFallback query={query} problem={t('We could not look up the person')} loading={t('Loading…')}>
      <Skeleton height="12rem" />
    </QueryFallback>
  );
}

function ShownPerson({ email, person }: { email: string; person: StoredPerson }) {
  const [open, setOpen] = useState<'export' | 'erase' | null>(null);
  const { customerId, orders, mails, blockers } = person;
  const close = () => setOpen(null);
  return (
    <Card title={email}>
      <Stack>
        <DefinitionList
          items={[
            {
              term: t('Account'),
              details:
                customerId === null ? (
                  t('none|an account')
                ) : (
                  <Link to={fillPath(staffPages.customer, { id: customerId })}>{t('Open the account')}</Link>
                ),
            },
            { term: t('Orders'), details: String(orders) },
            { term: t('Mails'), details: String(mails) },
          ]}
        />
        {blockers.length > 0 && (
          <Notice type="warning" title={t('The person cannot be erased yet')}>
            <ul>
              {blockers.map((blocker) => (
                <li key={blocker}>{blocker}</li>
              ))}
            </ul>
          </Notice>
        )}
        <Cluster>
          <Button variant="secondary" icon="download" needsConnection onClick={() => setOpen('export')}>
            {t('Export the data')}
          </Button>
          {blockers.length === 0 && (
            <Button variant="danger" needsConnection onClick={() => setOpen('erase')}>
              {t('Erase the person')}
            </Button>
          )}
        </Cluster>
      </Stack>
      {open === 'export' && <ExportDialog email={email} person={person} onClose={close} />}
      {open === 'erase' && <EraseDialog email={email} person={person} onClose={close} />}
    </Card>
  );
}

function Overview() {
  const query = useQuery(overviewQuery);
  if (query.data === undefined) {
    return (
      <QueryFallback query={query} problem={t('We could not load the last answers')} loading={t('Loading…')}>
        <Skeleton height="12rem" />
      </QueryFallback>
    );
  }
  const { records, keep } = query.data;
  return (
    <>
      <Records records={records} now={query.dataUpdatedAt} />
      <Retention keep={keep} />
    </>
  );
}

function Records({ records, now }: { records: readonly PrivacyRecord[]; now: number }) {
  return (
    <Card title={t('Last exports and erasures')}>
      {records.length === 0 ? (
        <p>{t('None yet.')}</p>
      ) : (
        <RowList
          label={t('Last exports and erasures')}
          rows={records.map((record) => ({
            id: record.id,
            title: namePrivacyAct(record.kind),
            details: [
              formatWhenCapitalized(record.at, now),
              nameActor(record),
              t('{count, plural, one {# order} other {# orders}}', { count: record.orders }),
            ].join(' · '),
          }))}
        />
      )}
    </Card>
  );
}

function Retention({ keep }: { keep: PrivacyOverview['keep'] }) {
  const { ordersDays, mailsDays, securityEventsDays, recordsDays, passengerListsHours } = keep;
  const days = (count: number) => t('{count, plural, one {# day} other {# days}}', { count });
  return (
    <Card title={t('How long data is kept')}>
      <DefinitionList
        items={[
          { term: t('Orders, after the last sailing'), details: days(ordersDays) },
          { term: t('Mails, pushes and text messages'), details: days(mailsDays) },
          { term: t('Security events of accounts'), details: days(securityEventsDays) },
          { term: t('This list of exports and erasures'), details: days(recordsDays) },
          {
            term: t('Details for passenger lists, after the arrival'),
            details: t('{count, plural, one {# hour} other {# hours}}', { count: passengerListsHours }),
          },
          { term: t('Audit log'), details: t('For good|data that is kept') },
        ]}
      />
    </Card>
  );
}

function nameActor({ actor, by }: PrivacyRecord): string {
  switch (actor) {
    case 'customer':
      return t('By the person');
    case 'server':
      return t('The server itself');
    case 'operator':
      return by ?? '';
  }
}
