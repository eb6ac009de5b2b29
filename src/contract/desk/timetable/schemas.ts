import * as z from 'zod/mini';
import { AmountSchema, CurrencySchema, DaySchema, IdSchema, InstantSchema } from '#contract/common.ts';
import { describeCalls } from '#contract/endpoint.ts';
import * as endpoints from './endpoints.ts';
import { UPLOAD_LIMIT_BYTES } from './limits.ts';

/** In base64, with the other fields. */
const BODY_LIMIT = Math.ceil(UPLOAD_LIMIT_BYTES / 3) * 4 + 4096;

const CountSchema = z.int().check(z.gte(0));

/** A clock at the port, without its offset. */
const PortClockSchema = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/));

/** An archive in base64 with a whole feed, or with the files that replace those of the current one. */
const UploadSchema = z.string().check(z.minLength(1));

/** What an import must still be when it is applied. */
const CheckedSchema = z.strictObject({
  /** Of the current timetable; null: there was none. */
  revision: z.nullable(z.string().check(z.maxLength(64))),
  /** SHA-256 of the files, in hex. */
  digest: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  /** Number of sold sailings that are canceled or moved. */
  affected: CountSchema,
});

const TimetableStateSchema = z.object({
  /** Null: nothing was imported yet. */
  current: z.nullable(
    z.object({
      imported_at: InstantSchema,
      /** Last service day on sale. */
      until: DaySchema,
    }),
  ),
});
export type TimetableState = z.infer<typeof TimetableStateSchema>;

const FileChangeSchema = z.object({ name: z.string(), state: z.enum(['added', 'changed', 'removed']) });
/** What a change makes of a file. */
export type FileChange = z.infer<typeof FileChangeSchema>;

const TimetableChangeSchema = z.object({
  id: IdSchema,
  at: InstantSchema,
  /** A staff member's name or the system user of a command; null: the person was removed. */
  by: z.nullable(z.string()),
  /** The files that it changed; null: a command replaced them all. */
  files: z.nullable(z.array(FileChangeSchema)),
  /** When the change was made that it took back; null: it took none back. */
  takes_back: z.nullable(InstantSchema),
});
const TimetableChangesSchema = z.array(TimetableChangeSchema);
export type TimetableChanges = z.infer<typeof TimetableChangesSchema>;

const DatedPriceSchema = z.object({
  amount: AmountSchema,
  valid_from: z.nullable(DaySchema),
  valid_until: z.nullable(DaySchema),
  /** Bit 0 = Monday … bit 6 = Sunday. */
  weekdays: z.int(),
});

/** A share of prices and its tax rate, both in basis points. */
const DatedShareSchema = z.object({
  share_bp: z.int(),
  tax_bp: z.int(),
  name: z.string(),
  valid_from: z.nullable(DaySchema),
  valid_until: z.nullable(DaySchema),
});

const SoldCountSchema = z.object({ sailings: CountSchema, tickets: CountSchema, orders: CountSchema });

/** Of orders on sailings that are canceled or moved. */
const NoticeCounts = {
  /** Paid ones that are written to. */
  notified: CountSchema,
  /** Those that wait for payment and are canceled with their boat, and whose buyers are written to. */
  unpaid_notified: CountSchema,
  /** Those that no message reaches. */
  unreachable: CountSchema,
};

