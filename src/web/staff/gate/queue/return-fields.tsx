import { queryOptions } from '@tanstack/react-query';
import { listQueueReturns, quoteQueueEntry } from '#contract/gate/sales/endpoints.ts';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import { BoatPicker } from '#web/staff/boat-picker.tsx';
import { Button } from '#web/ui/form/button.tsx';

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

type ReturnFieldsProps = {
  entryId: string;
  id: string;
  error: string | undefined;
  isOpen: boolean;
  onToggle: () => void;
  /** The sailing by which they return; empty: one way, or none chosen yet. */
  value: string;
  onChange: (sailingId: string) => void;
};

/** Adds the return to a sale: its day and its boat. */
export function ReturnFields({ entryId, id, error, isOpen, onToggle, value, onChange }: ReturnFieldsProps) {
  return (
    <>
      <div>
        <Button variant="secondary" needsConnection onClick={onToggle}>
          {isOpen ? t('Without the return') : t('Add the return')}
        </Button>
      </div>
      {isOpen && (
        <BoatPicker
          id={id}
          error={error}
          name={t('Return')}
          startDay={null}
          queryKey={['turn-up-returns', entryId]}
          list={async (day, signal) => {
            const returns = await request(listQueueReturns, {
              params: { id: entryId },
              query: { day },
              signal,
            });
            return { ...returns, journeys: returns.boats.map((boat) => [boat]) };
          }}
          chosen={value === '' ? [] : [value]}
          onChoose={(journey) => onChange(journey?.[0]?.sailingId ?? '')}
          emptyText={t('No boat back has enough room on this day. Choose another day.')}
        />
      )}
    </>
  );
}
