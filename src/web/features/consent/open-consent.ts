/** Shows the question about analytics, so that the visitor can decide or change a decision. */
export async function openConsent(reason: 'start' | 'requested'): Promise<void> {
  const { showConsentCard } = await import('./show-consent-card.tsx');
  showConsentCard(reason);
}
