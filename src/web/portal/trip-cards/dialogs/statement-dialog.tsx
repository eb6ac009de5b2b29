import { useState } from 'react';
import { getStatement } from '#contract/trip-cards/endpoints.ts';
import { download } from '#web/platform/api/file.ts';
import type { InputOf } from '#web/platform/api/request-types.ts';
import type { TripCard } from '#web/platform/api/types.ts';
import type { Problems } from '#web/platform/forms/problems.ts';
import { saveFile } from '#web/portal/parts/save-file.ts';
import { DatePicker } from '#web/ui/calendar/date-picker.tsx';
import { Segmented } from '#web/ui/form/segmented.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { cardTitle } from '../labels.ts';
import { FormDialog } from './form-dialog.tsx';
import { useFormAction } from './use-form-action.ts';

type Span = '30' | '90' | '365' | 'chosen';

export function StatementDialog({ card, onClose }: { card: TripCard; onClose: () => void }) {
  const [span, setSpan] = useState<Span>('30');
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [format, setFormat] = useState<'csv' | 'pdf'>('pdf');
  const form = useFormAction({
    fields: FIELDS,
    act: (query: NonNullable<InputOf<typeof getStatement>['query']>) =>
      download(getStatement, { params: { id: card.id }, query }),
    onDone: ({ name, contents }) => {
      saveFile(name, contents.type, contents);
      onClose();
    },
  });
  return (
    <FormDialog
      title={`Statement of ${cardTitle(card)}`}
      submit="Download"
      pendingText="Preparing…"
      isPending={form.isPending}
      problemTitle="The statement could not be made"
      errors={form.errors}
      formProblem={form.formProblem}
      onSubmit={() =>
        form.submit(span === 'chosen' ? check(from, to) : {}, () =>
          span === 'chosen' ? { from, to, format } : { from: dayAgo(Number(span) - 1), format },
        )
      }
      onClose={onClose}
    >
      <p>Every transaction, with the balance after it.</p>
      <Select
        label="Days"
        value={span}
        onChange={(event) => setSpan(event.target.value as Span)}
        options={SPANS}
      />
      {span === 'chosen' && (
        <>
          <DatePicker {...form.fieldProps('from')} label="From" value={from} onChange={setFrom} />
          <DatePicker {...form.fieldProps('to')} label="To" value={to} onChange={setTo} />
        </>
      )}
      <Segmented
        legend="Format"
        value={format}
        onChange={setFormat}
        options={[
          { value: 'pdf', label: 'PDF, to print' },
          { value: 'csv', label: 'CSV, for a spreadsheet' },
        ]}
      />
    </FormDialog>
  );
}

const FIELDS = ['from', 'to'] as const;
const MAX_DAYS = 366;
const DAY_MS = 86_400_000;
const SPANS: { value: Span; label: string }[] = [
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
  { value: '365', label: 'Last 12 months' },
  { value: 'chosen', label: 'Choose days' },
];

function check(from: string, to: string): Problems<'from' | 'to'> {
  if (from === '') return { from: 'Choose the first day.' };
  if (to === '') return { to: 'Choose the last day.' };
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days < 1) return { to: 'The last day is before the first. Choose a later one.' };
  return days > MAX_DAYS ? { to: 'A statement covers 366 days at most. Choose fewer days.' } : {};
}

/** `YYYY-MM-DD` on this device's calendar. */
function dayAgo(days: number): string {
  const day = new Date();
  day.setDate(day.getDate() - days);
  const part = (number: number) => String(number).padStart(2, '0');
  return `${day.getFullYear()}-${part(day.getMonth() + 1)}-${part(day.getDate())}`;
}
