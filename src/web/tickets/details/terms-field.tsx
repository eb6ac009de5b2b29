import type { WebSettings } from '#contract/settings/schemas.ts';
import { TermsCheckbox } from '#web/features/site/terms-checkbox.tsx';
import type { FieldError } from '#web/ui/form/error-summary.tsx';
import { changeDraft, useDraft } from '../draft.ts';
import { problemOf } from '../trip/trip-problems.ts';
import { detailsFields } from './details-form.ts';

type TermsFieldProps = { terms: WebSettings['terms']; problems: readonly FieldError[] };

export function TermsField({ terms, problems }: TermsFieldProps) {
  const { acceptedTerms } = useDraft();
  return (
    <TermsCheckbox
      id={detailsFields.terms}
      isAccepted={acceptedTerms === terms.version}
      error={problemOf(problems, detailsFields.terms)}
      onAccept={(isAccepted) => changeDraft({ acceptedTerms: isAccepted ? terms.version : null })}
    />
  );
}
