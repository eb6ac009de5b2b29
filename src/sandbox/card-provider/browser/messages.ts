/** Messages between the merchant's page and the provider's frames. Every message names its sender's side. */

export type FrameKind = 'payment' | 'card' | 'address' | 'linkAuthentication' | 'expressCheckout';

export type Appearance = {
  theme?: string;
  variables?: Record<string, string>;
};

export type FrameOptions = {
  kind: FrameKind;
  appearance: Appearance;
  disabled: boolean;
  /** For a wallet button; its height in pixels. */
  button: { height: number; theme: string };
  /** Initial values by field name. */
  values: Record<string, string>;
};

export type FieldState = {
  empty: boolean;
  complete: boolean;
  brand: string;
  error?: { type: 'validation_error'; code: string; message: string };
  /** Only of fields without card details. */
  value: Record<string, string>;
};

export type ProviderError = {
  type: string;
  message: string;
  code?: string;
  [more: string]: unknown;
};

/** A response of the API. A frame whose fields are valid answers with neither. */
export type ApiResult = { body?: ProviderObject | undefined; error?: ProviderError | undefined };

export type ProviderObject = { id: string; object: string; [more: string]: unknown };

/** A call made by the frame, so that card details never reach the merchant's page. */
export type FrameCall = { path: string; form: Record<string, string>; prefix: string };

export type ToFrame =
  | { side: 'page'; name: 'start' | 'update'; options: FrameOptions }
  | { side: 'page'; name: 'focus' | 'blur' | 'clear' }
  | { side: 'page'; name: 'validate'; id: number }
  | { side: 'page'; name: 'send'; id: number; call: FrameCall };

export type FromFrame =
  | { side: 'frame'; name: 'hello' | 'focus' | 'blur' | 'escape'; event?: undefined }
  | { side: 'frame'; name: 'ready' | 'press'; event?: object }
  | { side: 'frame'; name: 'height'; height: number }
  | { side: 'frame'; name: 'change'; state: FieldState }
  | { side: 'frame'; name: 'answer'; id: number; result: ApiResult };

export type FromBank = { side: 'bank'; name: 'answered' };

/** Message of the stand-in wallet's sheet: the chosen test card. */
export type FromWallet = { side: 'wallet'; name: 'pay'; card: string } | { side: 'wallet'; name: 'cancel' };

export type ToBank = { side: 'page'; name: 'give-up' };

/** Narrows an event's data to a message of one side; the page may receive other messages. */
export function messageFrom<Message extends { side: string }>(
  side: Message['side'],
  data: unknown,
): Message | null {
  if (typeof data !== 'object' || data === null || !('side' in data) || data.side !== side) return null;
  return data as Message;
}

/**
 * Sends a message from a page in a frame to the merchant's page. The element names the origins of all merchants; a browser
 * that does not name the parent's origin sends to each, and only the right one receives it.
 */
export function postToParent({ dataset }: HTMLElement, message: FromBank | FromWallet): void {
  const above = window.location.ancestorOrigins?.[0];
  for (const origin of dataset.origins?.split(' ') ?? [])
    if (above === undefined || origin === above) window.parent.postMessage(message, origin);
}
