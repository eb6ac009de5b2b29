import { useQueryClient } from '@tanstack/react-query';
import { type ActionOptions, useAction } from '#web/platform/forms/use-action.ts';
import { SECURITY_KEY } from './queries.ts';

/** Changes the account's security. */
export function useSecurityAction<Input = void, Data = unknown>(
  act: (input: Input) => Promise<Data>,
  options: ActionOptions<Input, Data>,
) {
  return useAction(act, { ...options, onSettled: useReloadSecurity() });
}

/** Reloads the whole screen, because any change may affect the rest. */
export function useReloadSecurity(): () => void {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: SECURITY_KEY });
}
