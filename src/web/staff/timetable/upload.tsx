import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { applyTimetable, checkTimetable } from '#contract/desk/timetable/endpoints.ts';
import { UPLOAD_LIMIT_BYTES } from '#contract/desk/timetable/limits.ts';
import { Problem } from '#web/features/site/problem.tsx';
import { t } from '#web/language/texts.ts';
import { ApiError } from '#web/platform/api/api-error.ts';
import { request } from '#web/platform/api/request.ts';
import type { TimetableCheck, TimetableDifference } from '#web/platform/api/types.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { useBusyWhile } from '#web/platform/updates/busy.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Checkbox } from '#web/ui/form/checkbox.tsx';
import { Field } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Cluster, Stack } from '#web/ui/layout/stack.tsx';
import { Difference } from './difference.tsx';
import { PackingError, packFiles } from './pack-files.ts';

/** A large timetable takes longer than other requests. Milliseconds. */
const TIMEOUT_MS = 120_000;

const ACCEPTED = '.zip,.csv,.txt,.json,.geojson,.avif,.webp,.jpg';

type Checked = { upload: string; check: TimetableCheck };

/** Asks for files, shows what they would change, and applies them as a whole. */
export function Upload() {
  const client = useQueryClient();
  const [checked, setChecked] = useState<Checked | null>(null);
  const [round, setRound] = useState(0);
  useBusyWhile(checked !== null, 'an upload of the timetable being looked at');
  const form = useForm({
    initial: (): { files: File[] } => ({ files: [] }),
    check: ({ files }) => (files.length === 0 ? { files: t('Choose a file.') } : {}),
    send: async ({ files }): Promise<Checked> => {
      const upload = await packFiles(files);
      return { upload, check: await request(checkTimetable, { body: { upload }, timeoutMs: TIMEOUT_MS }) };
    },
    onDone: setChecked,
    onFailed: (failure) => (failure instanceof PackingError ? { files: explainPacking(failure) } : undefined),
  });
  const apply = useAction(
    ({ upload, difference }: { upload: string; difference: TimetableDifference }) =>
      request(applyTimetable, { body: { upload, checked: difference.checked }, timeoutMs: TIMEOUT_MS }),
    {
      onDone: async ({ notified }) => {
        startAgain();
        await Promise.all(
          ['staff-timetable', 'staff-promo-codes'].map((key) =>
            client.invalidateQueries({ queryKey: [key] }),
          ),
        );
        notify(
          t(
            '{count, plural, =0 {Done. Passengers are not written to.} one {Done. Passengers of # order are written to.} other {Done. Passengers of # orders are written to.}}',
            { count: notified },
          ),
          { type: 'success' },
        );
      },
      onFailed: (failure) => {
        if (isOutdated(failure)) setChecked(null);
      },
    },
  );
  function choose(files: File[]) {
    setChecked(null);
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
          {isOutdated(apply.failure) && checked === null && <Problem text={apply.problem} />}
          <Button type="submit" needsConnection isPending={form.isPending} pendingText={t('Checking…')}>
            {t('Show the difference')}
          </Button>
        </Form>
      </Card>
      {checked?.check.difference && (
        <Decision
          difference={checked.check.difference}
          action={{
            isPending: apply.isPending,
            problem: isOutdated(apply.failure) ? null : apply.problem,
            run: (difference) => apply.run({ upload: checked.upload, difference }),
          }}
          onBack={startAgain}
        />
      )}
      {checked && checked.check.problems.length > 0 && <Problems check={checked.check} />}
    </>
  );
}

/** What was checked is to be checked again. */
function isOutdated(failure: Error | null): boolean {
  return failure instanceof ApiError && failure.code === 'timetable_changed';
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

function Problems({ check: { problems, problemCount } }: { check: TimetableCheck }) {
  return (
    <Notice
      type="alert"
      role="alert"
      title={t(
        '{count, plural, one {There is # problem. Nothing can be applied.} other {There are # problems. Nothing can be applied.}}',
        { count: problemCount },
      )}
    >
      <ul lang="en">
        {problems.map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
    </Notice>
  );
}

type DecisionProps = {
  difference: TimetableDifference;
  action: { run: (difference: TimetableDifference) => void; isPending: boolean; problem: string | null };
  onBack: () => void;
};

function Decision({ difference, action, onBack }: DecisionProps) {
  const [isConfirmed, setIsConfirmed] = useState(false);
  const [hasTried, setHasTried] = useState(false);
  const { needsConfirmation, files, checked } = difference;
  if (files.length === 0) {
    return <Notice role="status">{t('These files are the current ones. There is nothing to apply.')}</Notice>;
  }
  const isMissing = needsConfirmation && !isConfirmed;
  function handleApply() {
    setHasTried(true);
    if (!isMissing) action.run(difference);
  }
  return (
    <Card title={t('What would change')}>
      <Stack>
        <Difference difference={difference} />
        {needsConfirmation && (
          <Checkbox
            label={t(
              '{count, plural, =0 {I have read the notes, and want this timetable.} one {I want # sailing with tickets to be canceled or moved.} other {I want # sailings with tickets to be canceled or moved.}}',
              { count: checked.affected },
            )}
            checked={isConfirmed}
            error={hasTried && isMissing ? t('Please confirm this.') : undefined}
            onChange={({ target }) => setIsConfirmed(target.checked)}
          />
        )}
        <Problem text={action.problem} />
        <Cluster>
          <Button
            variant={checked.affected > 0 ? 'danger' : 'primary'}
            needsConnection
            isPending={action.isPending}
            pendingText={t('One moment…')}
            onClick={handleApply}
          >
            {t('Apply all of it')}
          </Button>
          <Button variant="secondary" aria-disabled={action.isPending} onClick={onBack}>
            {t('Discard')}
          </Button>
        </Cluster>
      </Stack>
    </Card>
  );
}
