import { type RefObject, useEffect, useRef } from 'react';

/** Focuses a control when it appears. In a dialog the close button would have the focus. */
export function useFirstFocus<Control extends HTMLElement>(): RefObject<Control | null> {
  const control = useRef<Control>(null);
  useEffect(() => control.current?.focus(), []);
  return control;
}
