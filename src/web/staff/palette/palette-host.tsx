import { Suspense, useEffect } from 'react';
import { lazyComponent } from '#web/platform/updates/missing-chunk.ts';
import { useLazyDialog } from '#web/ui/popup/use-lazy-dialog.ts';
import { opensPalette } from './shortcut.ts';

const CommandPalette = lazyComponent(async () => (await import('./command-palette.tsx')).CommandPalette);

/** Opens the palette by keyboard. Not at the gate, where hand scanners type. */
export function PaletteHost() {
  const dialog = useLazyDialog<true>();
  const { open } = dialog;
  useEffect(() => {
    const events = new AbortController();
    document.addEventListener(
      'keydown',
      (event) => {
        if (event.defaultPrevented || !opensPalette(event)) return;
        event.preventDefault();
        open(true);
      },
      { signal: events.signal },
    );
    return () => events.abort();
  }, [open]);
  return <Suspense>{dialog.content && <CommandPalette onClose={dialog.close} />}</Suspense>;
}
