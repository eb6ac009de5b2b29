import type { WebSettings } from '#contract/settings/schemas.ts';

/** The defaults for fields that neither a feed nor the operator sets. They contain no operator's name or contact. */
export const defaultWebSettings: WebSettings = {
  brand: { name: 'Ferry tickets', accent: '#f2640c', logo_url: null, tagline: null },
  contact: { phone: null, email: null, url: null, booth_hours: null },
  language: 'en-US',
  units: 'metric',
  terms: { version: 'none', text: [], acceptance: 'checkbox' },
  top_up: { presets: [2000, 5000, 10_000], min: 500, max: 50_000 },
  analytics: { tickets_container_id: null, portal_container_id: null, recorder_site_id: null },
};
