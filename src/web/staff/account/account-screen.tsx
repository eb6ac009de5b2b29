import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  addStaffPasskey,
  changeStaffPassword,
  createStaffPasskeyChallenge,
  endOwnStaffSession,
  getStaffAccount,
  removeStaffPasskey,
} from '#contract/staff/account/endpoints.ts';
import { nameDevice } from '#sentences/device.ts';
import {
  countMissingCharacters,
  NewPasswordField,
  PASSWORD_REFUSALS,
} from '#web/features/identity/new-password-field.tsx';
import { QueryFallback } from '#web/features/site/load-problem.tsx';
import { ActionButton, Problem } from '#web/features/site/problem.tsx';
import { formatDate, formatWhen, formatWhenCapitalized } from '#web/features/site/timestamp.tsx';
import { t } from '#web/language/texts.ts';
import { Verbatim } from '#web/platform/api/case-conversion.ts';
import { request } from '#web/platform/api/request.ts';
import type { StaffAccount } from '#web/platform/api/types.ts';
import { MESSAGES } from '#web/platform/forms/messages.ts';
import { explainFailure } from '#web/platform/forms/problems.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { canUsePasskeys, isCanceled } from '#web/platform/passkeys/passkeys.ts';
import { Table } from '#web/ui/data/table.tsx';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { PageHeader } from '#web/ui/layout/page.tsx';
import { Grid, Stack } from '#web/ui/layout/stack.tsx';
import { PinCard } from '../devices/pin-card.tsx';
import { ShortcutCard } from '../palette/shortcut-card.tsx';
import { usePermission, useStaff } from '../session/staff-session.ts';

const accountQuery = queryOptions({
  queryKey: ['staff-account'] as const,
  queryFn: ({ signal }) => request(getStaffAccount, { signal }),
});

/** How the signed-in staff member signs in, and where they are signed in. */
export function AccountScreen() {
  const query = useQuery(accountQuery);
  const { data, dataUpdatedAt: now } = query;
  const mayScan = usePermission('scan_tickets');
  return (
    <>
      <PageHeader title={t('Your account')} intro={t('How you sign in, and where you’re signed in.')} />
      {data === undefined ? (
        <QueryFallback query={query} problem={t('We could not load your account')} loading={t('Loading…')}>
          <Skeleton height="20rem" />
        </QueryFallback>
      ) : (
        <Grid gap="lg">
          <Passkeys account={data} now={now} />
          {data.hasPassword && <Password />}
          {mayScan && <PinCard />}
          <ShortcutCard />
          <Sessions account={data} now={now} />
        </Grid>
      )}
    </>
  );
}

type CardProps = { account: StaffAccount; now: number };

function useReload() {
  const client = useQueryClient();
  return () => client.invalidateQueries(accountQuery);
}

function Passkeys({ account: { passkeys }, now }: CardProps) {
  const reload = useReload();
  const add = useAction(createAndAdd, {
    onDone: async () => {
      await reload();
      notify(t('Your passkey is added. You can sign in with it from now on.'), { type: 'success' });
    },
    explain: (failure) =>
      isCanceled(failure) ? t('No passkey was added. You can try again.') : explainFailure(failure),
  });
  const remove = useAction((id: string) => request(removeStaffPasskey, { params: { id } }), {
    onDone: async () => {
      await reload();
      notify(t('Your passkey is removed.'), { type: 'success' });
    },
  });
  return (
    <Card title={t('Passkeys')}>
      <Stack>
        <p>{t('Sign in with your face, fingerprint or screen lock. No password to remember or type.')}</p>
        <Problem text={remove.problem} />
        {passkeys.length > 0 && (
          <Table
            caption={t('Passkeys')}
            isCaptionHidden
            rows={passkeys}
            getKey={({ id }) => id}
            columns={[
              { id: 'name', header: t('Name'), cell: ({ name }) => name },
              { id: 'added', header: t('Added'), cell: ({ insertedAt }) => formatDate(insertedAt) },
              {
                id: 'used',
                header: t('Last used'),
                cell: ({ lastUsedAt }) =>
                  lastUsedAt === null ? t('Never') : formatWhenCapitalized(lastUsedAt, now),
              },
              {
                id: 'remove',
                header: t('Remove'),
                cell: ({ id, name }) => (
                  <Button
                    size="small"
                    variant="secondary"
                    aria-label={t('Remove {name}', { name })}
                    isPending={remove.input === id}
                    onClick={() => remove.run(id)}
                  >
                    {t('Remove')}
                  </Button>
                ),
              },
            ]}
          />
        )}
        {canUsePasskeys() && (
          <ActionButton action={add} icon="plus" pendingText={t('Adding…')}>
            {t('Add a passkey')}
          </ActionButton>
        )}
      </Stack>
    </Card>
  );
}

