import { createRoot } from 'react-dom/client';
import { startOutsideScripts } from '#web/platform/analytics/outside-scripts.ts';
import { ConsentCard } from './consent-card.tsx';

const ID = 'consent';

/**
 * Shows the question about analytics at the page's bottom edge, first in reading order. Not on screens at terminals.
 * @param reason `requested`: the visitor opened it, so the focus moves to it
 */
export function showConsentCard(reason: 'start' | 'requested'): void {
  const isDisplay = new URLSearchParams(window.location.search).has('display');
  if (document.getElementById(ID) !== null || (reason === 'start' && isDisplay)) return;
  const opener = document.activeElement;
  const container = document.createElement('div');
  container.id = ID;
  document.body.prepend(container);
  const root = createRoot(container);
  const close = () => {
    root.unmount();
    container.remove();
    if (reason === 'requested' && opener instanceof HTMLElement) opener.focus();
  };
  root.render(
    <ConsentCard
      isRequested={reason === 'requested'}
      onDecided={(decision) => {
        close();
        if (decision === 'given') void startOutsideScripts();
      }}
    />,
  );
}
