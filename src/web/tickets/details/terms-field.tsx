import { useState } from 'react';
import type { WebSettings } from '#contract/settings.ts';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import type { FieldError } from '#web/ui/error-summary.tsx';
import { Modal } from '#web/ui/modal.tsx';
import { Stack } from '#web/ui/stack.tsx';
import { changeDraft, useDraft } from '../draft.ts';
import { problemOf } from '../trip/trip-problems.ts';
import { detailsFields } from './details-form.ts';

type TermsFieldProps = { terms: WebSettings['terms']; problems: readonly FieldError[] };

export function TermsField({ terms, problems }: TermsFieldProps) {
  const { acceptedTerms } = useDraft();
  const [isOpen, setIsOpen] = useState(false);
  const accept = (isAccepted: boolean) => changeDraft({ acceptedTerms: isAccepted ? terms.version : null });
  return (
    <div>
      <Checkbox
        id={detailsFields.terms}
        label="I accept the terms of carriage"
        checked={acceptedTerms === terms.version}
        error={problemOf(problems, detailsFields.terms)}
        onChange={(event) => accept(event.target.checked)}
      />
      <Button variant="quiet" size="small" onClick={() => setIsOpen(true)}>
        Read the terms
      </Button>
      {isOpen && (
        <Modal
          size="lg"
          title="Terms of carriage"
          onClose={() => setIsOpen(false)}
          footer={
            <Button
              onClick={() => {
                accept(true);
                setIsOpen(false);
              }}
            >
              I accept
            </Button>
          }
        >
          <Stack>
            {terms.text.map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
          </Stack>
        </Modal>
      )}
    </div>
  );
}
