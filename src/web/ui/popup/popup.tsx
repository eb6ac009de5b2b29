import type { HTMLAttributes } from 'react';
import { createPortal } from 'react-dom';
import type { PopupControl } from './use-popup.ts';

export type PopupProps = HTMLAttributes<HTMLDivElement> & { control: PopupControl };

/**
 * What a tooltip, popover or menu shows. It stands on the browser's top layer, above dialogs and outside of clipping
 * ancestors; browsers without `popover` get it at the end of the open dialog or the page instead.
 */
export function Popup({ control, ...attributes }: PopupProps) {
  const { anchor, popup, isOpen, isMounted } = control;
  if (!isMounted) return null;
  const common = { ...attributes, ref: popup, 'data-closing': !isOpen || undefined };
  if ('showPopover' in HTMLElement.prototype) return <div {...common} popover="manual" />;
  return createPortal(<div {...common} />, anchor.current?.closest('dialog') ?? document.body);
}
