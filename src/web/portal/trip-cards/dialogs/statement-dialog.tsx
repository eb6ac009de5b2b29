import { getStatement } from '#contract/trip-cards/endpoints.ts';
import { message } from '#messages/translate.ts';
import { FormDialog } from '#web/features/site/dialogs.tsx';
import { cardTitle } from '#web/features/trip-card/trip-card.ts';
import { t } from '#web/language/texts.ts';
import { download } from '#web/platform/api/file.ts';
import { saveFile } from '#web/platform/save-file.ts';
import { addDays, todayOnDevice } from '#web/ui/calendar/calendar.ts';
import { DatePicker } from '#web/ui/calendar/date-picker.tsx';
import { Segmented } from '#web/ui/form/segmented.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { useCardForm } from '../use-card-action.ts';
import type { CardDialogProps } from './change-card-dialogs.tsx';

type Values = { span: string; from: string; to: string; format: 'csv' | 'pdf' };

export function StatementDialog({ card, onClose }: CardDialogProps) {
  const form = useCardForm({
    initial: { span: '30', from: '', to: '', format: 'pdf' } as Values,
    check: ({ span, from, to }) => (span === CHOSEN ? checkDays(from, to) : {}),
    toBody: ({ span, from, to, format }) =>
      span === CHOSEN ? { from, to, format } : { from: addDays(todayOnDevice(), 1 - Number(span)), format },
    send: (query) => download(getStatement, { params: { id: card.id }, query }),
    onDone: ({ name, contents }) => {
      saveFile(name, contents.type, contents);
      onClose();
    },
  });
  const { span, from, to, format } = form.values;
  return (
    <FormDialog
      form={form}
      title={t('Statement of {card}', { card: cardTitle(card) })}
      confirm={t('Download')}
      pendingText={t('Preparing…')}
      problemTitle={t('The statement could not be made')}
      startsFocused={false}
      onClose={onClose}
    >
      <p>{t('Every transaction, with the balance after it.')}</p>
      <Select
        {...form.input('span')}
        label={t('Days')}
        options={SPANS.map(({ value, label }) => ({ value, label: t(label) }))}
      />
      {span === CHOSEN && (
        <>
          <DatePicker
            {...form.field('from')}
            // Translators: the first day of a statement; elsewhere the port of departure.
            label={t('From|a day')}
            value={from}
            onChange={(day) => form.change({ from: day })}
          />
          <DatePicker
            {...form.field('to')}
            label={t('To|a day')}
            value={to}
            onChange={(day) => form.change({ to: day })}
          />
        </>
      )}
      <Segmented
        legend={t('Format')}
        value={format}
        onChange={(chosen) => form.change({ format: chosen })}
        options={[
          { value: 'pdf', label: t('PDF, to print') },
          { value: 'csv', label: t('CSV, for a spreadsheet') },
        ]}
      />
    </FormDialog>
  );
}

const MAX_DAYS = 366;
const DAY_MS = 86_400_000;
const CHOSEN = 'chosen';
const SPANS = [
  { value: '30', label: message('Last 30 days') },
  { value: '90', label: message('Last 90 days') },
  { value: '365', label: message('Last 12 months') },
  { value: CHOSEN, label: message('Choose days') },
];

function checkDays(from: string, to: string): { from?: string; to?: string } {
  if (from === '') return { from: t('Choose the first day.') };
  if (to === '') return { to: t('Choose the last day.') };
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days < 1) return { to: t('The last day is before the first. Choose a later one.') };
  return days > MAX_DAYS ? { to: t('A statement covers 366 days at most. Choose fewer days.') } : {};
}
