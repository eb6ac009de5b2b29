import { type ReactNode, useEffect } from 'react';
import { rich } from '#web/language/rich.ts';
import { t } from '#web/language/texts.ts';
import { focusMain } from '#web/platform/router/focus-main.ts';
import { Card } from '#web/ui/layout/card.tsx';
import { PageHeader } from '#web/ui/layout/page.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { StrongAddress } from '../site/email-address.tsx';
import styles from './form-page.module.css';

export type FormPageProps = {
  title: string;
  intro: ReactNode;
  /** Above the card. */
  notice?: ReactNode;
  cardTitle?: string | undefined;
  /** In the card. */
  children: ReactNode;
  /** Paragraphs below the card. */
  smallPrint?: ReactNode;
};

/** A screen with one form, in a card. */
export function FormPage({ title, intro, notice, cardTitle, children, smallPrint }: FormPageProps) {
  return (
    <div className={styles.page} data-horizon>
      <PageHeader title={title} intro={intro} />
      <Stack>
        {notice}
        <Card title={cardTitle}>{children}</Card>
        {smallPrint && (
          <Stack gap="sm" className="note">
            {smallPrint}
          </Stack>
        )}
      </Stack>
    </div>
  );
}

type SentEmailPageProps = Omit<FormPageProps, 'title' | 'intro'> & {
  email: string;
  /** What to do with the email, as a sentence. */
  instruction: string;
};

export function SentEmailPage({ email, instruction, ...page }: SentEmailPageProps) {
  return (
    <FormPage
      {...page}
      title={t('Check your email')}
      intro={
        <>
          {rich('We sent an email to <address>{email}</address>.', {
            address: () => <StrongAddress>{email}</StrongAddress>,
            email,
          })}{' '}
          {instruction}
        </>
      }
    />
  );
}

/** For content that replaces a form, whose focused button is gone: screen readers announce the new content. */
export function useScreenFocus(): void {
  useEffect(() => {
    focusMain();
    window.scrollTo(0, 0);
  }, []);
}
