CREATE TABLE "feed_changes" (
	"id" text PRIMARY KEY NOT NULL,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	"staff_id" text,
	"system_user" text,
	"files" jsonb,
	"takes_back" timestamp (3) with time zone,
	"zip_before" text NOT NULL
);
--> statement-breakpoint
CREATE INDEX "feed_changes_by_time" ON "feed_changes" USING btree ("inserted_at");