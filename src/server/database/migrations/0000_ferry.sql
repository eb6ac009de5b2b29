CREATE TABLE "customers" (
	"id" text PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"name" text NOT NULL,
	"phone" text DEFAULT '' NOT NULL,
	"pending_email" text DEFAULT '' NOT NULL,
	"mfa_required" boolean DEFAULT false NOT NULL,
	"beta_tester" boolean DEFAULT false NOT NULL,
	"password_hash" text,
	"email_verified_at" timestamp (3) with time zone,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"customer_id" text NOT NULL,
	"token_hash" text NOT NULL,
	"kind" text NOT NULL,
	"device" text NOT NULL,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "sessions_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "hold_items" (
	"hold_id" text NOT NULL,
	"sailing_id" text NOT NULL,
	"resource" text NOT NULL,
	"amount" integer NOT NULL,
	CONSTRAINT "hold_items_hold_id_sailing_id_resource_pk" PRIMARY KEY("hold_id","sailing_id","resource"),
	CONSTRAINT "hold_items_positive" CHECK ("hold_items"."amount" > 0)
);
--> statement-breakpoint
CREATE TABLE "holds" (
	"id" text PRIMARY KEY NOT NULL,
	"status" text NOT NULL,
	"request" jsonb NOT NULL,
	"total" bigint NOT NULL,
	"price_fingerprint" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"expires_at_max" timestamp (3) with time zone NOT NULL,
	"extended" boolean DEFAULT false NOT NULL,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "holds_bounded" CHECK ("holds"."expires_at" <= "holds"."expires_at_max")
);
--> statement-breakpoint
CREATE TABLE "line_capacity" (
	"line_id" text NOT NULL,
	"sailing_id" text NOT NULL,
	"resource" text NOT NULL,
	"amount" integer NOT NULL,
	CONSTRAINT "line_capacity_line_id_resource_pk" PRIMARY KEY("line_id","resource")
);
--> statement-breakpoint
CREATE TABLE "order_lines" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"position" integer NOT NULL,
	"leg" text NOT NULL,
	"sailing_id" text NOT NULL,
	"kind" text NOT NULL,
	"type_code" text,
	"description" text NOT NULL,
	"quantity" integer NOT NULL,
	"unit_amount" bigint NOT NULL,
	"amount" bigint NOT NULL,
	"tax_bp" integer DEFAULT 0 NOT NULL,
	"tax" bigint DEFAULT 0 NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	CONSTRAINT "order_lines_position" UNIQUE("order_id","position"),
	CONSTRAINT "order_lines_amount" CHECK ("order_lines"."amount" = "order_lines"."unit_amount" * "order_lines"."quantity")
);
--> statement-breakpoint
CREATE TABLE "orders" (
	"id" text PRIMARY KEY NOT NULL,
	"reference" text NOT NULL,
	"status" text NOT NULL,
	"payment_status" text DEFAULT 'none' NOT NULL,
	"needs_attention" text,
	"notice" text DEFAULT '' NOT NULL,
	"customer_id" text,
	"hold_id" text NOT NULL,
	"contact_name" text NOT NULL,
	"contact_email" text NOT NULL,
	"contact_phone" text DEFAULT '' NOT NULL,
	"locale" text NOT NULL,
	"vehicle" jsonb,
	"plate" text,
	"currency" text NOT NULL,
	"subtotal" bigint NOT NULL,
	"discount" bigint NOT NULL,
	"tax" bigint NOT NULL,
	"total" bigint NOT NULL,
	"paid" bigint DEFAULT 0 NOT NULL,
	"refunded" bigint DEFAULT 0 NOT NULL,
	"promo_code" text,
	"fare_class_code" text NOT NULL,
	"fare_class_name" text NOT NULL,
	"fare_policy" jsonb NOT NULL,
	"terms_version" text NOT NULL,
	"terms_accepted_at" timestamp (3) with time zone NOT NULL,
	"declines" integer DEFAULT 0 NOT NULL,
	"confirmed_at" timestamp (3) with time zone,
	"cancelled_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "orders_reference_unique" UNIQUE("reference"),
	CONSTRAINT "orders_hold_id_unique" UNIQUE("hold_id"),
	CONSTRAINT "orders_total" CHECK ("orders"."total" = "orders"."subtotal" - "orders"."discount" and "orders"."total" >= 0),
	CONSTRAINT "orders_refunded" CHECK ("orders"."refunded" >= 0 and "orders"."refunded" <= "orders"."paid"),
	CONSTRAINT "orders_confirmed_are_paid" CHECK ("orders"."status" not in ('confirmed', 'completed') or "orders"."paid" >= "orders"."total")
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"attempt" integer NOT NULL,
	"method" text NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"status" text NOT NULL,
	"provider_reference" text,
	"failure_code" text,
	"declined_charges" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"started_from" text NOT NULL,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payments_provider_reference_unique" UNIQUE("provider_reference"),
	CONSTRAINT "payments_attempt" UNIQUE("order_id","attempt")
);
--> statement-breakpoint
CREATE TABLE "provider_events" (
	"id" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "refunds" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"payment_id" text NOT NULL,
	"amount" bigint NOT NULL,
	"reason" text NOT NULL,
	"status" text NOT NULL,
	"provider_reference" text,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "refunds_provider_reference_unique" UNIQUE("provider_reference"),
	CONSTRAINT "refunds_positive" CHECK ("refunds"."amount" > 0)
);
--> statement-breakpoint
CREATE TABLE "ticket_keys" (
	"key_id" text PRIMARY KEY NOT NULL,
	"public_key" text NOT NULL,
	"sealed_private_key" text NOT NULL,
	"not_before" timestamp (3) with time zone NOT NULL,
	"not_after" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "tickets" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"line_id" text NOT NULL,
	"sailing_id" text NOT NULL,
	"leg" text NOT NULL,
	"kind" text NOT NULL,
	"title" text NOT NULL,
	"party_index" integer NOT NULL,
	"party_size" integer NOT NULL,
	"boarding_code" text NOT NULL,
	"status" text NOT NULL,
	"payload" text NOT NULL,
	"key_id" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"issued_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "tickets_boarding_code_unique" UNIQUE("boarding_code"),
	CONSTRAINT "tickets_party" UNIQUE("order_id","leg","party_index")
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"scope" text NOT NULL,
	"key" text NOT NULL,
	"request_hash" text NOT NULL,
	"status" integer,
	"sealed_body" text,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "idempotency_keys_scope_key_pk" PRIMARY KEY("scope","key")
);
--> statement-breakpoint
CREATE TABLE "mails" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"to_address" text NOT NULL,
	"subject" text NOT NULL,
	"text" text NOT NULL,
	"html" text NOT NULL,
	"order_id" text,
	"status" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"try_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	"sent_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"hits" integer NOT NULL,
	"window_ends_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "secrets" (
	"name" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "settings" (
	"name" text PRIMARY KEY NOT NULL,
	"value" jsonb NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "fare_classes" (
	"id" text PRIMARY KEY NOT NULL,
	"code" text NOT NULL,
	"name" text NOT NULL,
	"summary" text DEFAULT '' NOT NULL,
	"policy" jsonb NOT NULL,
	"sort" integer DEFAULT 0 NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	CONSTRAINT "fare_classes_code_unique" UNIQUE("code")
);
--> statement-breakpoint
CREATE TABLE "fares" (
	"id" text PRIMARY KEY NOT NULL,
	"route_id" text NOT NULL,
	"fare_class_id" text NOT NULL,
	"kind" text NOT NULL,
	"passenger_type_id" text,
	"vehicle_type_id" text,
	"valid_from" date,
	"valid_until" date,
	"weekdays" integer DEFAULT 127 NOT NULL,
	"amount" bigint NOT NULL,
	"base_cm" integer,
	"step_cm" integer,
	"step_amount" bigint,
	"tax_bp" integer DEFAULT 0 NOT NULL,
	"priority" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "fares_amount" CHECK ("fares"."amount" >= 0 and "fares"."amount" <= 9999999),
	CONSTRAINT "fares_weekdays" CHECK ("fares"."weekdays" between 1 and 127)
);
--> statement-breakpoint
CREATE TABLE "feed" (
	"name" text PRIMARY KEY NOT NULL,
	"digest" text NOT NULL,
	"currency" text NOT NULL,
	"time_zone" text NOT NULL,
	"max_party" integer NOT NULL,
	"window_until" date NOT NULL,
	"window_days" integer NOT NULL,
	"revision" text NOT NULL,
	"imported_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "feed_archives" (
	"name" text PRIMARY KEY NOT NULL,
	"zip" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "passenger_types" (
	"id" text PRIMARY KEY NOT NULL,
	"code" text NOT NULL,
	"name" text NOT NULL,
	"age_min" integer,
	"age_max" integer,
	"uses_seat" boolean DEFAULT true NOT NULL,
	"requires_proof" boolean DEFAULT false NOT NULL,
	"needs_adult" boolean DEFAULT false NOT NULL,
	"is_default" boolean DEFAULT false NOT NULL,
	"sort" integer DEFAULT 0 NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	CONSTRAINT "passenger_types_code_unique" UNIQUE("code")
);
--> statement-breakpoint
CREATE TABLE "ports" (
	"id" text PRIMARY KEY NOT NULL,
	"gtfs_stop_id" text NOT NULL,
	"code" text NOT NULL,
	"name" text NOT NULL,
	"time_zone" text NOT NULL,
	"lat" double precision,
	"lon" double precision,
	"address" text DEFAULT '' NOT NULL,
	"step_free" text DEFAULT 'unknown' NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	CONSTRAINT "ports_gtfs_stop_id_unique" UNIQUE("gtfs_stop_id"),
	CONSTRAINT "ports_code_unique" UNIQUE("code")
);
--> statement-breakpoint
CREATE TABLE "promo_codes" (
	"id" text PRIMARY KEY NOT NULL,
	"code" text NOT NULL,
	"kind" text NOT NULL,
	"value" integer NOT NULL,
	"route_codes" jsonb,
	"starts_on" date,
	"ends_on" date,
	"max_redemptions" integer,
	"redeemed" integer DEFAULT 0 NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	CONSTRAINT "promo_codes_code_unique" UNIQUE("code"),
	CONSTRAINT "promo_not_overused" CHECK ("promo_codes"."max_redemptions" is null or "promo_codes"."redeemed" <= "promo_codes"."max_redemptions")
);
--> statement-breakpoint
CREATE TABLE "routes" (
	"id" text PRIMARY KEY NOT NULL,
	"gtfs_route_id" text NOT NULL,
	"code" text NOT NULL,
	"name" text NOT NULL,
	"origin_port_id" text NOT NULL,
	"destination_port_id" text NOT NULL,
	"crossing_minutes" integer NOT NULL,
	"carries_vehicles" boolean DEFAULT false NOT NULL,
	"carries_bicycles" boolean DEFAULT false NOT NULL,
	"sales_close_minutes" integer DEFAULT 10 NOT NULL,
	"check_in_open_minutes" integer DEFAULT 60 NOT NULL,
	"check_in_close_minutes_foot" integer DEFAULT 10 NOT NULL,
	"check_in_close_minutes_vehicle" integer DEFAULT 20 NOT NULL,
	"max_vehicle_length_cm" integer,
	"max_vehicle_height_cm" integer,
	"sort" integer DEFAULT 0 NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	CONSTRAINT "routes_identity" UNIQUE("gtfs_route_id","origin_port_id","destination_port_id")
);
--> statement-breakpoint
CREATE TABLE "sailing_capacity" (
	"sailing_id" text NOT NULL,
	"resource" text NOT NULL,
	"total" integer NOT NULL,
	"sellable_online" integer NOT NULL,
	"held" integer DEFAULT 0 NOT NULL,
	"sold" integer DEFAULT 0 NOT NULL,
	"boarded" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "sailing_capacity_sailing_id_resource_pk" PRIMARY KEY("sailing_id","resource"),
	CONSTRAINT "capacity_not_negative" CHECK ("sailing_capacity"."held" >= 0 and "sailing_capacity"."sold" >= 0 and "sailing_capacity"."boarded" >= 0),
	CONSTRAINT "capacity_never_oversold" CHECK ("sailing_capacity"."held" + "sailing_capacity"."sold" <= "sailing_capacity"."sellable_online")
);
--> statement-breakpoint
CREATE TABLE "sailings" (
	"id" text PRIMARY KEY NOT NULL,
	"route_id" text NOT NULL,
	"vessel_id" text NOT NULL,
	"service_date" date NOT NULL,
	"gtfs_trip_key" text NOT NULL,
	"departs_at" timestamp (3) with time zone NOT NULL,
	"arrives_at" timestamp (3) with time zone NOT NULL,
	"status" text DEFAULT 'scheduled' NOT NULL,
	"status_text" text DEFAULT '' NOT NULL,
	"withdrawn" boolean DEFAULT false NOT NULL,
	"delay_minutes" integer DEFAULT 0 NOT NULL,
	"sales_close_at" timestamp (3) with time zone NOT NULL,
	"oversubscribed" boolean DEFAULT false NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sailings_identity" UNIQUE("route_id","service_date","gtfs_trip_key"),
	CONSTRAINT "sailings_arrive_after_departing" CHECK ("sailings"."arrives_at" > "sailings"."departs_at")
);
--> statement-breakpoint
CREATE TABLE "vehicle_types" (
	"id" text PRIMARY KEY NOT NULL,
	"code" text NOT NULL,
	"name" text NOT NULL,
	"length_required" boolean DEFAULT false NOT NULL,
	"height_required" boolean DEFAULT false NOT NULL,
	"min_length_cm" integer,
	"max_length_cm" integer,
	"max_height_cm" integer,
	"fixed_lane_cm" integer,
	"gap_cm" integer DEFAULT 50 NOT NULL,
	"included_driver_type_id" text,
	"plate_required" boolean DEFAULT true NOT NULL,
	"allows_trailer" boolean DEFAULT false NOT NULL,
	"sort" integer DEFAULT 0 NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	CONSTRAINT "vehicle_types_code_unique" UNIQUE("code")
);
--> statement-breakpoint
CREATE TABLE "vessels" (
	"id" text PRIMARY KEY NOT NULL,
	"code" text NOT NULL,
	"name" text NOT NULL,
	"passenger_capacity" integer NOT NULL,
	"lane_cm" integer DEFAULT 0 NOT NULL,
	"tall_lane_cm" integer DEFAULT 0 NOT NULL,
	"normal_clearance_cm" integer,
	"tall_clearance_cm" integer,
	"bicycle_capacity" integer DEFAULT 0 NOT NULL,
	"online_percent" integer DEFAULT 100 NOT NULL,
	"accessibility_notes" text DEFAULT '' NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	CONSTRAINT "vessels_code_unique" UNIQUE("code")
);
--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "hold_items" ADD CONSTRAINT "hold_items_hold_id_holds_id_fk" FOREIGN KEY ("hold_id") REFERENCES "public"."holds"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "hold_items" ADD CONSTRAINT "hold_items_sailing_id_sailings_id_fk" FOREIGN KEY ("sailing_id") REFERENCES "public"."sailings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "line_capacity" ADD CONSTRAINT "line_capacity_line_id_order_lines_id_fk" FOREIGN KEY ("line_id") REFERENCES "public"."order_lines"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "line_capacity" ADD CONSTRAINT "line_capacity_sailing_id_sailings_id_fk" FOREIGN KEY ("sailing_id") REFERENCES "public"."sailings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_sailing_id_sailings_id_fk" FOREIGN KEY ("sailing_id") REFERENCES "public"."sailings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_hold_id_holds_id_fk" FOREIGN KEY ("hold_id") REFERENCES "public"."holds"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_line_id_order_lines_id_fk" FOREIGN KEY ("line_id") REFERENCES "public"."order_lines"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_sailing_id_sailings_id_fk" FOREIGN KEY ("sailing_id") REFERENCES "public"."sailings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fares" ADD CONSTRAINT "fares_route_id_routes_id_fk" FOREIGN KEY ("route_id") REFERENCES "public"."routes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fares" ADD CONSTRAINT "fares_fare_class_id_fare_classes_id_fk" FOREIGN KEY ("fare_class_id") REFERENCES "public"."fare_classes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fares" ADD CONSTRAINT "fares_passenger_type_id_passenger_types_id_fk" FOREIGN KEY ("passenger_type_id") REFERENCES "public"."passenger_types"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fares" ADD CONSTRAINT "fares_vehicle_type_id_vehicle_types_id_fk" FOREIGN KEY ("vehicle_type_id") REFERENCES "public"."vehicle_types"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "feed_archives" ADD CONSTRAINT "feed_archives_name_feed_name_fk" FOREIGN KEY ("name") REFERENCES "public"."feed"("name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "routes" ADD CONSTRAINT "routes_origin_port_id_ports_id_fk" FOREIGN KEY ("origin_port_id") REFERENCES "public"."ports"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "routes" ADD CONSTRAINT "routes_destination_port_id_ports_id_fk" FOREIGN KEY ("destination_port_id") REFERENCES "public"."ports"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sailing_capacity" ADD CONSTRAINT "sailing_capacity_sailing_id_sailings_id_fk" FOREIGN KEY ("sailing_id") REFERENCES "public"."sailings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sailings" ADD CONSTRAINT "sailings_route_id_routes_id_fk" FOREIGN KEY ("route_id") REFERENCES "public"."routes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sailings" ADD CONSTRAINT "sailings_vessel_id_vessels_id_fk" FOREIGN KEY ("vessel_id") REFERENCES "public"."vessels"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vehicle_types" ADD CONSTRAINT "vehicle_types_included_driver_type_id_passenger_types_id_fk" FOREIGN KEY ("included_driver_type_id") REFERENCES "public"."passenger_types"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "customers_email" ON "customers" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "sessions_by_customer" ON "sessions" USING btree ("customer_id");--> statement-breakpoint
CREATE INDEX "hold_items_by_sailing" ON "hold_items" USING btree ("sailing_id");--> statement-breakpoint
CREATE INDEX "holds_to_lapse" ON "holds" USING btree ("expires_at") WHERE status = 'active';--> statement-breakpoint
CREATE INDEX "line_capacity_by_sailing" ON "line_capacity" USING btree ("sailing_id");--> statement-breakpoint
CREATE INDEX "orders_by_customer" ON "orders" USING btree ("customer_id","inserted_at");--> statement-breakpoint
CREATE INDEX "orders_by_email" ON "orders" USING btree (lower("contact_email"));--> statement-breakpoint
CREATE INDEX "orders_unpaid" ON "orders" USING btree ("inserted_at") WHERE status in ('held', 'awaiting_payment');--> statement-breakpoint
CREATE INDEX "payments_by_origin" ON "payments" USING btree ("started_from","updated_at");--> statement-breakpoint
CREATE UNIQUE INDEX "payments_one_open" ON "payments" USING btree ("order_id") WHERE status in ('created', 'requires_action', 'processing');--> statement-breakpoint
CREATE INDEX "refunds_by_order" ON "refunds" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "refunds_open" ON "refunds" USING btree ("inserted_at") WHERE status in ('requested', 'pending');--> statement-breakpoint
CREATE INDEX "tickets_by_sailing" ON "tickets" USING btree ("sailing_id");--> statement-breakpoint
CREATE INDEX "idempotency_by_age" ON "idempotency_keys" USING btree ("inserted_at");--> statement-breakpoint
CREATE INDEX "mails_queued" ON "mails" USING btree ("status","try_at");--> statement-breakpoint
CREATE INDEX "rate_limits_by_end" ON "rate_limits" USING btree ("window_ends_at");--> statement-breakpoint
CREATE INDEX "fares_by_route" ON "fares" USING btree ("route_id");--> statement-breakpoint
CREATE INDEX "sailings_by_day" ON "sailings" USING btree ("route_id","service_date");--> statement-breakpoint
CREATE INDEX "sailings_by_departure" ON "sailings" USING btree ("departs_at");