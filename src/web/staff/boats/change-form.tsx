import { useQueryClient } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import { FormDialog } from '#web/features/site/dialogs.tsx';
import { t } from '#web/language/texts.ts';
import type { BoatChangeOutcome } from '#web/platform/api/types.ts';
import type { useForm } from '#web/platform/forms/use-form.ts';
import { notifyDone } from '../notice-texts.ts';
import { type ReviewedFormOptions, useReviewedForm } from '../use-reviewed-form.ts';
import { refreshBoats } from './boat-queries.ts';
import { OutcomeDialog } from './outcome-dialog.tsx';

/** What the form of a change of boats holds. */
export type BoatChangeForm<Values extends object> = ReturnType<typeof useForm<Values, BoatChangeOutcome>>;

type ChangeFormProps<Values extends object> = Omit<
  ReviewedFormOptions<Values, BoatChangeOutcome, BoatChangeOutcome>,
  'onDone'
> &
  Pick<ComponentProps<typeof OutcomeDialog>, 'title' | 'confirm' | 'isDangerous' | 'onClose'> & {
    children: (form: BoatChangeForm<Values>) => ReactNode;
  };

/** Asks what a change of boats needs, shows whom it affects, and makes it. */
export function ChangeForm<Values extends object>(props: ChangeFormProps<Values>) {
  const { title, confirm, isDangerous = false, onClose, children, ...options } = props;
  const client = useQueryClient();
  const { form, preview, review } = useReviewedForm({
    ...options,
    onDone: async (done) => {
      await refreshBoats(client);
      notifyDone(done, done.unreachable.length);
      onClose();
    },
  });
  if (preview !== null) {
    return <OutcomeDialog {...{ title, confirm, isDangerous, onClose }} outcome={preview} {...review} />;
  }
  return (
    <FormDialog
      form={form}
      title={title}
      cancel={t('Change nothing')}
      confirm={t('See whom it affects')}
      problemTitle={t('This cannot be done yet')}
      onClose={onClose}
    >
      {children(form)}
    </FormDialog>
  );
}
