import { ActionButton } from '#web/features/site/problem.tsx';
import { t } from '#web/language/texts.ts';
import type { QueueEntry } from '#web/platform/api/types.ts';
import { Button } from '#web/ui/form/button.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { Modal } from '#web/ui/popup/modal.tsx';
import { type EntryChange, useChangeEntry } from './queue.ts';
import styles from './queue-view.module.css';

type EntrySheetProps = {
  entry: QueueEntry;
  title: string;
  /** A sailing of the boat. */
  sailingId: string;
  /** Absent: the staff member or the boat does not sell. */
  onSell: (() => void) | undefined;
  onChanged: (change: EntryChange) => void;
  onClose: () => void;
};

/** One party of the queue, and what can happen to it. */
export function EntrySheet({ entry, title, sailingId, onSell, onChanged, onClose }: EntrySheetProps) {
  const { id, status, plate, label, phone } = entry;
  const action = useChangeEntry(sailingId, onChanged);
  const change = (to: EntryChange['status']) => ({ ...action, run: () => action.run({ id, status: to }) });
  return (
    <Modal title={title} onClose={onClose}>
      <Stack>
        {label !== '' && <p dir="auto">{label}</p>}
        {plate !== null && (
          <p className={styles.plate} translate="no">
            {plate}
          </p>
        )}
        {phone !== '' && (
          <p>
            <a href={`tel:${phone}`}>{phone}</a>
          </p>
        )}
        {onSell && (
          <Button size="large" block needsConnection onClick={onSell}>
            {t('Sell tickets')}
          </Button>
        )}
        {status === 'waiting' ? (
          <ActionButton
            action={change('called')}
            variant={onSell ? 'secondary' : 'primary'}
            size="large"
            block
            needsConnection
          >
            {t('Call them')}
          </ActionButton>
        ) : (
          <ActionButton action={change('waiting')} block needsConnection>
            {t('Not called: they wait again')}
          </ActionButton>
        )}
        <ActionButton action={{ ...change('served'), problem: null }} block needsConnection>
          {t('They have tickets now')}
        </ActionButton>
        <ActionButton action={{ ...change('removed'), problem: null }} variant="danger" block needsConnection>
          {t('Remove from the queue')}
        </ActionButton>
      </Stack>
    </Modal>
  );
}
