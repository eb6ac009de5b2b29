import * as z from 'zod/mini';
import { AmountSchema, CurrencySchema, IdSchema, InstantSchema, plainText } from '#contract/common.ts';
import { describeCalls } from '#contract/endpoint.ts';
import { AMOUNT_LIMIT } from '#contract/limits.ts';
import { DRAWER_NOTE_LENGTH } from '../limits.ts';
import * as endpoints from './endpoints.ts';

/** The cash of a person's shift. Amounts in minor units. */
const DrawerSchema = z.object({
  id: IdSchema,
  opened_at: InstantSchema,
  closed_at: z.nullable(InstantSchema),
  /** Counted when it was opened. */
  opening: AmountSchema,
  /** In cash by this person since then. */
  taken: AmountSchema,
  paid_out: AmountSchema,
  /** What should be in it: opening + taken − paid out. */
  expected: AmountSchema,
  /** Null while it is open. */
  counted: z.nullable(AmountSchema),
  note: z.string(),
});
export type Drawer = z.infer<typeof DrawerSchema>;

const DrawersSchema = z.object({
  open: z.nullable(DrawerSchema),
  /** The last ten, the latest first. */
  closed: z.array(DrawerSchema),
  currency: CurrencySchema,
});
export type Drawers = z.infer<typeof DrawersSchema>;

const CountedSchema = z.int().check(z.gte(0), z.lte(AMOUNT_LIMIT));

export const drawerCalls = describeCalls(endpoints, {
  getDrawer: {
    summary: 'Read the cash drawer of one’s own shift, and the last ones that were closed',
    response: DrawersSchema,
  },
  openDrawer: {
    summary: 'Open a cash drawer with what is in it',
    body: z.strictObject({ opening: CountedSchema }),
    response: DrawersSchema,
    errors: ['drawer_open'],
  },
  closeDrawer: {
    summary: 'Close one’s cash drawer with what was counted',
    body: z.strictObject({ counted: CountedSchema, note: plainText(0, DRAWER_NOTE_LENGTH) }),
    response: DrawersSchema,
    errors: ['not_found'],
  },
});
