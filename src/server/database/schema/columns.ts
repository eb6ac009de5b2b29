import { bigint, text, timestamp } from 'drizzle-orm/pg-core';

/** An instant, stored in UTC. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date', precision: 3 });

/** Money in minor units. 64 bits, so that no season's sum overflows; always a safe integer in JavaScript. */
export const amount = (name: string) => bigint(name, { mode: 'number' });

/** Opaque id: kind prefix and 128 random bits (see server/ids.ts). */
export const id = (name = 'id') => text(name);
