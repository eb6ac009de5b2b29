import type { WebSettings } from '#contract/settings.ts';

/** What a new installation shows: the demo operator. Another operator is another row in the table. */
export const defaultWebSettings: WebSettings = {
  brand: {
    name: 'Harbor Line',
    accent: '#f2640c',
    logo_url: null,
    tagline: 'Ferries across the sound, all year round.',
  },
  contact: {
    phone: '+1 206 555 0142',
    email: 'help@harborline.example',
    booth_hours: 'Every day, from 45 minutes before the first sailing until the last one has left.',
  },
  units: 'imperial',
  terms: {
    version: '2026-01',
    text: [
      'Your ticket is valid for the sailing, the passengers and the vehicle it names.',
      'Be at the terminal before check-in closes. After that your place may be given to somebody else.',
      'Sailings depend on weather and tide. If we cancel one, you choose between another sailing and your money back.',
      'What you can change or get back is shown before you pay and stays with your order.',
      'Children travel with an adult. Animals and dangerous goods only as our crew allows.',
    ],
  },
  top_up: { presets: [2000, 5000, 10_000], min: 500, max: 50_000 },
  analytics: { tickets_container_id: null, portal_container_id: null, recorder_site_id: null },
};
