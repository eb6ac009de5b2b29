import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { overlaps } from '#domain/map/boxes.ts';
import { t } from '#web/language/texts.ts';
import { Spinner } from '../feedback/spinner.tsx';
import { IconButton } from '../form/button.tsx';
import styles from './overlay.module.css';
import { onViewportChange } from './place.ts';
import { useDockHeight } from './use-dock-height.ts';
import { useModalDialog, useOpenDialog } from './use-modal-dialog.ts';

type FullScreenOverlayProps = {
  title: string;
  text: ReactNode;
  isBusy?: boolean | undefined;
  busyText?: string | undefined;
  /** One button or a few. */
  action?: ReactNode;
  /** Links to what can still be read while the screen is covered. */
  exit?: ReactNode;
  /** About the screen behind a docked card. */
  note?: ReactNode;
  /** Follows the title where only one line is shown. */
  aside?: string | null | undefined;
  /**
   * A clear layer with a card at its lower edge, over a page that can still be read and scrolled. Over an open dialog
   * only if it has `data-readable`: behind any other the card could not be pressed.
   */
  docked?: boolean | undefined;
  /**
   * The page shows a code: a docked card starts as one line, which a tap opens. With an action it starts open, and is
   * compact.
   */
  startsSmall?: boolean | undefined;
};

export function FullScreenOverlay({
  docked = false,
  exit,
  note,
  aside,
  startsSmall = false,
  ...content
}: FullScreenOverlayProps) {
  const dialog = useOpenDialog(ROLE);
  const canDock = dialog === null || dialog.dataset.readable !== undefined;
  if (!docked || !canDock) return <CoveringOverlay {...content} exit={exit} />;
  const layer = <DockedOverlay {...content} note={note} aside={aside} startsSmall={startsSmall} />;
  return dialog === null ? layer : createPortal(layer, dialog);
}

const ROLE = 'alertdialog';

type ContentProps = Pick<FullScreenOverlayProps, 'title' | 'text' | 'isBusy' | 'busyText' | 'action'>;
type DockedProps = ContentProps & Pick<FullScreenOverlayProps, 'note' | 'aside'> & { startsSmall: boolean };

function CoveringOverlay({ exit, ...content }: ContentProps & { exit: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const textId = useId();
  useModalDialog(dialog, () => undefined);
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
        {exit && <div className={styles.exit}>{exit}</div>}
      </div>
    </dialog>
  );
}

function DockedOverlay({ note, aside, startsSmall, ...content }: DockedProps) {
  const { title } = content;
  const layer = useRef<HTMLElement>(null);
  const card = useRef<HTMLDivElement>(null);
  const titleId = useId();
  const messageId = useId();
  const hasAction = Boolean(content.action);
  const [isSmall, setIsSmall] = useState(startsSmall && !hasAction);
  const [shown, setShown] = useState({ title, startsSmall, hasAction });
  // A new title or action, or another screen behind the card, resets the size.
  if (title !== shown.title || startsSmall !== shown.startsSmall || hasAction !== shown.hasAction) {
    setShown({ title, startsSmall, hasAction });
    setIsSmall(startsSmall && !hasAction);
  }
  const isCompact = startsSmall && hasAction;
  useLayoutEffect(() => layer.current?.showPopover?.(), []);
  useDockHeight(card);
  usePlaceClearOfCodes(layer, card);
  return (
    <section ref={layer} popover="manual" className={styles.docked} aria-labelledby={titleId}>
      <div
        ref={card}
        className={styles.card}
        data-small={isSmall || undefined}
        data-compact={isCompact || undefined}
      >
        <div id={messageId} className={styles.message}>
          {/* Nothing moves the focus here, and a status is not read out as it appears. */}
          <Message {...content} aside={isSmall ? aside : null} titleId={titleId} role="alert" />
          {note && !isCompact && <p className={styles.note}>{note}</p>}
        </div>
        {content.action && <div className={styles.action}>{content.action}</div>}
        <div className={styles.toggle}>
          <IconButton
            icon={isSmall ? 'chevron-up' : 'chevron-down'}
            label={isSmall ? t('Show more') : t('Show less')}
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
  aside?: string | null | undefined;
  titleId: string;
  textId?: string;
  role: 'alert' | 'status';
};

function Message({ title, text, aside, isBusy = false, busyText, titleId, textId, role }: MessageProps) {
  return (
    <div role={role} className={styles.texts}>
      <h2 id={titleId} className={styles.title}>
        {title}
      </h2>
      {aside && <p className="muted">· {aside}</p>}
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

const EDGES = ['bottom', 'top'] as const;
/** A lower card could not be read. In pixels, like the next. */
const LEAST_HEIGHT = 40;
const SPACE_TO_CODE = 4;

/**
 * Moves the card to the other edge while it would cover a code (`data-gate-code`), makes it lower where neither edge has
 * room for it, or hides it.
 */
function usePlaceClearOfCodes(
  layer: { readonly current: HTMLElement | null },
  card: { readonly current: HTMLElement | null },
): void {
  useLayoutEffect(() => {
    const place = () => {
      if (layer.current === null || card.current === null) return;
      const { dataset } = layer.current;
      const screen = layer.current.closest('dialog') ?? document;
      const codes = [...screen.querySelectorAll('[data-gate-code]')].map((code) =>
        code.getBoundingClientRect(),
      );
      const { style } = card.current;
      const current = dataset.place ?? 'bottom';
      // Without a code nothing is measured: the layout of a long screen would delay its first frame.
      if (codes.length === 0 && current === 'bottom' && style.maxHeight === '') return;
      style.maxHeight = '';
      const measure = (edge: string) => {
        dataset.place = edge;
        return card.current?.getBoundingClientRect() ?? new DOMRect();
      };
      const isClear = (edge: string) => {
        const box = measure(edge);
        return !codes.some((code) => overlaps(code, box));
      };
      if ((current !== 'none' && isClear(current)) || EDGES.some(isClear)) return;
      const rooms = EDGES.map((edge) => ({ edge, height: measureRoom(edge, measure(edge), codes) }));
      const [most] = rooms.toSorted((a, b) => b.height - a.height);
      if (most === undefined || most.height < LEAST_HEIGHT) {
        dataset.place = 'none';
        return;
      }
      dataset.place = most.edge;
      style.maxHeight = `${most.height}px`;
    };
    return onViewportChange(
      place,
      [document.body, card.current].filter((element) => element !== null),
    );
  });
}

/** Pixels between the edge that the card's box is at and the nearest code beside it. */
function measureRoom(edge: (typeof EDGES)[number], box: DOMRect, codes: readonly DOMRect[]): number {
  const beside = codes.filter(({ left, right }) => left < box.right && box.left < right);
  const room =
    edge === 'bottom'
      ? box.bottom - Math.max(...beside.filter(({ top }) => top < box.bottom).map(({ bottom }) => bottom))
      : Math.min(...beside.filter(({ bottom }) => bottom > box.top).map(({ top }) => top)) - box.top;
  return room - SPACE_TO_CODE;
}
