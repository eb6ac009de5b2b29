import { useState } from 'react';
import { useAction } from '#web/platform/forms/use-action.ts';
import { type FormOptions, useForm } from '#web/platform/forms/use-form.ts';

export type ReviewedFormOptions<Values extends object, Preview, Data> = Pick<
  FormOptions<Values, Preview>,
  'initial' | 'check' | 'byCode' | 'busyReason'
> & {
  /** Asks what would happen; nothing is done yet. */
  ask: (values: Values) => Promise<Preview>;
  act: (values: Values, preview: Preview) => Promise<Data>;
  onDone: (data: Data, preview: Preview) => unknown;
};

/**
 * A form that shows what would happen before it is done. Spread `review` on a `ReviewDialog` that shows `preview`; null:
 * the form is not sent yet.
 */
export function useReviewedForm<Values extends object, Preview, Data>({
  ask,
  act,
  onDone,
  ...options
}: ReviewedFormOptions<Values, Preview, Data>) {
  const [preview, setPreview] = useState<Preview | null>(null);
  const form = useForm<Values, Preview>({
    ...options,
    send: ask,
    onDone: (asked) => setPreview(() => asked),
  });
  const action = useAction((shown: Preview) => act(form.values, shown), { onDone });
  return {
    form,
    preview,
    review: {
      action: { ...action, run: () => preview !== null && action.run(preview) },
      onBack: () => setPreview(null),
    },
  };
}
