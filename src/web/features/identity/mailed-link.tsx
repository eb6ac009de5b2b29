import { type ReactNode, useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { t } from '#web/language/texts.ts';
import { hasErrorCode } from '#web/platform/api/api-error.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { findMailedToken, forgetMailedToken, takeMailedToken, tokenIn } from '#web/platform/mailed-token.ts';
import { beginBusy } from '#web/platform/updates/busy.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { ActionButton } from '../site/problem.tsx';
import { FormPage, type FormPageProps, useScreenFocus } from './form-page.tsx';

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
          {isExpired ? action.failure?.message : t('This link is incomplete. Open it from the email again.')}
        </LinkUseless>
      ) : (
        <Stack>
          {children}
          <ActionButton action={action} variant="primary" size="large" block pendingText={t('One moment…')}>
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

/**
 * The token of the mailed link that opened this screen; null if there is none. A link opened while the screen is
 * open changes only the fragment, and the newer token counts.
 */
export function useMailedToken(): string | null {
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  const [token, setToken] = useState(() => findMailedToken(pathname));
  const arrived = tokenIn(hash);
  if (arrived !== null && arrived !== token) setToken(arrived);

  useEffect(() => {
    if (arrived === null) return;
    takeMailedToken();
    void navigate(pathname + search, { replace: true });
  }, [arrived, pathname, search, navigate]);

  useEffect(() => forgetMailedToken, []);
  // No longer in the address, so a reload would lose it.
  useEffect(() => (token === null ? undefined : beginBusy('a mailed link open')), [token]);
  return token;
}