async function createAndAdd() {
  const [{ temp, options }, { createPasskey }] = await Promise.all([
    request(createStaffPasskeyChallenge),
    import('#web/platform/passkeys/create-passkey.ts'),
  ]);
  const response = new Verbatim(await createPasskey(options));
  return request(addStaffPasskey, { body: { temp, response } });
}

function Password() {
  const { email, name } = useStaff();
  const reload = useReload();
  const form = useForm({
    initial: { password: '' },
    check: ({ password }): { password?: string } =>
      countMissingCharacters(password) > 0 ? { password: MESSAGES.shortPassword } : {},
    send: ({ password }) => request(changeStaffPassword, { body: { password } }),
    onDone: async () => {
      form.change({ password: '' });
      await reload();
      notify(t('Your password is changed. All other devices are signed out.'), { type: 'success' });
    },
    byCode: PASSWORD_REFUSALS,
    busyReason: 'new password being typed',
  });
  return (
    <Card title={t('Password')}>
      <Form form={form}>
        <NewPasswordField
          {...form.field('password')}
          label={t('New password')}
          value={form.values.password}
          context={{ email, name }}
          onChange={(password) => form.change({ password })}
        />
        <Button type="submit" variant="secondary" isPending={form.isPending} pendingText={t('Saving…')}>
          {t('Change password')}
        </Button>
      </Form>
    </Card>
  );
}

function Sessions({ account: { sessions }, now }: CardProps) {
  const reload = useReload();
  const end = useAction((id: string) => request(endOwnStaffSession, { params: { id } }), { onDone: reload });
  return (
    <Card title={t('Where you are signed in')}>
      <Stack>
        <Problem text={end.problem} />
        <Table
          caption={t('Devices')}
          isCaptionHidden
          rows={sessions}
          getKey={({ id }) => id}
          columns={[
            {
              id: 'device',
              header: t('Device'),
              cell: ({ device, current }) => (
                <>
                  {nameDevice(t, device)} {current && <Badge tone="info">{t('This device')}</Badge>}
                </>
              ),
            },
            {
              id: 'since',
              header: t('Signed in'),
              cell: ({ insertedAt }) => formatWhenCapitalized(insertedAt, now),
            },
            {
              id: 'seen',
              header: t('Last seen'),
              cell: ({ lastSeenAt }) => formatWhenCapitalized(lastSeenAt, now),
            },
            {
              id: 'end',
              header: t('Sign out'),
              cell: ({ id, device, insertedAt, current }) =>
                current ? (
                  '–'
                ) : (
                  <Button
                    size="small"
                    variant="secondary"
                    aria-label={t('Sign out {device}, signed in {time}', {
                      device: nameDevice(t, device),
                      time: formatWhen(insertedAt, now),
                    })}
                    isPending={end.input === id}
                    onClick={() => end.run(id)}
                  >
                    {t('Sign out')}
                  </Button>
                ),
            },
          ]}
        />
      </Stack>
    </Card>
  );
}
