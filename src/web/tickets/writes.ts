import { createIdempotentWrites } from '#web/platform/idempotency/idempotent-writes.ts';
import { changeDraft, draftStore } from './draft.ts';

/** The purchase's writes; their keys are part of the draft and survive a reload. */
export const writes = createIdempotentWrites({
  get: () => draftStore.get().idempotencyKeys,
  set: (idempotencyKeys) => changeDraft({ idempotencyKeys }),
});
