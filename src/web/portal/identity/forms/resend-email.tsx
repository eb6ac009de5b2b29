import { ResendButton, type ResendButtonProps } from '#web/features/mailed-code/resend-button.tsx';
import { Problem } from '#web/features/site/problem.tsx';
import { t } from '#web/language/texts.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Cluster } from '#web/ui/layout/stack.tsx';

type ResendEmailProps = ResendButtonProps & {
  resend: { isDone: boolean; problem: string | null };
  onBack: () => void;
};

/** Sends the email again, or leads back to the address. */
export function ResendEmail({ resend, availableAt, onBack }: ResendEmailProps) {
  return (
    <>
      <Problem text={resend.problem} />
      {resend.isDone && (
        <Notice type="success" role="status">
          {t('We sent another email. Use the newest one.')}
        </Notice>
      )}
      <Cluster justify="between">
        <ResendButton resend={resend} availableAt={availableAt} />
        <Button variant="quiet" size="small" onClick={onBack}>
          {t('Use another address')}
        </Button>
      </Cluster>
    </>
  );
}
