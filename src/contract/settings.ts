import * as z from 'zod/mini';

/** Settings "web": what makes the same product another operator's, readable by anyone. */
export const WebSettingsSchema = z.object({
  brand: z.object({
    name: z.string(),
    /** CSS colour of the one accent. */
    accent: z.string(),
    /** Address of the operator's mark, about as wide as high, for the header of every screen. */
    logo_url: z.nullable(z.string()),
    tagline: z.string(),
  }),
  contact: z.object({ phone: z.string(), email: z.string(), booth_hours: z.string() }),
  units: z.enum(['imperial', 'metric']),
  terms: z.object({ version: z.string(), text: z.array(z.string()) }),
  /** What may be put on a trip card at once, in minor units; the presets are what screens offer. */
  top_up: z.object({ presets: z.array(z.int()), min: z.int(), max: z.int() }),
  analytics: z.object({
    tickets_container_id: z.nullable(z.string()),
    portal_container_id: z.nullable(z.string()),
    recorder_site_id: z.nullable(z.string()),
  }),
  /** Switches the service worker off on every device that reads this, as long as its pages still run. */
  sw: z.optional(z.object({ disabled: z.boolean() })),
});
export type WebSettings = z.infer<typeof WebSettingsSchema>;

/**
 * What the server writes into each HTML page (`<script type="application/json" id="page-config">`), so that
 * nothing has to be fetched before the app knows where it is.
 */
export type PageConfig = {
  /** Which route table this origin shows. */
  host: 'tickets' | 'portal';
  origins: { tickets: string; portal: string; storage: string };
  /** Cookies are scoped to it. */
  parent_domain: string;
  /** Whether the session cookie carries Secure. */
  secure_cookies: boolean;
  /** Code points a new password has at least. */
  password_min_length: number;
  provider: { publishable_key: string; script_url: string; is_test: boolean };
  sentry_dsn: string | null;
  version: string;
  settings: WebSettings;
};
