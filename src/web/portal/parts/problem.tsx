import { Notice } from '#web/ui/feedback/notice.tsx';

/** Why an action failed; nothing if it did not. */
export function Problem({ text }: { text: string | null }) {
  if (text === null) return null;
  return (
    <Notice type="alert" role="alert">
      {text}
    </Notice>
  );
}
