import { type ReactNode, useId, useRef } from 'react';
import { type ListedItem, ListStepper } from '#web/features/order/list-stepper.tsx';
import { t } from '#web/language/texts.ts';
import { useReadableOffline } from '#web/platform/connection/readable-offline.ts';
import { useIsPainted } from '#web/platform/use-painted.ts';
import { IconButton } from '#web/ui/form/button.tsx';
import { useModalDialog } from '#web/ui/popup/use-modal-dialog.ts';
import { GateHint } from '../gate-hint.tsx';
import { useSwipeList } from '../use-swipe-list.ts';
import styles from './gate-view.module.css';

export type GatePass = {
  id: string;
  /** The QR code, or what stands in its place. */
  code: ReactNode;
  /** What the code is for, most important first; shown with the code. */
  details: ReactNode;
};

type GateViewProps = {
  title: string;
  /** What one code is called where there are several. */
  item: ListedItem;
  passes: readonly GatePass[];
  /** Id of the pass to show first. */
  at?: string | undefined;
  /** When the codes were read. */
  asOf: string;
  onClose: () => void;
};

/** Codes as a reader at the gate wants them: full screen, white in every theme, as large as fits, the screen awake. */
export function GateView({ title, item, passes, at, asOf, onClose }: GateViewProps) {
  useReadableOffline();
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const first = Math.max(
    0,
    passes.findIndex(({ id }) => id === at),
  );
  const { list, index, show, follow } = useSwipeList(passes.length, first);
  const isSeveral = passes.length > 1;
  // The other codes are drawn while the first one is on screen.
  const drawsOthers = useIsPainted();
  useModalDialog(dialog, onClose);
  return (
    <dialog ref={dialog} className={styles.gate} aria-labelledby={titleId} data-readable="">
      <header className={styles.header}>
        <h2 id={titleId} className={styles.title}>
          {title}
        </h2>
        <IconButton icon="close" label={t('Close')} onClick={onClose} />
      </header>
      <ol
        ref={list}
        className={styles.list}
        aria-label={t('Codes')}
        tabIndex={isSeveral ? 0 : undefined}
        onScroll={follow}
      >
        {passes.map(({ id, code }, each) => (
          <li key={id} className={styles.code}>
            {(drawsOthers || each === first) && code}
          </li>
        ))}
      </ol>
      <div className={styles.details}>{passes[index]?.details}</div>
      <footer className={styles.footer}>
        {isSeveral && <ListStepper item={item} index={index} count={passes.length} onShow={show} />}
        <GateHint asOf={asOf} />
      </footer>
    </dialog>
  );
}
