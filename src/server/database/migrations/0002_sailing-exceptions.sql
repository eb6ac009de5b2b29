CREATE TABLE "sailing_exceptions" (
	"id" text PRIMARY KEY NOT NULL,
	"source" text NOT NULL,
	"kind" text NOT NULL,
	"from_day" date NOT NULL,
	"until_day" date NOT NULL,
	"line" text,
	"trip_key" text,
	"port_id" text,
	"departs_local" text,
	"voyage_id" text,
	"minutes" integer DEFAULT 0 NOT NULL,
	"vessel_id" text,
	"reason" text,
	"text" text DEFAULT '' NOT NULL,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sailing_exceptions_days" CHECK ("sailing_exceptions"."until_day" >= "sailing_exceptions"."from_day"),
	CONSTRAINT "sailing_exceptions_delay" CHECK (("sailing_exceptions"."kind" = 'delayed') = ("sailing_exceptions"."minutes" > 0)),
	CONSTRAINT "sailing_exceptions_vessel" CHECK (("sailing_exceptions"."kind" = 'vessel') = ("sailing_exceptions"."vessel_id" is not null)),
	CONSTRAINT "sailing_exceptions_port" CHECK ("sailing_exceptions"."departs_local" is null or "sailing_exceptions"."port_id" is not null)
);
--> statement-breakpoint
ALTER TABLE "voyages" ADD COLUMN "planned_vessel_id" text;--> statement-breakpoint
UPDATE "voyages" SET "planned_vessel_id" = "vessel_id";--> statement-breakpoint
ALTER TABLE "voyages" ALTER COLUMN "planned_vessel_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "sailing_exceptions" ADD CONSTRAINT "sailing_exceptions_port_id_ports_id_fk" FOREIGN KEY ("port_id") REFERENCES "public"."ports"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sailing_exceptions" ADD CONSTRAINT "sailing_exceptions_vessel_id_vessels_id_fk" FOREIGN KEY ("vessel_id") REFERENCES "public"."vessels"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sailing_exceptions_by_day" ON "sailing_exceptions" USING btree ("until_day");--> statement-breakpoint
ALTER TABLE "voyages" ADD CONSTRAINT "voyages_planned_vessel_id_vessels_id_fk" FOREIGN KEY ("planned_vessel_id") REFERENCES "public"."vessels"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- What was decided about single sailings so far becomes an exception of each.
INSERT INTO "sailing_exceptions" ("id", "source", "kind", "from_day", "until_day", "line", "voyage_id", "minutes", "text", "inserted_at")
SELECT 'exc_' || substr(s."id", 5), 'staff',
  CASE WHEN s."status" = 'scheduled' THEN CASE WHEN s."delay_minutes" > 0 THEN 'delayed' ELSE 'notice' END ELSE s."status" END,
  s."service_date", s."service_date", v."gtfs_route_id", v."id",
  CASE WHEN s."status" = 'scheduled' THEN s."delay_minutes" ELSE 0 END, s."status_text", s."updated_at"
FROM "sailings" s JOIN "voyages" v ON v."id" = s."voyage_id"
WHERE NOT s."withdrawn" AND (s."status" <> 'scheduled' OR s."delay_minutes" > 0 OR s."status_text" <> '');
