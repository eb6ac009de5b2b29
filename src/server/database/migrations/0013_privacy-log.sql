CREATE TABLE "privacy_log" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"actor" text NOT NULL,
	"orders" integer NOT NULL,
	"inserted_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "privacy_log_by_time" ON "privacy_log" USING btree ("inserted_at");--> statement-breakpoint
CREATE INDEX "orders_with_contact" ON "orders" USING btree ("inserted_at") WHERE contact_email <> '';