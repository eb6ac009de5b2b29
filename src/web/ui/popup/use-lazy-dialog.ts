import { startTransition, useState } from 'react';

type LazyDialog<Content> = {
  /** Null while the dialog is closed. */
  content: Content | null;
  open: (content: Content) => void;
  close: () => void;
};

/**
 * Whether a dialog is open that is loaded on demand, and what it shows. It opens in a transition, so that React waits for
 * it instead of showing a fallback for 300 ms at least. `Suspense` stands around the condition: a new boundary shows its
 * fallback even in a transition.
 */
export function useLazyDialog<Content>(): LazyDialog<Content> {
  const [content, setContent] = useState<Content | null>(null);
  return {
    content,
    open: (next) => startTransition(() => setContent(next)),
    close: () => setContent(null),
  };
}
