ALTER TABLE "trip_card_entries" ALTER COLUMN "description" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "trip_card_entries" ADD COLUMN "cause" jsonb;