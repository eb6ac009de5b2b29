import {
  checkPasswordLength,
  getEstimatedPart,
  listGuessableWords,
  PASSWORD_SCORE,
} from '#domain/password-rule.ts';
import type { Context } from '../context.ts';
import { ApiError } from '../http/api-error.ts';
import { loadWebSettings } from '../settings/web-settings.ts';
import { limitPasswordWork, type PasswordCaller } from './password-limits.ts';
import { estimateStrength } from './password-strength.ts';

/** Consecutive wrong passwords after which the password is refused until it is changed or reset. */
export const PASSWORD_LOCKED_AFTER = 100;

/**
 * Requires a good new password: long enough, and hard to guess for an attacker who knows common passwords, the operator
 * and the owner. There are no rules about its characters.
 * @throws {ApiError} password_too_short, password_too_long, password_too_common, rate_limited, server_busy
 */
export async function requireGoodPassword(
  context: Pick<Context, 'db' | 'config' | 'vault' | 'clock'>,
  {
    caller,
    password,
    email,
    name,
  }: { caller: PasswordCaller; password: string; email: string; name: string },
): Promise<void> {
  const refusal = checkPasswordLength(password, context.config.passwordMinLength);
  if (refusal) throw new ApiError(refusal, { field: 'password' });
  await limitPasswordWork(context, caller);
  const { brand } = await loadWebSettings(context);
  const words = listGuessableWords({ brand: brand.name, email, name });
  const score = await estimateStrength({ password: getEstimatedPart(password), words }, caller);
  if (score < PASSWORD_SCORE) throw new ApiError('password_too_common', { field: 'password' });
}
