import { errorText } from '#web/platform/api/api-error.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';

export type LoadProblemProps = {
  /** What is not there: "Your orders could not be loaded". */
  title: string;
  error: unknown;
  isFetching: boolean;
  onRetry: () => void;
};

export function LoadProblem({ title, error, isFetching, onRetry }: LoadProblemProps) {
  return (
    <Notice
      type="alert"
      role="alert"
      title={title}
      action={
        <Button
          variant="secondary"
          needsConnection
          isPending={isFetching}
          pendingText="Trying…"
          onClick={onRetry}
        >
          Try again
        </Button>
      }
    >
      {errorText(error)}
    </Notice>
  );
}
