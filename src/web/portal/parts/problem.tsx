import { Notice } from '#web/ui/feedback/notice.tsx';

/** Why something was not done; nothing while there is nothing to say. */
export function Problem({ text }: { text: string | null }) {
  if (text === null) return null;
  return (
    <Notice type="alert" role="alert">
      {text}
    </Notice>
  );
}
