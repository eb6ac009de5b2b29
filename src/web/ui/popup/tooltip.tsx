import { cloneElement, type ReactElement, useId } from 'react';
import { POPUP_DISTANCE_PX, TOOLTIP_SHOW_DELAY_MS } from '../feedback/delays.ts';
import type { Placement } from './place.ts';
import styles from './popup.module.css';
import { Popup, usePopup } from './popup.tsx';

type TooltipProps = {
  text: string;
  placement?: Placement | undefined;
  /** One control that can take the focus. */
  children: ReactElement<{ 'aria-describedby'?: string | undefined }>;
};

export function Tooltip({ text, placement = 'top', children }: TooltipProps) {
  const popupId = useId();
  const control = usePopup<HTMLSpanElement>(placement, POPUP_DISTANCE_PX);
  const { anchor, isMounted, open, close } = control;

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only watches the control inside, which has the role
    <span
      ref={anchor}
      className={styles.root}
      onPointerEnter={(event) => event.pointerType === 'mouse' && open(TOOLTIP_SHOW_DELAY_MS)}
      onPointerLeave={() => close()}
      onFocus={(event) => event.target.matches(':focus-visible') && open(TOOLTIP_SHOW_DELAY_MS)}
      onBlur={() => close()}
    >
      {cloneElement(children, { 'aria-describedby': isMounted ? popupId : undefined })}
      <Popup control={control} id={popupId} role="tooltip" className={styles.tooltip}>
        {text}
      </Popup>
    </span>
  );
}