const DifferenceSchema = z.object({
  checked: CheckedSchema,
  files: z.array(FileChangeSchema),
  /** Number of files that stay as they are. */
  kept_files: CountSchema,
  /** Last service day on sale. */
  until: DaySchema,
  sailings: z.object({
    added: CountSchema,
    gone: CountSchema,
    moved: CountSchema,
    otherwise_changed: CountSchema,
    unchanged: CountSchema,
  }),
  /** The first service days and routes with sailings that are added, gone or moved. */
  days: z.array(
    z.object({
      day: DaySchema,
      route: z.string(),
      added: CountSchema,
      gone: CountSchema,
      moved: CountSchema,
    }),
  ),
  /** Number of all service days and routes. */
  day_count: CountSchema,
  canceled: SoldCountSchema,
  moved: SoldCountSchema,
  ...NoticeCounts,
  /** The first sailings with tickets that are canceled or moved. */
  sold_sailings: z.array(
    z.object({
      route: z.string(),
      departs_local: PortClockSchema,
      /** Null: canceled. */
      new_departs_local: z.nullable(PortClockSchema),
      tickets: CountSchema,
      orders: CountSchema,
    }),
  ),
  /** Whether more sold sailings are canceled or moved than an import does without being asked. */
  needs_confirmation: z.boolean(),
  currency: CurrencySchema,
  fares: z.object({
    added: CountSchema,
    removed: CountSchema,
    changed: CountSchema,
    /** The first ones. */
    list: z.array(
      z.object({
        route: z.string(),
        fare_class: z.string(),
        /** Code of the passenger or vehicle type, or `bicycle`. */
        what: z.string(),
        before: z.array(DatedPriceSchema),
        after: z.array(DatedPriceSchema),
      }),
    ),
  }),
  taxes: z.object({
    /** Number of products on routes that are taxed in another way. */
    count: CountSchema,
    /** The first ones. Without shares, the rates of the fares apply. */
    list: z.array(
      z.object({
        route: z.string(),
        product: z.enum(['passenger', 'vehicle', 'bicycle', 'fee']),
        before: z.array(DatedShareSchema),
        after: z.array(DatedShareSchema),
      }),
    ),
  }),
  promo_codes: z.object({
    added: z.array(z.string()),
    removed: z.array(z.string()),
    changed: z.array(z.string()),
  }),
  /** Pairs of ports and ports that cannot be sold or reached, and what was skipped, as sentences of the import. */
  notes: z.array(z.string()),
});
export type TimetableDifference = z.infer<typeof DifferenceSchema>;

const CheckSchema = z.object({
  /** As the command prints them: `fares.csv:12 amount: …`. At most twenty of a kind. */
  problems: z.array(z.string()),
  /** The number of all problems. */
  problem_count: CountSchema,
  /** Null if there are problems. */
  difference: z.nullable(DifferenceSchema),
});
export type TimetableCheck = z.infer<typeof CheckSchema>;

const AppliedSchema = z.object({
  sailings: z.object({
    added: CountSchema,
    changed: CountSchema,
    canceled: CountSchema,
    removed: CountSchema,
    unchanged: CountSchema,
  }),
  ...NoticeCounts,
});
export type AppliedTimetable = z.infer<typeof AppliedSchema>;

const PromoCodeUseSchema = z.object({
  code: z.string(),
  kind: z.enum(['percent', 'amount']),
  /** Basis points, or money. */
  value: z.int(),
  starts_on: z.nullable(DaySchema),
  ends_on: z.nullable(DaySchema),
  max_redemptions: z.nullable(z.int()),
  /** Whether buyers can still use it. */
  is_active: z.boolean(),
  /** Paid orders. */
  orders: CountSchema,
  /** Minor units, of all orders. */
  discount: z.int(),
  /** What those orders paid, without what was refunded. Minor units. */
  revenue: z.int(),
});

const PromoCodeUsesSchema = z.object({ currency: CurrencySchema, promo_codes: z.array(PromoCodeUseSchema) });
export type PromoCodeUses = z.infer<typeof PromoCodeUsesSchema>;

export const timetableCalls = describeCalls(endpoints, {
  getImportedTimetable: { summary: 'Read what was last imported', response: TimetableStateSchema },
  downloadTimetableFile: {
    summary:
      'Download fares.csv or promo_codes.csv of the current timetable, or all its files as timetable.zip',
    response: { mediaType: 'application/octet-stream' },
    errors: ['not_found'],
  },
  listPromoCodes: {
    summary: 'List the promo codes with what they brought',
    response: PromoCodeUsesSchema,
  },
  checkTimetable: {
    summary: 'Show what an uploaded timetable would change; nothing is written',
    body: z.strictObject({ upload: UploadSchema }),
    bodyLimit: BODY_LIMIT,
    response: CheckSchema,
  },
  applyTimetable: {
    summary: 'Import an uploaded timetable as checked, as a whole',
    body: z.strictObject({ upload: UploadSchema, checked: CheckedSchema }),
    bodyLimit: BODY_LIMIT,
    response: AppliedSchema,
    errors: ['step_up_required', 'timetable_changed'],
  },
  listTimetableChanges: {
    summary: 'List the last changes of the timetable’s files that can be taken back, newest first',
    response: TimetableChangesSchema,
  },
  checkTakeBack: {
    summary: 'Show what the files from before a change would change; nothing is written',
    response: CheckSchema,
    errors: ['not_found'],
  },
  takeBackTimetable: {
    summary: 'Import the files from before a change as checked, as a whole',
    body: z.strictObject({ checked: CheckedSchema }),
    response: AppliedSchema,
    errors: ['not_found', 'step_up_required', 'timetable_changed'],
  },
});
