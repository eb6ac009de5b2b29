import { type ReactNode, useId } from 'react';
import { POPOVER_HIDE_DELAY_MS, POPOVER_OFFSET_PX } from '../feedback/delays.ts';
import type { Placement } from './place.ts';
import styles from './popup.module.css';
import { Popup } from './popup.tsx';
import { usePopup } from './use-popup.ts';

export type PopoverProps = {
  /** What the button says. */
  label: ReactNode;
  children: ReactNode;
  placement?: Placement | undefined;
  offset?: number | undefined;
  trigger?: 'hover' | 'click' | undefined;
};

/** Something more about a word or a figure. Opens under the pointer, and by press or key for everyone else. */
export function Popover({
  label,
  children,
  placement = 'top',
  offset = POPOVER_OFFSET_PX,
  trigger = 'hover',
}: PopoverProps) {
  const popupId = useId();
  const control = usePopup(placement, offset);
  const { anchor, popup, isOpen, isMounted, open, close } = control;
  const isHover = trigger === 'hover';

  return (
    <span
      className={styles.root}
      onPointerEnter={(event) => isHover && event.pointerType === 'mouse' && open()}
      onPointerLeave={(event) => isHover && event.pointerType === 'mouse' && close(POPOVER_HIDE_DELAY_MS)}
    >
      <button
        ref={(element) => {
          anchor.current = element;
        }}
        type="button"
        className={styles.trigger}
        aria-expanded={isOpen}
        aria-controls={isMounted ? popupId : undefined}
        onClick={() => (isOpen && !isHover ? close() : open())}
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
