import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText, hasErrorCode } from '#web/platform/api/api-error.ts';
import { problemsOf } from './problems.ts';
import { useBusyForm } from './use-busy-form.ts';

type CodeStepOptions<Outcome> = {
  /** Whether it can be a code at all, and what to say when not. */
  check: (code: string) => string | null;
  send: (code: string) => Promise<Outcome>;
  /** The step stays pending until this resolves; what it throws is shown. */
  onOutcome: (outcome: Outcome) => Promise<void>;
  /** The step can no longer be taken; `message` says why. */
  onExpired: (message: string) => void;
};

export type CodeStep = ReturnType<typeof useCodeStep>;

/** One code that is typed and sent, and what was wrong with it. */
export function useCodeStep<Outcome>({ check, send, onOutcome, onExpired }: CodeStepOptions<Outcome>) {
  const [code, setCode] = useState('');
  const [problems, setProblems] = useState<{ code?: string; form?: string }>({});
  const holdTab = useBusyForm('a code being typed');
  const attempt = useMutation({ mutationFn: async (typed: string) => onOutcome(await send(typed)) });
  const { isPending } = attempt;

  function submit(typed: string) {
    if (isPending) return;
    const problem = check(typed);
    setProblems(problem === null ? {} : { code: problem });
    if (problem === null) attempt.mutate(typed, { onError: refuse });
  }

  function refuse(failure: unknown) {
    if (hasErrorCode(failure, 'attempt_expired')) onExpired(errorText(failure));
    else setProblems(problemsOf(failure, ['code'], { invalid_code: 'code' }));
  }

  function change(typed: string) {
    holdTab();
    setCode(typed);
  }

  return { code, change, submit, problems, isPending };
}

export function checkDigits(code: string): string | null {
  return /^\d{6}$/.test(code) ? null : 'Enter all 6 digits of the code.';
}

/** Recovery codes are 16 letters and digits, however they are spaced. */
export function checkRecoveryCode(code: string): string | null {
  const bare = code.replace(/[\s-]/g, '').toUpperCase();
  return /^[A-Z2-7]{16}$/.test(bare) ? null : 'Enter a recovery code, like ABCD-EFGH-IJKL-MNOP.';
}
