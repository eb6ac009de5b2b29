import type { ReactNode } from 'react';
import { hasErrorCode } from '#web/platform/api/api-error.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { FormPage, type FormPageProps, useScreenFocus } from '../forms/form-page.tsx';
import { ActionButton } from '../parts/problem.tsx';

type MailedLinkProps<Done> = {
  title: string;
  intro: ReactNode;
  button: string;
  /** Null if the address contains none. */
  token: string | null;
  act: (token: string) => Promise<Done>;
  /** The button stays pending until this resolves; what it throws is shown. */
  onDone: (done: Done) => Promise<void>;
  /** Where to go if the link has expired. */
  instead: ReactNode;
  /** Above the button. */
  children?: ReactNode;
};

/** The screen of a mailed link. Only its button does anything, because mail scanners open links too. */
export function MailedLink<Done>(props: MailedLinkProps<Done>) {
  const { title, intro, button, token, act, onDone, instead, children } = props;
  const action = useAction(() => act(token ?? ''), { onDone });
  const isExpired = hasErrorCode(action.failure, 'link_expired');
  return (
    <FormPage title={title} intro={intro}>
      {token === null || isExpired ? (
        <LinkUseless instead={instead}>
          {isExpired ? action.failure?.message : 'This link is incomplete. Open it from the email again.'}
        </LinkUseless>
      ) : (
        <Stack>
          {children}
          <ActionButton action={action} variant="primary" size="large" block pendingText="One moment…">
            {button}
          </ActionButton>
        </Stack>
      )}
    </FormPage>
  );
}

export function LinkUseless({ children, instead }: { children: ReactNode; instead: ReactNode }) {
  return (
    <Stack>
      <Notice type="warning" role="alert">
        {children}
      </Notice>
      <div>{instead}</div>
    </Stack>
  );
}

/** Replaces the screen once the link's action is done. */
export function LinkDone(props: FormPageProps) {
  useScreenFocus();
  return <FormPage {...props} />;
}
