CREATE TABLE "held_back_places" (
	"id" text PRIMARY KEY NOT NULL,
	"sailing_id" text NOT NULL,
	"places" jsonb NOT NULL,
	"reason" text NOT NULL,
	"inserted_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "voyage_capacity" ADD COLUMN "held_back" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "held_back_places" ADD CONSTRAINT "held_back_places_sailing_id_sailings_id_fk" FOREIGN KEY ("sailing_id") REFERENCES "public"."sailings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "held_back_places_by_sailing" ON "held_back_places" USING btree ("sailing_id");