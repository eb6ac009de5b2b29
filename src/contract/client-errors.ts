import { message } from '#messages/translate.ts';

/*
 * Apart from the codes and their texts, which would add three kilobytes to the first load: responses bring the texts.
 */

/** HTTP statuses that clients compare with. */
export const STATUS = {
  badRequest: 400,
  unauthorized: 401,
  unprocessable: 422,
  serverError: 500,
  network: 0,
} as const;

/** The code of a failed request, which customers tell the operator: the beginning of its id in the server's log. */
export function getErrorCode(requestId: string): string {
  return requestId.slice(0, 8);
}

/** Texts for responses without one (newer and older call style). */
export const CLIENT_TEXTS = {
  tryAgain: message('Something went wrong. Please try again.'),
  checkAndTryAgain: message("That didn't work. Please check and try again."),
  reported: message('Something went wrong and has been reported.'),
  plain: message('Something went wrong'),
} as const;
