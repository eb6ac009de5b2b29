import { useState } from 'react';
import { UPLOAD_LIMIT_BYTES } from '#contract/desk/timetable/limits.ts';
import { Problem } from '#web/features/site/problem.tsx';
import { t } from '#web/language/texts.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { Button } from '#web/ui/form/button.tsx';
import { Field } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { PackingError, packFiles } from './pack-files.ts';
import { checkProposal, Review, useReview } from './review.tsx';

const ACCEPTED = '.zip,.csv,.txt,.json,.geojson,.avif,.webp,.jpg';

/** Asks for files, shows what they would change, and applies them as a whole. */
export function Upload() {
  const [round, setRound] = useState(0);
  const review = useReview({ onApplied: startAgain });
  const form = useForm({
    initial: (): { files: File[] } => ({ files: [] }),
    check: ({ files }) => (files.length === 0 ? { files: t('Choose a file.') } : {}),
    send: async ({ files }) => checkProposal({ upload: await packFiles(files) }),
    onDone: review.show,
    onFailed: (failure) => (failure instanceof PackingError ? { files: explainPacking(failure) } : undefined),
  });
  function choose(files: File[]) {
    review.show(null);
    form.change({ files });
  }
  function startAgain() {
    setRound(round + 1);
    choose([]);
  }
  const { id, error } = form.field('files');
  return (
    <>
      <Card title={t('Upload')}>
        <Form form={form}>
          <Field
            id={id}
            error={error}
            label={t('Files')}
            hint={t(
              'One or several files, which replace those of the same name; the others stay. With agency.txt, or as a zip archive with it, it is the whole timetable.',
            )}
          >
            {(control) => (
              <input
                {...control}
                key={round}
                type="file"
                multiple
                accept={ACCEPTED}
                onClick={({ currentTarget }) => {
                  // Otherwise the same file could not be chosen again after it was corrected.
                  currentTarget.value = '';
                  choose([]);
                }}
                onChange={({ target }) => choose([...(target.files ?? [])])}
              />
            )}
          </Field>
          <Problem text={review.outdated} />
          <Button type="submit" needsConnection isPending={form.isPending} pendingText={t('Checking…')}>
            {t('Show the difference')}
          </Button>
        </Form>
      </Card>
      <Review review={review} onDiscard={startAgain} />
    </>
  );
}

function explainPacking({ reason }: PackingError): string {
  switch (reason) {
    case 'too_large':
      return t(
        'The files are larger than {size} MB together. Ask your administrator to import them on the server.',
        {
          size: UPLOAD_LIMIT_BYTES / 1024 / 1024,
        },
      );
    case 'several_archives':
      return t('Choose one archive, or only files without an archive.');
    case 'unreadable':
      return t('A file has changed since you chose it. Choose it again.');
  }
}
