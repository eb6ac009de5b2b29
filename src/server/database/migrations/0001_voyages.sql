CREATE TABLE "voyage_capacity" (
	"voyage_id" text NOT NULL,
	"stretch" integer NOT NULL,
	"resource" text NOT NULL,
	"total" integer NOT NULL,
	"sellable_online" integer NOT NULL,
	"held" integer DEFAULT 0 NOT NULL,
	"sold" integer DEFAULT 0 NOT NULL,
	"boarded" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "voyage_capacity_voyage_id_stretch_resource_pk" PRIMARY KEY("voyage_id","stretch","resource"),
	CONSTRAINT "capacity_not_negative" CHECK ("voyage_capacity"."held" >= 0 and "voyage_capacity"."sold" >= 0 and "voyage_capacity"."boarded" >= 0),
	CONSTRAINT "capacity_never_oversold" CHECK ("voyage_capacity"."held" + "voyage_capacity"."sold" <= "voyage_capacity"."sellable_online")
);
--> statement-breakpoint
CREATE TABLE "voyages" (
	"id" text PRIMARY KEY NOT NULL,
	"gtfs_route_id" text NOT NULL,
	"service_date" date NOT NULL,
	"gtfs_trip_key" text NOT NULL,
	"vessel_id" text NOT NULL,
	"stops" jsonb NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "routes" ADD COLUMN "line_name" text DEFAULT '' NOT NULL;
--> statement-breakpoint
ALTER TABLE "sailings" ADD COLUMN "voyage_id" text;
--> statement-breakpoint
ALTER TABLE "sailings" ADD COLUMN "first_stop" integer;
--> statement-breakpoint
ALTER TABLE "sailings" ADD COLUMN "last_stop" integer;
--> statement-breakpoint
-- A sailing so far is the whole voyage of its vessel: one stretch between two stops.
INSERT INTO "voyages" ("id", "gtfs_route_id", "service_date", "gtfs_trip_key", "vessel_id", "stops", "updated_at")
SELECT 'voy_' || substr(s.id, 5), r.gtfs_route_id, s.service_date, s.gtfs_trip_key, s.vessel_id,
  jsonb_build_array(
    jsonb_build_object('port_id', r.origin_port_id, 'arrives_at', null, 'departs_at', to_char(s.departs_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
    jsonb_build_object('port_id', r.destination_port_id, 'arrives_at', to_char(s.arrives_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'departs_at', null)),
  s.updated_at
FROM "sailings" s JOIN "routes" r ON r.id = s.route_id;
--> statement-breakpoint
INSERT INTO "voyage_capacity" ("voyage_id", "stretch", "resource", "total", "sellable_online", "held", "sold", "boarded")
SELECT 'voy_' || substr(c.sailing_id, 5), 0, c.resource, c.total, c.sellable_online, c.held, c.sold, c.boarded
FROM "sailing_capacity" c;
--> statement-breakpoint
UPDATE "sailings" SET "voyage_id" = 'voy_' || substr("id", 5), "first_stop" = 0, "last_stop" = 1;
--> statement-breakpoint
ALTER TABLE "sailings" ALTER COLUMN "voyage_id" SET NOT NULL;
--> statement-breakpoint
ALTER TABLE "sailings" ALTER COLUMN "first_stop" SET NOT NULL;
--> statement-breakpoint
ALTER TABLE "sailings" ALTER COLUMN "last_stop" SET NOT NULL;
--> statement-breakpoint
DROP TABLE "sailing_capacity" CASCADE;
--> statement-breakpoint
ALTER TABLE "sailings" DROP CONSTRAINT "sailings_identity";
--> statement-breakpoint
ALTER TABLE "sailings" DROP CONSTRAINT "sailings_vessel_id_vessels_id_fk";
--> statement-breakpoint
ALTER TABLE "sailings" DROP COLUMN "vessel_id";
--> statement-breakpoint
ALTER TABLE "sailings" DROP COLUMN "gtfs_trip_key";
--> statement-breakpoint
ALTER TABLE "voyage_capacity" ADD CONSTRAINT "voyage_capacity_voyage_id_voyages_id_fk" FOREIGN KEY ("voyage_id") REFERENCES "public"."voyages"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "voyages" ADD CONSTRAINT "voyages_vessel_id_vessels_id_fk" FOREIGN KEY ("vessel_id") REFERENCES "public"."vessels"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "voyages_by_service_date" ON "voyages" USING btree ("service_date");
--> statement-breakpoint
ALTER TABLE "sailings" ADD CONSTRAINT "sailings_voyage_id_voyages_id_fk" FOREIGN KEY ("voyage_id") REFERENCES "public"."voyages"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "sailings_by_route" ON "sailings" USING btree ("route_id","service_date");
--> statement-breakpoint
ALTER TABLE "sailings" ADD CONSTRAINT "sailings_identity" UNIQUE("voyage_id","route_id");
--> statement-breakpoint
ALTER TABLE "sailings" ADD CONSTRAINT "sailings_stops" CHECK ("sailings"."first_stop" >= 0 and "sailings"."last_stop" > "sailings"."first_stop");
