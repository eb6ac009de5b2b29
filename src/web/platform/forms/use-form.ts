import { type FormEvent, useId, useState } from 'react';
import type { ErrorCode } from '#contract/errors.ts';
import { snakeKey } from '../api/case-conversion.ts';
import { useBusyWhile } from '../updates/busy.ts';
import { findProblems, type Problems } from './problems.ts';
import { useAction } from './use-action.ts';

export type FormOptions<Values extends object, Data> = {
  /** Initial values, in the order of the form's fields. Keys are the wire's field names in camel case. */
  initial: Values | (() => Values);
  /** Values kept outside the form, such as in the order's draft. After the first attempt each change is checked. */
  external?: { values: Values; change: (part: Partial<Values>) => void };
  /** What is wrong with the values before they are sent. */
  check?: (values: Values) => Problems<keyof Values & string>;
  send: (values: Values) => Data | Promise<Data>;
  /** The form stays pending until this resolves; what it throws is shown. */
  onDone?: (data: Data, values: Values) => unknown;
  /** The field that an error is about, where the server does not name it. */
  byCode?: Partial<Record<ErrorCode, keyof Values & string>>;
  /** Handles a failure and returns the problems to show; undefined for the server's own. */
  onFailed?: (failure: Error) => Problems<keyof Values & string> | undefined;
  onSettled?: () => void;
  /** Why the tab must not reload once something was typed. */
  busyReason?: string;
};

type TextKey<Values> = { [Key in keyof Values]: Values[Key] extends string ? Key : never }[keyof Values];

/** Holds a form's values and problems, and sends the values. Spread `field` or `input` on the controls. */
export function useForm<Values extends object, Data = unknown>(options: FormOptions<Values, Data>) {
  type Field = keyof Values & string;
  const { external, check = () => ({}), onDone, onFailed, byCode, busyReason = '' } = options;
  const formId = useId();
  const [own, setOwn] = useState(options.initial);
  const [shown, setShown] = useState<Problems<Field>>({});
  // Replaced by each attempt only: the summary of errors takes the focus whenever the list changes.
  const [errors, setErrors] = useState<{ fieldId: string; message: string }[]>([]);
  const [hasTried, setHasTried] = useState(false);
  const [isDirty, setIsDirty] = useState(false);
  useBusyWhile(isDirty && busyReason !== '', busyReason);

  const values = external?.values ?? own;
  const fields = Object.keys(values) as Field[];
  const problems: Problems<Field> = external && hasTried ? { ...shown, ...check(values) } : shown;
  const getId = (field: Field) => `${formId}-${snakeKey(field)}`;

  const action = useAction(options.send, {
    onDone: async (data, sent: Values) => {
      await onDone?.(data, sent);
      setIsDirty(false);
    },
    onFailed: (failure) => show(onFailed?.(failure) ?? findProblems(failure, fields, byCode)),
    onSettled: options.onSettled,
  });

  function show(newProblems: Problems<Field>) {
    setShown(newProblems);
    setErrors(
      fields.flatMap((field) => {
        const message: string | undefined = newProblems[field];
        return message === undefined ? [] : { fieldId: getId(field), message };
      }),
    );
  }

  /** A changed field shows no problem until the next attempt. */
  function change(part: Partial<Values>) {
    setIsDirty(true);
    if (external) return external.change(part);
    setOwn((before) => ({ ...before, ...part }));
    const changed = (Object.keys(part) as Field[]).filter((key) => part[key] !== values[key]);
    setShown((before) => ({ ...before, ...Object.fromEntries(changed.map((key) => [key, undefined])) }));
  }

  /** Sends the values, with `part` in place of those not rendered yet. */
  function submit(part?: Partial<Values>) {
    if (action.isPending) return;
    const entered = { ...values, ...part };
    const newProblems = check(entered);
    show(newProblems);
    if (external) setShown({});
    setHasTried(true);
    if (Object.keys(newProblems).length === 0) action.run(entered);
  }

  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    submit();
  }

  const field = (name: Field) => ({ id: getId(name), name: snakeKey(name), error: problems[name] });
  const input = (name: Field & TextKey<Values>) => ({
    ...field(name),
    value: values[name] as string,
    onChange: (event: { target: { value: string } }) =>
      change({ [name]: event.target.value } as Partial<Values>),
  });

  return {
    values,
    change,
    field,
    input,
    submit,
    handleSubmit,
    isPending: action.isPending,
    isDone: action.isDone,
    /** The values under way. */
    sent: action.input,
    problems,
    errors,
    problem: problems.form,
  };
}
