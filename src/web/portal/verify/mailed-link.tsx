import type { ReactNode } from 'react';
import { hasErrorCode } from '#web/platform/api/api-error.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { PageHeader } from '#web/ui/layout/page.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { NarrowPage } from '../forms/narrow-page.tsx';
import { useScreenFocus } from '../forms/use-screen-focus.ts';
import { Problem } from '../parts/problem.tsx';

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
export function MailedLink<Done>({ title, intro, children, ...rest }: MailedLinkProps<Done>) {
  return (
    <NarrowPage>
      <PageHeader title={title} intro={intro} />
      <Card>
        <Stack>
          {rest.token === null ? (
            <LinkUseless instead={rest.instead}>
              This link is incomplete. Open it from the email again.
            </LinkUseless>
          ) : (
            <LinkAction {...rest} token={rest.token}>
              {children}
            </LinkAction>
          )}
        </Stack>
      </Card>
    </NarrowPage>
  );
}

type LinkActionProps<Done> = Omit<MailedLinkProps<Done>, 'title' | 'intro'> & { token: string };

function LinkAction<Done>({ token, act, onDone, button, instead, children }: LinkActionProps<Done>) {
  const action = useAction(() => act(token), { onDone });
  if (hasErrorCode(action.failure, 'link_expired')) {
    return <LinkUseless instead={instead}>{action.failure?.message}</LinkUseless>;
  }
  return (
    <>
      {children}
      <Problem text={action.problem} />
      <Button
        size="large"
        block
        isPending={action.isPending}
        pendingText="One moment…"
        onClick={() => action.run()}
      >
        {button}
      </Button>
    </>
  );
}

export function LinkUseless({ children, instead }: { children: ReactNode; instead: ReactNode }) {
  return (
    <>
      <Notice type="warning" role="alert">
        {children}
      </Notice>
      <div>{instead}</div>
    </>
  );
}

type LinkDoneProps = { title: string; intro: ReactNode; children: ReactNode };

/** Replaces the screen once the link's action is done. */
export function LinkDone({ title, intro, children }: LinkDoneProps) {
  useScreenFocus();
  return (
    <NarrowPage>
      <PageHeader title={title} intro={intro} />
      <Card>{children}</Card>
    </NarrowPage>
  );
}
