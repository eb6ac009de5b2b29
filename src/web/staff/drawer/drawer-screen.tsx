import { useQuery } from '@tanstack/react-query';
import { closeDrawer, openDrawer } from '#contract/desk/drawer/endpoints.ts';
import { DRAWER_NOTE_LENGTH } from '#contract/desk/limits.ts';
import { QueryFallback } from '#web/features/site/load-problem.tsx';
import { formatWhenCapitalized } from '#web/features/site/timestamp.tsx';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { Drawer } from '#web/platform/api/types.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { DefinitionList } from '#web/ui/data/definition-list.tsx';
import { formatMoney } from '#web/ui/data/money.tsx';
import { Table } from '#web/ui/data/table.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { TextField } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { PageHeader } from '#web/ui/layout/page.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { Permitted } from '../session/permitted.tsx';
import { drawerQuery, readAmount, useShowDrawers } from './drawer-query.ts';

/** The cash of one's own shift: opened with what is in the drawer, and closed with what is counted. */
export function DrawerScreen() {
  return (
    <Permitted permission="sell_tickets">
      <PageHeader title={t('Cash drawer')} intro={t('Count it at the start and at the end of your shift.')} />
      <OwnDrawers />
    </Permitted>
  );
}

function OwnDrawers() {
  const query = useQuery(drawerQuery);
  const { data, dataUpdatedAt: now } = query;
  if (data === undefined) {
    return (
      <QueryFallback query={query} problem={t('We could not load your drawer')} loading={t('Loading…')}>
        <Skeleton height="14rem" />
      </QueryFallback>
    );
  }
  const { open, closed, currency } = data;
  return (
    <Stack>
      {open ? (
        <OpenDrawer key={open.id} drawer={open} currency={currency} now={now} />
      ) : (
        <OpeningForm currency={currency} />
      )}
      {closed.length > 0 && <ClosedDrawers drawers={closed} currency={currency} now={now} />}
    </Stack>
  );
}

function OpeningForm({ currency }: { currency: string }) {
  const show = useShowDrawers();
  const form = useForm({
    initial: { opening: '' },
    check: ({ opening }): { opening?: string } =>
      readAmount(opening, currency) === null ? { opening: t('Enter an amount.') } : {},
    send: ({ opening }) => request(openDrawer, { body: { opening: readAmount(opening, currency) ?? 0 } }),
    onDone: (drawers) => show(drawers, t('The drawer is open.')),
    busyReason: 'a drawer being opened',
  });
  return (
    <Card title={t('Open the drawer')}>
      <Form form={form} problemTitle={t('The drawer is not open')}>
        <TextField
          {...form.input('opening')}
          label={t('Money in it')}
          hint={t('The change that you start with. 0 if there is none.')}
          inputMode="decimal"
          autoComplete="off"
          required
        />
        <Button type="submit" needsConnection isPending={form.isPending} pendingText={t('One moment…')}>
          {t('Open the drawer')}
        </Button>
      </Form>
    </Card>
  );
}

type OpenDrawerProps = { drawer: Drawer; currency: string; now: number };

function OpenDrawer({ drawer, currency, now }: OpenDrawerProps) {
  const show = useShowDrawers();
  const { openedAt, opening, taken, paidOut, expected } = drawer;
  const money = (amount: number) => formatMoney(amount, currency);
  const form = useForm({
    initial: { counted: '', note: '' },
    check: ({ counted }): { counted?: string } =>
      readAmount(counted, currency) === null ? { counted: t('Enter an amount.') } : {},
    send: ({ counted, note }) =>
      request(closeDrawer, {
        body: { counted: readAmount(counted, currency) ?? 0, note: note.trim() },
      }),
    onDone: (drawers) => {
      const [last] = drawers.closed;
      show(drawers, last ? describeCount(last, currency) : t('The drawer is closed.'));
    },
    busyReason: 'a drawer being counted',
  });
  return (
    <Card title={t('Your drawer is open')}>
      <Stack>
        <DefinitionList
          items={[
            { term: t('Opened'), details: formatWhenCapitalized(openedAt, now) },
            { term: t('Money in it then'), details: money(opening) },
            { term: t('Taken in cash'), details: money(taken) },
            { term: t('Paid out in cash'), details: money(paidOut) },
            { term: t('Should be in it'), details: money(expected) },
          ]}
        />
        <Form form={form} problemTitle={t('The drawer is not closed yet')}>
          <TextField
            {...form.input('counted')}
            label={t('Counted')}
            inputMode="decimal"
            autoComplete="off"
            required
          />
          <TextField
            {...form.input('note')}
            label={t('Note')}
            hint={t('Why it differs, for example.')}
            autoComplete="off"
            maxLength={DRAWER_NOTE_LENGTH}
          />
          <Button type="submit" needsConnection isPending={form.isPending} pendingText={t('One moment…')}>
            {t('Close the drawer')}
          </Button>
        </Form>
      </Stack>
    </Card>
  );
}

type ClosedDrawersProps = { drawers: readonly Drawer[]; currency: string; now: number };

function ClosedDrawers({ drawers, currency, now }: ClosedDrawersProps) {
  const money = (amount: number) => formatMoney(amount, currency);
  return (
    <Card title={t('Your last shifts')}>
      <Table
        caption={t('Your last shifts')}
        isCaptionHidden
        rows={drawers}
        getKey={({ id }) => id}
        columns={[
          {
            id: 'closed',
            header: t('Closed'),
            cell: ({ closedAt }) => (closedAt === null ? '–' : formatWhenCapitalized(closedAt, now)),
          },
          {
            id: 'expected',
            header: t('Expected|an amount'),
            cell: ({ expected }) => money(expected),
            isFigure: true,
          },
          {
            id: 'counted',
            header: t('Counted'),
            cell: ({ counted }) => money(counted ?? 0),
            isFigure: true,
          },
          {
            id: 'difference',
            header: t('Difference|an amount'),
            cell: (drawer) => money(getDifference(drawer)),
            isFigure: true,
          },
          { id: 'note', header: t('Note'), cell: ({ note }) => note || '–' },
        ]}
      />
    </Card>
  );
}

function getDifference({ counted, expected }: Drawer): number {
  return (counted ?? 0) - expected;
}

function describeCount(drawer: Drawer, currency: string): string {
  const difference = getDifference(drawer);
  const money = formatMoney(Math.abs(difference), currency);
  if (difference === 0) return t('The drawer is closed. It is right.');
  return difference > 0
    ? t('The drawer is closed. There is {money} more than there should be.', { money })
    : t('The drawer is closed. There is {money} less than there should be.', { money });
}
