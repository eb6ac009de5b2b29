CREATE TABLE "vehicle_measurements" (
	"id" text PRIMARY KEY NOT NULL,
	"ticket_id" text NOT NULL,
	"sailing_id" text NOT NULL,
	"staff_id" text NOT NULL,
	"device" text NOT NULL,
	"booked_length_cm" integer,
	"booked_height_cm" integer,
	"length_cm" integer NOT NULL,
	"height_cm" integer,
	"outcome" text NOT NULL,
	"difference" bigint NOT NULL,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "vehicle_measurements_difference" CHECK ("vehicle_measurements"."difference" >= 0 and ("vehicle_measurements"."outcome" = 'charged' or "vehicle_measurements"."difference" = 0))
);
--> statement-breakpoint
ALTER TABLE "vehicle_measurements" ADD CONSTRAINT "vehicle_measurements_ticket_id_tickets_id_fk" FOREIGN KEY ("ticket_id") REFERENCES "public"."tickets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vehicle_measurements" ADD CONSTRAINT "vehicle_measurements_sailing_id_sailings_id_fk" FOREIGN KEY ("sailing_id") REFERENCES "public"."sailings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "vehicle_measurements_by_ticket" ON "vehicle_measurements" USING btree ("ticket_id");--> statement-breakpoint
CREATE INDEX "vehicle_measurements_by_sailing" ON "vehicle_measurements" USING btree ("sailing_id");