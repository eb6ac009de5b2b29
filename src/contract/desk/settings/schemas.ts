import * as z from 'zod/mini';
import { CurrencySchema, IdSchema, InstantSchema, LanguageSchema } from '#contract/common.ts';
import { describeCalls } from '#contract/endpoint.ts';
import * as endpoints from './endpoints.ts';

/** Longer than any setting, so that a text that is too long is refused by the setting's own rule. */
const TEXT_LIMIT = 20_000;
const LIST_LIMIT = 200;
/** More than there are settings with their texts in all languages. */
const CHANGES_LIMIT = 200;
const PATH_LIMIT = 80;

const text = z.string().check(z.maxLength(TEXT_LIMIT));

/** Paragraphs and amounts are lists; an amount is in minor units. Null: empty. */
const SettingValueSchema = z.union([
  z.null(),
  z.boolean(),
  z.number(),
  text,
  z.array(text).check(z.maxLength(LIST_LIMIT)),
  z.array(z.number()).check(z.maxLength(LIST_LIMIT)),
]);
export type SettingValue = z.infer<typeof SettingValueSchema>;

const SETTING_KINDS = [
  'text',
  'color',
  'number',
  'switch',
  'choice',
  'paragraphs',
  'amount',
  'amounts',
] as const;

const StaffSettingSchema = z.object({
  /** `brand.name`; a text in another language has it after its name, as `brand.tagline@de`. */
  path: z.string(),
  section: z.string(),
  /** Null: the operator's. */
  language: z.nullable(LanguageSchema),
  kind: z.enum(SETTING_KINDS),
  /** What it may be, in words. */
  allowed: z.string(),
  /** Of a choice. */
  choices: z.array(z.string()),
  /** Whether null is a value of its own: nothing is shown. Of others, the feed's value or the default counts then. */
  can_be_empty: z.boolean(),
  source: z.enum(['settings', 'feed', 'default']),
  /** The value in effect. */
  value: SettingValueSchema,
});
export type StaffSetting = z.infer<typeof StaffSettingSchema>;

const StaffSettingsSchema = z.object({
  /** Of what is stored; who publishes names it. */
  version: z.string(),
  /** The last publication that the audit log has. */
  published: z.nullable(
    z.object({
      at: InstantSchema,
      /** A staff member's name or the system user of a command; null: the person was removed. */
      by: z.nullable(z.string()),
    }),
  ),
  /** Of the amounts. */
  currency: CurrencySchema,
  settings: z.array(StaffSettingSchema),
});
export type StaffSettings = z.infer<typeof StaffSettingsSchema>;

const SettingChangeSchema = z.strictObject({
  path: z.string().check(z.maxLength(PATH_LIMIT)),
  /** Missing: the value of the feed or the default counts again; a text in another language is removed. */
  value: z.optional(SettingValueSchema),
});
export type SettingChange = z.infer<typeof SettingChangeSchema>;

const SettingsVersionSchema = z.object({
  id: IdSchema,
  at: InstantSchema,
  /** A staff member's name or the system user of a command; null: unknown, or the person was removed. */
  by: z.nullable(z.string()),
});
const SettingsVersionsSchema = z.array(SettingsVersionSchema);
export type SettingsVersions = z.infer<typeof SettingsVersionsSchema>;

const ChangesSchema = z.array(SettingChangeSchema).check(z.minLength(1), z.maxLength(CHANGES_LIMIT));

/** Of the values in effect. */
const SettingDifferenceSchema = z.object({
  path: z.string(),
  before: SettingValueSchema,
  after: SettingValueSchema,
});
export type SettingDifference = z.infer<typeof SettingDifferenceSchema>;

export const staffSettingsCalls = describeCalls(endpoints, {
  getStaffSettings: {
    summary: 'List the settings in effect, with what each may be',
    response: StaffSettingsSchema,
  },
  previewSettings: {
    summary:
      'Check changes of settings as the command does, and list what would change for customers; its pages can be looked at afterwards',
    body: z.strictObject({ changes: ChangesSchema }),
    response: z.array(SettingDifferenceSchema),
  },
  showSettingsPreview: {
    summary:
      'Show a page, or a mail, with the changes that the caller has checked last, for a frame without scripts',
    query: z.object({ language: LanguageSchema }),
    response: { mediaType: 'text/html' },
    errors: ['not_found'],
  },
  publishSettings: {
    summary: 'Change settings and publish them at once; refused if others were published meanwhile',
    body: z.strictObject({ version: z.string().check(z.maxLength(PATH_LIMIT)), changes: ChangesSchema }),
    response: StaffSettingsSchema,
    errors: ['settings_changed', 'step_up_required'],
  },
  listSettingsVersions: {
    summary: 'List the earlier versions of the settings that can be published again, newest first',
    response: SettingsVersionsSchema,
  },
  getSettingsVersion: {
    summary: 'Read the changes that make the settings those of an earlier version again; they may be none',
    response: z.array(SettingChangeSchema),
    errors: ['not_found'],
  },
});
