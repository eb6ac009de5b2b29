import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import styles from './overlay.module.css';
import { Spinner } from './spinner.tsx';
import { useModalDialog } from './use-modal-dialog.ts';

export type FullScreenOverlayProps = {
  title: string;
  text: ReactNode;
  isBusy?: boolean | undefined;
  busyText?: string | undefined;
  /** One button or a few. */
  action?: ReactNode;
  /** A clear layer with a card at its lower edge: what is behind can be read, scrolled and shown. */
  docked?: boolean | undefined;
};

export function FullScreenOverlay({ docked = false, ...content }: FullScreenOverlayProps) {
  return docked ? <DockedOverlay {...content} /> : <CoveringOverlay {...content} />;
}

type ContentProps = Omit<FullScreenOverlayProps, 'docked'>;

function CoveringOverlay(content: ContentProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useModalDialog(dialog, stayOpen);
  return (
    <dialog ref={dialog} className={styles.covering} role="alertdialog" aria-labelledby={titleId}>
      <Content {...content} titleId={titleId} />
    </dialog>
  );
}

function DockedOverlay(content: ContentProps) {
  const layer = useRef<HTMLElement>(null);
  const titleId = useId();
  useLayoutEffect(() => layer.current?.showPopover?.(), []);
  return (
    <section ref={layer} popover="manual" className={styles.docked} aria-labelledby={titleId}>
      <Content {...content} titleId={titleId} />
    </section>
  );
}

function Content({
  title,
  text,
  isBusy = false,
  busyText,
  action,
  titleId,
}: ContentProps & { titleId: string }) {
  return (
    <div className={styles.card}>
      <div role="status">
        <h2 id={titleId} className={styles.title}>
          {title}
        </h2>
        <p className={styles.text}>{text}</p>
        {isBusy && (
          <p className={styles.busy}>
            <Spinner />
            {busyText}
          </p>
        )}
      </div>
      {action && <div className={styles.action}>{action}</div>}
    </div>
  );
}

function stayOpen() {}
