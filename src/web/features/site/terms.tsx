import { type ReactNode, useState } from 'react';
import { rich } from '#web/language/rich.ts';
import { t } from '#web/language/texts.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { acceptsTermsByPaying } from '#web/platform/settings/terms.ts';
import { Button } from '#web/ui/form/button.tsx';
import { Checkbox } from '#web/ui/form/checkbox.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { Modal } from '#web/ui/popup/modal.tsx';
import styles from './terms.module.css';

type TermsCheckboxProps = {
  id: string;
  isAccepted: boolean;
  error: string | undefined;
  onAccept: (isAccepted: boolean) => void;
};

/** A checkbox that accepts the terms of carriage. Renders nothing if the operator has no terms. */
export function TermsCheckbox({ id, isAccepted, error, onAccept }: TermsCheckboxProps) {
  const { terms } = useSettings();
  const [isOpen, setIsOpen] = useState(false);
  if (terms.text.length === 0) return null;

  function acceptAndClose() {
    onAccept(true);
    setIsOpen(false);
  }

  return (
    <div>
      <Checkbox
        id={id}
        label={t('I accept the terms of carriage')}
        checked={isAccepted}
        error={error}
        onChange={(event) => onAccept(event.target.checked)}
      />
      <div className={styles.read}>
        <Button variant="quiet" size="small" onClick={() => setIsOpen(true)}>
          {t('Read the terms')}
        </Button>
      </div>
      {isOpen && (
        <TermsDialog
          onClose={() => setIsOpen(false)}
          footer={<Button onClick={acceptAndClose}>{t('I accept')}</Button>}
        />
      )}
    </div>
  );
}

/** Says that pressing a button accepts the terms. Renders nothing where a checkbox asks for it. */
export function TermsSentence({ action }: { action: 'paying' | 'getting-tickets' }) {
  const { terms } = useSettings();
  const [isOpen, setIsOpen] = useState(false);
  if (!acceptsTermsByPaying(terms)) return null;
  return (
    <>
      <p className="note">
        {rich(
          action === 'paying'
            ? 'By paying you accept the <terms>terms</terms>.'
            : 'By getting the tickets you accept the <terms>terms</terms>.',
          {
            terms: (text) => (
              <button type="button" className={styles.link} onClick={() => setIsOpen(true)}>
                {text}
              </button>
            ),
          },
        )}
      </p>
      {isOpen && (
        <TermsDialog
          onClose={() => setIsOpen(false)}
          footer={<Button onClick={() => setIsOpen(false)}>{t('Close')}</Button>}
        />
      )}
    </>
  );
}

function TermsDialog({ onClose, footer }: { onClose: () => void; footer: ReactNode }) {
  const { terms } = useSettings();
  return (
    <Modal size="lg" title={t('Terms of carriage')} onClose={onClose} footer={footer}>
      <Stack>
        {terms.text.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
      </Stack>
    </Modal>
  );
}
