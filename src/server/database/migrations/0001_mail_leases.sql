DROP INDEX "mails_queued";--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "try_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
CREATE INDEX "mails_queued" ON "mails" USING btree ("status","try_at");