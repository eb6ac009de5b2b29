import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useState } from 'react';
import { openDrawer } from '#contract/desk/drawer/endpoints.ts';
import { hasPermission } from '#contract/staff/permissions.ts';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { TextField } from '#web/ui/form/field.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { useStaffSession } from '../session/staff-session.ts';
import { drawerQuery, readAmount, useShowDrawers } from './drawer-query.ts';

/** Says to people who have drawers that cash is in none, and offers to open one. At a gate there may be no session. */
export function CashWithoutDrawer() {
  const role = useStaffSession().data?.staff.role;
  const hasDrawers = role !== undefined && hasPermission(role, 'sell_tickets');
  const { data } = useQuery({ ...drawerQuery, enabled: hasDrawers });
  return data?.open === null ? <OpeningNotice currency={data.currency} /> : null;
}

function OpeningNotice({ currency }: { currency: string }) {
  const show = useShowDrawers();
  const [opening, setOpening] = useState('');
  const [error, setError] = useState<string>();
  const open = useAction((amount: number) => request(openDrawer, { body: { opening: amount } }), {
    onDone: (drawers) => show(drawers, t('The drawer is open.')),
  });
  function start() {
    const amount = readAmount(opening, currency);
    setError(amount === null ? t('Enter an amount.') : undefined);
    if (amount !== null) open.run(amount);
  }
  // It is part of the sale's form, which Enter would send.
  function startOnEnter(event: KeyboardEvent) {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    start();
  }
  return (
    <Notice type="warning" title={t('Your cash drawer is not open')}>
      <Stack gap="sm">
        <p>{t('This cash will be missing from the count at the end of your shift.')}</p>
        <TextField
          label={t('Money in it')}
          inputMode="decimal"
          autoComplete="off"
          value={opening}
          error={error ?? open.problem ?? undefined}
          onChange={(event) => setOpening(event.target.value)}
          onKeyDown={startOnEnter}
        />
        <Button
          size="small"
          variant="secondary"
          needsConnection
          isPending={open.isPending}
          pendingText={t('One moment…')}
          onClick={start}
        >
          {t('Open the drawer')}
        </Button>
      </Stack>
    </Notice>
  );
}
