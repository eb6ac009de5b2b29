import { describePass } from '#sentences/passes.ts';
import { textLanguage } from '#web/language/page-language.ts';
import { t } from '#web/language/texts.ts';
import type { PassTerms } from '#web/platform/api/types.ts';

/** What a pass pays for, where and how long. */
export function PassConditions({ pass }: { pass: PassTerms }) {
  return (
    <ul>
      {describePass(t, textLanguage(), pass).map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}
