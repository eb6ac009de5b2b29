import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button, type ButtonProps } from '#web/ui/form/button.tsx';

/** Why an action failed; nothing if it did not. */
export function Problem({ text }: { text: string | null }) {
  if (text === null) return null;
  return (
    <Notice type="alert" role="alert">
      {text}
    </Notice>
  );
}

type ActionButtonProps = ButtonProps & {
  action: { run: () => void; isPending: boolean; problem: string | null };
};

/** Runs an action, and shows above the button why it failed. */
export function ActionButton({ action, ...button }: ActionButtonProps) {
  return (
    <>
      <Problem text={action.problem} />
      <Button variant="secondary" {...button} isPending={action.isPending} onClick={() => action.run()} />
    </>
  );
}
