import { type RefObject, useEffect, useRef } from 'react';

/** In a dialog the focus would begin at the button that closes it. */
export function useFirstFocus<Control extends HTMLElement>(): RefObject<Control | null> {
  const control = useRef<Control>(null);
  useEffect(() => control.current?.focus(), []);
  return control;
}
