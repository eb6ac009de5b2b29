import { describePass } from '#domain/passes/describe-pass.ts';
import type { PassTerms } from '#web/platform/api/types.ts';

/** What a pass pays for, where and how long. */
export function PassConditions({ pass }: { pass: PassTerms }) {
  return (
    <ul>
      {describePass(pass).map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}
