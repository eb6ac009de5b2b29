import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { IconButton } from './button.tsx';
import styles from './overlay.module.css';
import { Spinner } from './spinner.tsx';
import { useHasModalDialog, useModalDialog } from './use-modal-dialog.ts';

export type FullScreenOverlayProps = {
  title: string;
  text: ReactNode;
  isBusy?: boolean | undefined;
  busyText?: string | undefined;
  /** One button or a few. */
  action?: ReactNode;
  /** Where else somebody may go whose screen is covered. */
  wayOut?: ReactNode;
  /** What holds for the screen behind a docked card. */
  note?: ReactNode;
  /**
   * A clear layer with a card at its lower edge: what is behind can be read, scrolled and shown. Not while a dialog
   * is open, behind which the card could not be pressed.
   */
  docked?: boolean | undefined;
  /** Milliseconds after which a docked card makes itself small, unless the focus is in it. */
  shrinkAfter?: number | undefined;
};

export function FullScreenOverlay({
  docked = false,
  wayOut,
  note,
  shrinkAfter,
  ...content
}: FullScreenOverlayProps) {
  const isBehindDialog = useHasModalDialog(ROLE);
  return docked && !isBehindDialog ? (
    <DockedOverlay {...content} note={note} shrinkAfter={shrinkAfter} />
  ) : (
    <CoveringOverlay {...content} wayOut={wayOut} />
  );
}

const ROLE = 'alertdialog';

type ContentProps = Pick<FullScreenOverlayProps, 'title' | 'text' | 'isBusy' | 'busyText' | 'action'>;
type DockedProps = ContentProps & Pick<FullScreenOverlayProps, 'note' | 'shrinkAfter'>;

function CoveringOverlay({ wayOut, ...content }: ContentProps & { wayOut: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const textId = useId();
  useModalDialog(dialog, stayOpen);
  return (
    <dialog
      ref={dialog}
      className={styles.covering}
      role={ROLE}
      aria-labelledby={titleId}
      aria-describedby={textId}
    >
      <div className={styles.card}>
        <Message {...content} titleId={titleId} textId={textId} role="status" />
        {content.action && <div className={styles.action}>{content.action}</div>}
        {wayOut && <div className={styles.wayOut}>{wayOut}</div>}
      </div>
    </dialog>
  );
}

function DockedOverlay({ note, shrinkAfter, ...content }: DockedProps) {
  const { title, action } = content;
  const layer = useRef<HTMLElement>(null);
  const card = useRef<HTMLDivElement>(null);
  const titleId = useId();
  const messageId = useId();
  const [isSmall, setIsSmall] = useState(false);
  const [shownTitle, setShownTitle] = useState(title);
  // What is new is said in full.
  if (title !== shownTitle) {
    setShownTitle(title);
    setIsSmall(false);
  }
  useLayoutEffect(() => layer.current?.showPopover?.(), []);
  useEffect(() => {
    if (shrinkAfter === undefined) return;
    const timer = setTimeout(() => {
      if (!layer.current?.contains(document.activeElement)) setIsSmall(true);
    }, shrinkAfter);
    return () => clearTimeout(timer);
  }, [shrinkAfter]);
  useRoomFor(card);
  return (
    <section ref={layer} popover="manual" className={styles.docked} aria-labelledby={titleId}>
      <div ref={card} className={styles.card} data-small={isSmall || undefined}>
        <div id={messageId} className={styles.message}>
          {/* No focus comes here, and what is calm is not read out as it appears. */}
          <Message {...content} titleId={titleId} role="alert" />
          {note && <p className={styles.note}>{note}</p>}
        </div>
        {action && <div className={styles.action}>{action}</div>}
        <div className={styles.toggle}>
          <IconButton
            icon={isSmall ? 'chevron-up' : 'chevron-down'}
            label={isSmall ? 'Show more' : 'Show less'}
            aria-expanded={!isSmall}
            aria-controls={messageId}
            onClick={() => setIsSmall(!isSmall)}
          />
        </div>
      </div>
    </section>
  );
}

type MessageProps = Omit<ContentProps, 'action'> & {
  titleId: string;
  textId?: string;
  role: 'alert' | 'status';
};

function Message({ title, text, isBusy = false, busyText, titleId, textId, role }: MessageProps) {
  return (
    <div role={role} className={styles.words}>
      <h2 id={titleId} className={styles.title}>
        {title}
      </h2>
      <p id={textId} className={styles.text}>
        {text}
      </p>
      {isBusy && (
        <p className={styles.busy}>
          <Spinner />
          <span>{busyText}</span>
        </p>
      )}
    </div>
  );
}

/** Above and below the card, in pixels. */
const SPACE_AROUND = 16;

/** The page can be scrolled out from under the card, and toasts stand above it. */
function useRoomFor(card: { readonly current: HTMLElement | null }): void {
  useLayoutEffect(() => {
    const element = card.current;
    if (element === null) return;
    const { style } = document.documentElement;
    const measure = () => style.setProperty('--dock-height', `${element.offsetHeight + SPACE_AROUND}px`);
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => {
      observer.disconnect();
      style.removeProperty('--dock-height');
    };
  }, [card]);
}

function stayOpen() {}
