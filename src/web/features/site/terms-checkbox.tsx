import { useState } from 'react';
import { useSettings } from '#web/platform/settings/settings.ts';
import { Button } from '#web/ui/form/button.tsx';
import { Checkbox } from '#web/ui/form/checkbox.tsx';
import styles from './terms-checkbox.module.css';
import { TermsDialog } from './terms-dialog.tsx';

export type TermsCheckboxProps = {
  id: string;
  isAccepted: boolean;
  error: string | undefined;
  onAccept: (isAccepted: boolean) => void;
};

/** Accepting the terms of carriage, with the terms one press away. Nothing where the operator has no terms. */
export function TermsCheckbox({ id, isAccepted, error, onAccept }: TermsCheckboxProps) {
  const { terms } = useSettings();
  const [isOpen, setIsOpen] = useState(false);
  if (terms.text.length === 0) return null;
  return (
    <div>
      <Checkbox
        id={id}
        label="I accept the terms of carriage"
        checked={isAccepted}
        error={error}
        onChange={(event) => onAccept(event.target.checked)}
      />
      <div className={styles.read}>
        <Button variant="quiet" size="small" onClick={() => setIsOpen(true)}>
          Read the terms
        </Button>
      </div>
      {isOpen && (
        <TermsDialog
          onClose={() => setIsOpen(false)}
          footer={
            <Button
              onClick={() => {
                onAccept(true);
                setIsOpen(false);
              }}
            >
              I accept
            </Button>
          }
        />
      )}
    </div>
  );
}
