import { type ReactNode, useEffect, useState } from 'react';
import { t } from '#web/language/texts.ts';
import { MESSAGES } from '#web/platform/forms/messages.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { Button, type ButtonProps } from '#web/ui/form/button.tsx';
import { CodeField } from '#web/ui/form/code-field.tsx';
import { TextField } from '#web/ui/form/field.tsx';
import { Form } from '#web/ui/form/form.tsx';

type CodeFormProps<Data> = {
  label: string;
  hint?: string | undefined;
  button?: string;
  size?: ButtonProps['size'];
  isRecoveryCode?: boolean;
  send: (code: string) => Promise<Data>;
  onDone: (data: Data) => unknown;
  /** Returns the problems to show; undefined for the server's own. */
  onFailed?: (failure: Error) => { code?: string } | undefined;
  /** Below the button. */
  children?: ReactNode;
};

/**
 * Asks for one code. Six digits are sent as soon as all are typed, pasted or filled in; while others are being checked, as
 * soon as those are refused.
 */
export function CodeForm<Data>(props: CodeFormProps<Data>) {
  const { label, hint, button = t('Confirm'), size, isRecoveryCode = false, children } = props;
  const { send, onDone, onFailed } = props;
  const [next, setNext] = useState<string | null>(null);
  const form = useForm({
    initial: { code: '' },
    check: ({ code }): { code?: string } => {
      const problem = isRecoveryCode ? checkRecoveryCode(code) : checkDigits(code);
      return problem === null ? {} : { code: problem };
    },
    send: ({ code }) => send(code.trim()),
    onDone: async (data) => {
      await onDone(data);
      setNext(null);
    },
    byCode: { invalid_code: 'code' },
    onFailed: (failure) => onFailed?.(failure),
    busyReason: 'a code being typed',
  });
  useEffect(() => {
    if (next === null || form.isPending) return;
    setNext(null);
    form.submit({ code: next });
  }, [next, form]);
  return (
    <Form form={form} startsFocused>
      <p role="alert" className="visually-hidden">
        {form.problems.code}
      </p>
      {isRecoveryCode ? (
        <TextField
          {...form.input('code')}
          label={label}
          hint={hint}
          name="recovery-code"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={40}
        />
      ) : (
        <CodeField
          {...form.field('code')}
          label={label}
          hint={hint}
          value={form.values.code}
          onChange={(code) => {
            setNext(null);
            form.change({ code });
          }}
          onComplete={setNext}
        />
      )}
      <Button type="submit" size={size} block isPending={form.isPending} pendingText={t('Checking…')}>
        {button}
      </Button>
      {children}
    </Form>
  );
}

/** True for six digits or a recovery code, however they are spaced. */
export function isCode(text: string): boolean {
  return checkDigits(text.replace(/[\s-]/g, '')) === null || checkRecoveryCode(text) === null;
}

function checkDigits(code: string): string | null {
  return /^\d{6}$/.test(code) ? null : MESSAGES.digits;
}

/** Recovery codes are 16 letters and digits. */
function checkRecoveryCode(code: string): string | null {
  const bare = code.replace(/[\s-]/g, '').toUpperCase();
  return /^[A-Z2-7]{16}$/.test(bare) ? null : t('Enter a recovery code, like ABCD-EFGH-IJKL-MNOP.');
}
