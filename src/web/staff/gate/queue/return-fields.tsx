import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listQueueReturns, quoteQueueEntry } from '#contract/gate/sales/endpoints.ts';
import { describeJourney } from '#web/features/sailing/describe-journey.ts';
import { QueryFallback } from '#web/features/site/load-problem.tsx';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import { DatePicker } from '#web/ui/calendar/date-picker.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Select } from '#web/ui/form/select.tsx';

/**
 * What a party pays in each fare, and what is held back on its boats.
 * @param returnId the sailing by which it returns; empty: one way
 */
export function quotesQuery(entryId: string, returnId: string) {
  return queryOptions({
    queryKey: ['turn-up-quotes', entryId, returnId] as const,
    queryFn: ({ signal }) =>
      request(quoteQueueEntry, {
        params: { id: entryId },
        ...(returnId === '' ? {} : { body: { returnSailingId: returnId } }),
        signal,
      }),
    gcTime: 0,
    retry: false,
  });
}

type ReturnPickerProps = {
  entryId: string;
  id: string;
  error: string | undefined;
  /** The sailing by which they return; empty: one way, or none chosen yet. */
  value: string;
  onChange: (sailingId: string) => void;
};

type ReturnFieldsProps = ReturnPickerProps & { isOpen: boolean; onToggle: () => void };

/** Adds the return to a sale: its day and its boat. */
export function ReturnFields({ isOpen, onToggle, ...picker }: ReturnFieldsProps) {
  return (
    <>
      <div>
        <Button variant="secondary" needsConnection onClick={onToggle}>
          {isOpen ? t('Without the return') : t('Add the return')}
        </Button>
      </div>
      {isOpen && <ReturnPicker {...picker} />}
    </>
  );
}

function ReturnPicker({ entryId, id, error, value, onChange }: ReturnPickerProps) {
  const [day, setDay] = useState<string | undefined>();
  const query = useQuery({
    queryKey: ['turn-up-returns', entryId, day] as const,
    queryFn: ({ signal }) =>
      request(listQueueReturns, {
        params: { id: entryId },
        query: day === undefined ? {} : { day },
        signal,
      }),
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  const { data, isPlaceholderData } = query;
  if (data === undefined) {
    return (
      <QueryFallback query={query} problem={t('We could not load the boats')} loading={t('Loading…')}>
        <Skeleton height="6rem" />
      </QueryFallback>
    );
  }
  return (
    <>
      <DatePicker
        label={t('{journey}: day', { journey: t('Return') })}
        value={day ?? data.day}
        min={data.firstDay}
        max={data.lastDay}
        onChange={(next, problem) => {
          if (problem !== null || next === '') return;
          setDay(next);
          onChange('');
        }}
      />
      {isPlaceholderData ? (
        <Skeleton height="4rem" />
      ) : data.boats.length === 0 ? (
        <p role="status" id={id} tabIndex={-1}>
          {t('No boat back has enough room on this day. Choose another day.')}
        </p>
      ) : (
        <Select
          id={id}
          error={error}
          label={t('{journey}: boat', { journey: t('Return') })}
          placeholder={t('Choose a boat')}
          value={value}
          onChange={({ target }) => onChange(target.value)}
          options={data.boats.map((boat) => ({ value: boat.sailingId, label: describeJourney([boat]) }))}
        />
      )}
    </>
  );
}
