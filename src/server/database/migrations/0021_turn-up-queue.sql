CREATE TABLE "queue_entries" (
	"id" text PRIMARY KEY NOT NULL,
	"sailing_id" text NOT NULL,
	"arrived_at" timestamp (3) with time zone NOT NULL,
	"moved_from" text,
	"status" text NOT NULL,
	"party" jsonb NOT NULL,
	"people" integer NOT NULL,
	"vehicles" integer NOT NULL,
	"plate" text,
	"label" text NOT NULL,
	"phone" text NOT NULL,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "queue_entries_moved_once" UNIQUE("moved_from"),
	CONSTRAINT "queue_entries_people" CHECK ("queue_entries"."people" > 0 and "queue_entries"."vehicles" >= 0)
);
--> statement-breakpoint
ALTER TABLE "queue_entries" ADD CONSTRAINT "queue_entries_sailing_id_sailings_id_fk" FOREIGN KEY ("sailing_id") REFERENCES "public"."sailings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "queue_entries_by_sailing" ON "queue_entries" USING btree ("sailing_id");--> statement-breakpoint
CREATE INDEX "queue_entries_with_contact" ON "queue_entries" USING btree ("inserted_at") WHERE plate is not null or label <> '' or phone <> '';