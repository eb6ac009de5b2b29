CREATE TABLE "departure_counts" (
	"voyage_id" text NOT NULL,
	"stop" integer NOT NULL,
	"number" integer NOT NULL,
	"counted_at" timestamp (3) with time zone NOT NULL,
	"by_type" jsonb NOT NULL,
	"unticketed" integer NOT NULL,
	"through" integer NOT NULL,
	"people" integer NOT NULL,
	CONSTRAINT "departure_counts_voyage_id_stop_number_pk" PRIMARY KEY("voyage_id","stop","number")
);
--> statement-breakpoint
CREATE TABLE "passenger_details" (
	"order_id" text NOT NULL,
	"traveler" integer NOT NULL,
	"encrypted_details" text NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "passenger_details_order_id_traveler_pk" PRIMARY KEY("order_id","traveler")
);
--> statement-breakpoint
ALTER TABLE "routes" ADD COLUMN "needs_passenger_list" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "vessels" ADD COLUMN "master_email" text;--> statement-breakpoint
ALTER TABLE "departure_counts" ADD CONSTRAINT "departure_counts_voyage_id_voyages_id_fk" FOREIGN KEY ("voyage_id") REFERENCES "public"."voyages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passenger_details" ADD CONSTRAINT "passenger_details_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE FUNCTION departure_counts_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'A count of people aboard is corrected by another one.'
    USING ERRCODE = 'restrict_violation', CONSTRAINT = 'departure_counts_stay';
END
$$;
--> statement-breakpoint
CREATE TRIGGER departure_counts_stay BEFORE UPDATE ON departure_counts
  FOR EACH ROW EXECUTE FUNCTION departure_counts_stay();
