ALTER TABLE "refunds" ADD COLUMN "failed_references" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "try_at" timestamp (3) with time zone;