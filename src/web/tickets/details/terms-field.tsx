import type { WebSettings } from '#contract/settings/schemas.ts';
import { TermsCheckbox } from '#web/features/site/terms.tsx';
import type { FieldError } from '#web/ui/form/error-summary.tsx';
import { useDraft, usePurchase } from '../purchase.ts';
import { problemOf } from '../trip/trip-problems.ts';
import { detailsFields } from './details-form.ts';

type TermsFieldProps = { terms: WebSettings['terms']; problems: readonly FieldError[] };

export function TermsField({ terms, problems }: TermsFieldProps) {
  const { change } = usePurchase();
  const { acceptedTerms } = useDraft();
  return (
    <TermsCheckbox
      id={detailsFields.terms}
      isAccepted={acceptedTerms === terms.version}
      error={problemOf(problems, detailsFields.terms)}
      onAccept={(isAccepted) => change({ acceptedTerms: isAccepted ? terms.version : null })}
    />
  );
}
