import type { ReactNode } from 'react';
import { t } from '#web/language/texts.ts';
import { Button } from '#web/ui/form/button.tsx';

type CsvButtonProps = { save: { isPending: boolean; run: () => void }; children?: ReactNode };

/** Saves what a screen shows as a file. */
export function CsvButton({ save, children = t('Download as CSV') }: CsvButtonProps) {
  return (
    <Button
      variant="secondary"
      icon="download"
      needsConnection
      isPending={save.isPending}
      pendingText={t('Preparing…')}
      onClick={() => save.run()}
    >
      {children}
    </Button>
  );
}
