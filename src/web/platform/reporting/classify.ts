export type ErrorKind = 'report' | 'suppress' | 'notify-reload' | 'reload-for-provider' | 'reload-for-stack';

/** Noise from browsers and embedded views that we cannot fix. */
const SUPPRESSED = [
  'The operation either timed out or was not allowed',
  '__gCrWeb',
  'webkit-masked-url',
  '{address}',
];

/** What browsers say when a screen's chunk is gone or another file, such as a page, came back. */
const OUTDATED_BUNDLE =
  /JavaScript MIME type|module script|Unable to preload CSS|dynamically imported module|(Unexpected token|expected expression, got) '?<'?$/i;

const PROVIDER_SCRIPT = /Failed to load Stripe\.js/i;
const CALL_STACK = /Maximum call stack size exceeded|too much recursion/i;

export function classify(text: string): ErrorKind {
  if (SUPPRESSED.some((part) => text.includes(part))) return 'suppress';
  if (OUTDATED_BUNDLE.test(text)) return 'notify-reload';
  if (PROVIDER_SCRIPT.test(text)) return 'reload-for-provider';
  if (CALL_STACK.test(text)) return 'reload-for-stack';
  return 'report';
}

export function isOutdatedBundle(error: unknown): boolean {
  return classify(getMessage(error)) === 'notify-reload';
}

export function getMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
