import { pairGateDevice } from '#contract/gate-devices/endpoints.ts';
import { staffPages } from '#contract/paths.ts';
import { FormPage } from '#web/features/identity/form-page.tsx';
import { LinkUseless, useMailedToken } from '#web/features/identity/mailed-link.tsx';
import { ActionButton } from '#web/features/site/problem.tsx';
import { t } from '#web/language/texts.ts';
import { hasErrorCode } from '#web/platform/api/api-error.ts';
import { request } from '#web/platform/api/request.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { ButtonLink } from '#web/ui/form/button.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';

/** The page that a new device opens by scanning the desk's code. */
export function PairScreen() {
  const { brand } = useSettings();
  const token = useMailedToken();
  const pairing = useAction(() => request(pairGateDevice, { body: { token: token ?? '' } }));
  const isExpired = hasErrorCode(pairing.failure, 'link_expired');
  const start = <ButtonLink to={staffPages.gate}>{t('Start a shift')}</ButtonLink>;
  return (
    <FormPage
      title={t('Pair this device')}
      intro={t('A paired device checks tickets at the gates of {brand}.', { brand: brand.name })}
    >
      {pairing.isDone ? (
        <Stack>
          <Notice type="success" role="status">
            {t('This device is paired. People who work with it sign in with a PIN.')}
          </Notice>
          {start}
        </Stack>
      ) : token === null || isExpired ? (
        <LinkUseless instead={start}>
          {token === null
            ? t('This link is incomplete. Scan the code at the desk again.')
            : t('That code has been used or is too old. Ask for a new one at the desk.')}
        </LinkUseless>
      ) : (
        <ActionButton action={pairing} variant="primary" size="large" block pendingText={t('One moment…')}>
          {t('Pair this device')}
        </ActionButton>
      )}
    </FormPage>
  );
}
