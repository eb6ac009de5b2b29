import { useState } from 'react';
import { useSettings } from '#web/platform/settings/settings.ts';
import { acceptsTermsByPaying } from '#web/platform/settings/terms.ts';
import { Button } from '#web/ui/form/button.tsx';
import { TermsDialog } from './terms-dialog.tsx';
import styles from './terms-sentence.module.css';

/** Says beside a button that pressing it accepts the terms; nothing where a checkbox asks for it. */
export function TermsSentence({ action }: { action: 'paying' | 'getting the tickets' }) {
  const { terms } = useSettings();
  const [isOpen, setIsOpen] = useState(false);
  if (!acceptsTermsByPaying(terms)) return null;
  return (
    <>
      <p className={styles.sentence}>
        By {action} you accept the{' '}
        <button type="button" className={styles.link} onClick={() => setIsOpen(true)}>
          terms
        </button>
        .
      </p>
      {isOpen && (
        <TermsDialog
          onClose={() => setIsOpen(false)}
          footer={<Button onClick={() => setIsOpen(false)}>Close</Button>}
        />
      )}
    </>
  );
}
