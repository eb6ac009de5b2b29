import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState } from 'react';
import {
  applyTimetable,
  checkTakeBack,
  checkTimetable,
  takeBackTimetable,
} from '#contract/desk/timetable/endpoints.ts';
import { Problem } from '#web/features/site/problem.tsx';
import { t } from '#web/language/texts.ts';
import { ApiError } from '#web/platform/api/api-error.ts';
import { request } from '#web/platform/api/request.ts';
import type { TimetableCheck, TimetableDifference } from '#web/platform/api/types.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { useBusyWhile } from '#web/platform/updates/busy.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Checkbox } from '#web/ui/form/checkbox.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Cluster, Stack } from '#web/ui/layout/stack.tsx';
import { notifyDone } from '../notice-texts.ts';
import { Difference } from './difference.tsx';

/** A large timetable takes longer than other requests. Milliseconds. */
const TIMEOUT_MS = 120_000;

/** New files as a packed archive in base64, or the id of a change whose files from before it come back. */
export type Proposal = { upload: string } | { takesBack: string };

export type CheckedProposal = { proposal: Proposal; check: TimetableCheck };

/** Asks what a proposal would change. */
export async function checkProposal(proposal: Proposal): Promise<CheckedProposal> {
  const check =
    'upload' in proposal
      ? await request(checkTimetable, { body: proposal, timeoutMs: TIMEOUT_MS })
      : await request(checkTakeBack, { params: { id: proposal.takesBack }, timeoutMs: TIMEOUT_MS });
  return { proposal, check };
}

function applyProposal(proposal: Proposal, { checked }: TimetableDifference) {
  if ('upload' in proposal) {
    return request(applyTimetable, { body: { ...proposal, checked }, timeoutMs: TIMEOUT_MS });
  }
  const params = { id: proposal.takesBack };
  return request(takeBackTimetable, { params, body: { checked }, timeoutMs: TIMEOUT_MS });
}

/** A proposal that is looked at and then applied or discarded. */
export function useReview({ onApplied }: { onApplied?: () => void } = {}) {
  const client = useQueryClient();
  const [checked, show] = useState<CheckedProposal | null>(null);
  useBusyWhile(checked !== null, 'a change of the timetable being looked at');
  const apply = useAction(
    ({ proposal, difference }: { proposal: Proposal; difference: TimetableDifference }) =>
      applyProposal(proposal, difference),
    {
      onDone: async (applied) => {
        show(null);
        onApplied?.();
        await Promise.all(
          ['staff-timetable', 'staff-promo-codes'].map((key) =>
            client.invalidateQueries({ queryKey: [key] }),
          ),
        );
        notifyDone(applied, applied.unreachable);
      },
      onFailed: (failure) => {
        if (isOutdated(failure)) show(null);
      },
    },
  );
  return {
    checked,
    show,
    apply,
    outdated: checked === null && isOutdated(apply.failure) ? apply.problem : null,
  };
}

/** What was checked is to be checked again. */
function isOutdated(failure: Error | null): boolean {
  return failure instanceof ApiError && failure.code === 'timetable_changed';
}

type ReviewProps = { review: ReturnType<typeof useReview>; onDiscard: () => void };

/** The difference that a proposal makes, to be applied or discarded; or its problems. Takes the focus with each answer. */
export function Review({ review: { checked, apply }, onDiscard }: ReviewProps) {
  const start = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (checked !== null) start.current?.focus();
  }, [checked]);
  if (checked === null) return null;
  const { proposal, check } = checked;
  if (check.difference === null) {
    return (
      <div ref={start} tabIndex={-1}>
        <Problems check={check} />
      </div>
    );
  }
  return (
    <Decision
      start={start}
      difference={check.difference}
      action={{
        isPending: apply.isPending,
        problem: isOutdated(apply.failure) ? null : apply.problem,
        run: (difference) => apply.run({ proposal, difference }),
      }}
      onDiscard={onDiscard}
    />
  );
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
  /** Of the answer: its heading, or what it says instead. */
  start: RefObject<HTMLDivElement | null>;
  difference: TimetableDifference;
  action: { run: (difference: TimetableDifference) => void; isPending: boolean; problem: string | null };
  onDiscard: () => void;
};

function Decision({ start, difference, action, onDiscard }: DecisionProps) {
  const [isConfirmed, setIsConfirmed] = useState(false);
  const [hasTried, setHasTried] = useState(false);
  const { needsConfirmation, files, checked } = difference;
  if (files.length === 0) {
    return (
      <div ref={start} tabIndex={-1}>
        <Notice role="status">{t('These files are the current ones. There is nothing to apply.')}</Notice>
      </div>
    );
  }
  const isMissing = needsConfirmation && !isConfirmed;
  function handleApply() {
    setHasTried(true);
    if (!isMissing) action.run(difference);
  }
  return (
    <Card
      title={
        <div ref={start} tabIndex={-1}>
          {t('What would change')}
        </div>
      }
    >
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
          <Button variant="secondary" aria-disabled={action.isPending} onClick={onDiscard}>
            {t('Discard')}
          </Button>
        </Cluster>
      </Stack>
    </Card>
  );
}
