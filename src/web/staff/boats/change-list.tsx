import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { previewUndoBoatChanges, undoBoatChanges } from '#contract/desk/endpoints.ts';
import { Problem } from '#web/features/site/problem.tsx';
import { formatWhenCapitalized } from '#web/features/site/timestamp.tsx';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { BoatChange, BoatChangeOutcome } from '#web/platform/api/types.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { RowList } from '#web/ui/data/row-list.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { notifyDone } from '../notice-texts.ts';
import { usePermission } from '../session/staff-session.ts';
import { refreshBoats } from './boat-queries.ts';
import { OutcomeDialog } from './outcome-dialog.tsx';

type ListedChange = Pick<BoatChange, 'id' | 'source' | 'at'> & { title: string };

type ChangeListProps = {
  label: string;
  changes: readonly ListedChange[];
  /** In milliseconds. */
  now: number;
};

/** What was decided about boats or a port. Staff with the right undo what staff decided, after they saw whom it affects. */
export function ChangeList({ label, changes, now }: ChangeListProps) {
  const client = useQueryClient();
  const mayUndo = usePermission('change_sailings');
  const [review, setReview] = useState<{ change: ListedChange; outcome: BoatChangeOutcome } | null>(null);
  const undo = useAction(({ id }: ListedChange) => request(undoBoatChanges, { body: { changes: [id] } }), {
    onDone: async (done) => {
      await refreshBoats(client);
      notifyDone(done, done.unreachable.length);
      setReview(null);
    },
  });
  const preview = useAction(
    ({ id }: ListedChange) => request(previewUndoBoatChanges, { body: { changes: [id] } }),
    {
      onDone: (outcome, change) => (needsReview(outcome) ? setReview({ change, outcome }) : undo.run(change)),
    },
  );
  const nameUndo = ({ title }: ListedChange) => t('Undo: {change}', { change: title });
  return (
    <>
      <Problem text={preview.problem ?? (review === null ? undo.problem : null)} />
      <RowList
        label={label}
        rows={changes.map((change) => ({
          ...{ id: change.id, title: change.title, details: formatWhenCapitalized(change.at, now) },
          action: mayUndo && change.source === 'staff' && (
            <Button
              variant="secondary"
              size="small"
              needsConnection
              isPending={preview.input?.id === change.id || undo.input?.id === change.id}
              aria-label={nameUndo(change)}
              onClick={() => preview.run(change)}
            >
              {t('Undo')}
            </Button>
          ),
        }))}
      />
      {review && (
        <OutcomeDialog
          title={nameUndo(review.change)}
          confirm={t('Undo')}
          outcome={review.outcome}
          action={{ ...undo, run: () => undo.run(review.change) }}
          onBack={() => setReview(null)}
          onClose={() => setReview(null)}
        />
      )}
    </>
  );
}

/** An undo that affects no order needs no second answer, unless it would have boats sail at the same time. */
function needsReview({ notified, unpaidNotified, ...affected }: BoatChangeOutcome): boolean {
  const { unreachable, orders, underWay, doubleBookings } = affected;
  return notified + unpaidNotified + [unreachable, orders, underWay, doubleBookings].flat().length > 0;
}
