import { trustedScript } from '../trusted-types.ts';

const SCRIPT_VERSION = 6;

type Recorder = ((...command: unknown[]) => void) & { q?: unknown[][] };
type RecordedPage = Window & { hj?: Recorder; _hjSettings?: { hjid: number; hjsv: number } };

/** Starts the session recorder once, with an id made for this visit. It sees where is pressed, and no text. */
export function startRecording(siteId: number): void {
  const page: RecordedPage = window;
  if (page.hj !== undefined) return;
  maskTexts();
  const queue: unknown[][] = [];
  page.hj = Object.assign((...command: unknown[]) => void queue.push(command), { q: queue });
  page._hjSettings = { hjid: siteId, hjsv: SCRIPT_VERSION };
  page.hj('identify', crypto.randomUUID(), {});
  const script = document.createElement('script');
  script.async = true;
  script.src = trustedScript(`https://static.hotjar.com/c/hotjar-${siteId}.js?sv=${SCRIPT_VERSION}`);
  document.head.append(script);
}

/**
 * All of it: fields, and what the screens say of orders, travellers and balances. The whole body, because dialogs
 * and notices stand beside the screens.
 */
function maskTexts(): void {
  document.body.setAttribute('data-hj-suppress', '');
}
