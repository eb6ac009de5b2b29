import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { ApiError } from '#web/platform/api/api-error.ts';
import { setIdentityCheck } from '#web/platform/forms/step-up.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { isBusy } from '#web/platform/updates/busy.ts';

type Values = { name: string; newEmail: string };

let stopAsking: () => void = () => undefined;

afterEach(() => {
  stopAsking();
  cleanup();
});

function wrapper({ children }: { children: ReactNode }) {
  return <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>;
}

function openForm(send: (values: Values) => unknown = () => null, onDone = vi.fn()) {
  const check = ({ name }: Values): { name?: string } => (name === '' ? { name: 'Enter your name.' } : {});
  const initial = { name: '', newEmail: '' };
  const { result } = renderHook(
    () => useForm({ initial, check, send, onDone, byCode: { invalid_code: 'name' }, busyReason: 'typing' }),
    { wrapper },
  );
  return { form: () => result.current, onDone };
}

function refuse(error: { code: string; field?: string; details?: Record<string, unknown> }): never {
  throw new ApiError(422, [{ message: 'Not this.', ...error }]);
}

describe('useForm', () => {
  test('shows invalid values at their fields and sends nothing', async () => {
    const send = vi.fn();
    const { form } = openForm(send);
    act(() => form().submit());
    expect(form().field('name')).toMatchObject({ name: 'name', error: 'Enter your name.' });
    expect(form().errors).toEqual([{ fieldId: form().field('name').id, message: 'Enter your name.' }]);
    expect(send).not.toHaveBeenCalled();
  });

  test('hides the problem of a field that changes, but not of one set to the same value', () => {
    const { form } = openForm();
    act(() => form().submit());
    act(() => form().change({ name: '' }));
    expect(form().field('name').error).toBe('Enter your name.');
    act(() =>
      form()
        .input('name')
        .onChange({ target: { value: 'Robin' } }),
    );
    expect(form().field('name').error).toBeUndefined();
    expect(form().values.name).toBe('Robin');
  });

  test('sends the values once, keeps the tab busy until then, and passes the response to onDone', async () => {
    const send = vi.fn(async () => 'response');
    const { form, onDone } = openForm(send);
    act(() => form().change({ name: 'Robin' }));
    expect(isBusy()).toBe(true);
    act(() => form().submit({ newEmail: 'a@b.example' }));
    await waitFor(() =>
      expect(onDone).toHaveBeenCalledWith('response', { name: 'Robin', newEmail: 'a@b.example' }),
    );
    await waitFor(() => expect(isBusy()).toBe(false));
    expect(send).toHaveBeenCalledTimes(1);
  });

  test.each([
    ['the field that the server names', { code: 'invalid_input', field: 'new_email' }, 'newEmail'],
    ['the field that the code is about', { code: 'invalid_code' }, 'name'],
    ['the form, if it is about no field', { code: 'unavailable' }, 'form'],
  ])('shows a refusal at %s', async (_, error, field) => {
    const { form } = openForm(() => refuse(error));
    act(() => form().submit({ name: 'Robin' }));
    await waitFor(() => expect(form().problems).toEqual({ [field]: 'Not this.' }));
  });

  test('sends again after a step-up, and shows nothing after a canceled one', async () => {
    const answers = [false, true];
    stopAsking = setIdentityCheck(async () => answers.shift() ?? false);
    let isConfirmed = false;
    const send = vi.fn(() => {
      if (!isConfirmed) refuse({ code: 'step_up_required', details: { methods: ['password'] } });
    });
    const { form, onDone } = openForm(send);
    act(() => form().submit({ name: 'Robin' }));
    await waitFor(() => expect(form().isPending).toBe(false));
    expect(form().problems).toEqual({});
    expect(onDone).not.toHaveBeenCalled();
    act(() => form().submit({ name: 'Robin' }));
    isConfirmed = true;
    await waitFor(() => expect(onDone).toHaveBeenCalled());
  });

  test('checks external values at each change after the first attempt', () => {
    const values = { name: '' };
    const { result, rerender } = renderHook(
      () =>
        useForm({
          initial: values,
          external: { values, change: (part) => Object.assign(values, part) },
          check: ({ name }): { name?: string } => (name.length < 3 ? { name: 'Too short.' } : {}),
          send: () => null,
        }),
      { wrapper },
    );
    expect(result.current.problems).toEqual({});
    act(() => result.current.submit());
    expect(result.current.problems).toEqual({ name: 'Too short.' });
    act(() => result.current.change({ name: 'Ro' }));
    rerender();
    expect(result.current.problems).toEqual({ name: 'Too short.' });
    act(() => result.current.change({ name: 'Robin' }));
    rerender();
    expect(result.current.problems).toEqual({});
  });
});
