CREATE TABLE "cash_drawers" (
	"id" text PRIMARY KEY NOT NULL,
	"staff_id" text NOT NULL,
	"opened_at" timestamp (3) with time zone NOT NULL,
	"opening" bigint NOT NULL,
	"currency" text NOT NULL,
	"closed_at" timestamp (3) with time zone,
	"expected" bigint,
	"counted" bigint,
	"note" text DEFAULT '' NOT NULL,
	CONSTRAINT "cash_drawers_closed_whole" CHECK (num_nonnulls("cash_drawers"."closed_at", "cash_drawers"."expected", "cash_drawers"."counted") in (0, 3))
);
--> statement-breakpoint
CREATE INDEX "cash_drawers_by_staff" ON "cash_drawers" USING btree ("staff_id","opened_at");--> statement-breakpoint
CREATE UNIQUE INDEX "cash_drawers_one_open" ON "cash_drawers" USING btree ("staff_id") WHERE closed_at is null;