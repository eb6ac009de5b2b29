import { type ReactNode, useId } from 'react';
import { POPOVER_HIDE_DELAY_MS, POPOVER_OFFSET_PX } from '../feedback/delays.ts';
import styles from './popup.module.css';
import { Popup, usePopup } from './popup.tsx';

/** An explanation of a word or a figure, the label. Opens under the pointer, and by press or key. */
export function Popover({ label, children }: { label: ReactNode; children: ReactNode }) {
  const popupId = useId();
  const control = usePopup<HTMLButtonElement>('top', POPOVER_OFFSET_PX);
  const { anchor, popup, isOpen, isMounted, open, close } = control;

  return (
    <span
      className={styles.root}
      onPointerEnter={(event) => event.pointerType === 'mouse' && open()}
      onPointerLeave={(event) => event.pointerType === 'mouse' && close(POPOVER_HIDE_DELAY_MS)}
    >
      <button
        ref={anchor}
        type="button"
        className={styles.trigger}
        aria-expanded={isOpen}
        aria-controls={isMounted ? popupId : undefined}
        onClick={() => open()}
        onBlur={(event) => !popup.current?.contains(event.relatedTarget) && close(POPOVER_HIDE_DELAY_MS)}
      >
        {label}
      </button>
      <Popup control={control} id={popupId} className={styles.popover}>
        {children}
      </Popup>
    </span>
  );
}
