ALTER TABLE "top_ups" ADD COLUMN "dispute_id" text;--> statement-breakpoint
CREATE INDEX "trip_card_entries_by_top_up" ON "trip_card_entries" USING btree ("top_up_id") WHERE top_up_id is not null;