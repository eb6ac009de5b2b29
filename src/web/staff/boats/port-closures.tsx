import { useState } from 'react';
import { closePort, previewPortClosure } from '#contract/desk/endpoints.ts';
import { CLOSURE_LIMIT_DAYS } from '#contract/desk/limits.ts';
import type { ExceptionReason } from '#contract/sailings/exceptions.ts';
import { findOfferedLanguage } from '#messages/languages.ts';
import { formatDay } from '#web/features/site/local-time.ts';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { DeskBoard, PortClosure } from '#web/platform/api/types.ts';
import { useRequestOnce } from '#web/platform/idempotency/use-request-once.ts';
import { currentSettings } from '#web/platform/settings/settings.ts';
import { addDays } from '#web/ui/calendar/calendar.ts';
import { Button } from '#web/ui/form/button.tsx';
import { TextField } from '#web/ui/form/field.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { usePermission } from '../session/staff-session.ts';
import { listTexts, PassengerTexts, ReasonField, type Texts } from './announcement-fields.tsx';
import { ChangeForm } from './change-form.tsx';
import { ChangeList } from './change-list.tsx';
import { listCauses } from './change-texts.ts';

/** Days on which the port is closed, and closing it. */
export function PortClosures({ board, now }: { board: DeskBoard; now: number }) {
  const mayChange = usePermission('change_sailings');
  const [isOpen, setOpen] = useState(false);
  const { closures } = board;
  if (!mayChange && closures.length === 0) return null;
  return (
    <Card title={t('Port')}>
      <Stack>
        {closures.length > 0 && (
          <ChangeList
            label={t('Closed|a port')}
            changes={closures.map((closure) => ({ ...closure, title: describeClosure(closure) }))}
            now={now}
          />
        )}
        {mayChange && (
          <div>
            <Button variant="danger" needsConnection onClick={() => setOpen(true)}>
              {t('Close the port')}
            </Button>
          </div>
        )}
      </Stack>
      {isOpen && <ClosureDialog board={board} onClose={() => setOpen(false)} />}
    </Card>
  );
}

function describeClosure(closure: PortClosure): string {
  return [t('Port closed'), describeDays(closure), ...listCauses(closure)].join(' · ');
}

function describeDays({ from, until }: Pick<PortClosure, 'from' | 'until'>): string {
  return from === until
    ? formatDay(from)
    : t('{from} to {until}', { from: formatDay(from), until: formatDay(until) });
}

type Values = { from: string; until: string; reason: ExceptionReason | ''; texts: Texts };

function ClosureDialog({ board: { port, day }, onClose }: { board: DeskBoard; onClose: () => void }) {
  const requestOnce = useRequestOnce();
  const params = { code: port.code };
  return (
    <ChangeForm
      title={t('Close {port}', { port: port.name })}
      confirm={t('Close the port')}
      isDangerous
      initial={(): Values => ({ from: day, until: day, reason: '', texts: {} })}
      check={checkDays}
      ask={(values) => request(previewPortClosure, { params, body: describeInput(values) })}
      act={(values) => requestOnce(closePort, { params, body: describeInput(values) })}
      busyReason="a closure of a port being typed"
      onClose={onClose}
    >
      {(form) => (
        <>
          <p>
            {t(
              'Cancels every boat that leaves this port or arrives at it on these days. A boat after midnight belongs to the day before if the timetable has it there.',
            )}
          </p>
          <TextField {...form.input('from')} type="date" label={t('First day')} required />
          <TextField {...form.input('until')} type="date" label={t('Last day')} required />
          <ReasonField
            {...form.field('reason')}
            value={form.values.reason}
            onChange={(reason) => form.change({ reason })}
          />
          <PassengerTexts
            {...form.field('texts')}
            value={form.values.texts}
            language={findOfferedLanguage(currentSettings().language)}
            onChange={(texts) => form.change({ texts })}
          />
        </>
      )}
    </ChangeForm>
  );
}

function checkDays({ from, until }: Values) {
  if (from === '') return { from: t('Enter the first day.') };
  if (until === '' || until < from) return { until: t('Enter the last day, not before the first one.') };
  return until > addDays(from, CLOSURE_LIMIT_DAYS - 1)
    ? { until: t('At most {count} days at once.', { count: CLOSURE_LIMIT_DAYS }) }
    : {};
}

function describeInput({ from, until, reason, texts }: Values) {
  return { from, until, reason: reason || null, texts: listTexts(texts) };
}
