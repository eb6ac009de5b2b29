import { useQueryClient } from '@tanstack/react-query';
import { undoBoatChanges } from '#contract/desk/endpoints.ts';
import { Problem } from '#web/features/site/problem.tsx';
import { formatWhenCapitalized } from '#web/features/site/timestamp.tsx';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { BoatChange } from '#web/platform/api/types.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { RowList } from '#web/ui/data/row-list.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { usePermission } from '../session/staff-session.ts';
import { refreshBoats } from './boat-queries.ts';

type ChangeListProps = {
  label: string;
  changes: readonly (Pick<BoatChange, 'id' | 'source' | 'at'> & { title: string })[];
  /** In milliseconds. */
  now: number;
};

/** What was decided about boats or a port. Staff with the right undo what staff decided. */
export function ChangeList({ label, changes, now }: ChangeListProps) {
  const client = useQueryClient();
  const mayUndo = usePermission('change_sailings');
  const undo = useAction((id: string) => request(undoBoatChanges, { body: { changes: [id] } }), {
    onDone: () => refreshBoats(client),
  });
  return (
    <>
      <Problem text={undo.problem} />
      <RowList
        label={label}
        rows={changes.map(({ id, title, source, at }) => ({
          ...{ id, title, details: formatWhenCapitalized(at, now) },
          action: mayUndo && source === 'staff' && (
            <Button
              variant="secondary"
              size="small"
              needsConnection
              isPending={undo.input === id}
              aria-label={t('Undo: {change}', { change: title })}
              onClick={() => undo.run(id)}
            >
              {t('Undo')}
            </Button>
          ),
        }))}
      />
    </>
  );
}
