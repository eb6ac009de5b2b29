CREATE TABLE "card_holders" (
	"customer_id" text PRIMARY KEY NOT NULL,
	"provider_reference" text NOT NULL,
	"mirrored_method" text,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "card_holders_provider_reference_unique" UNIQUE("provider_reference")
);
--> statement-breakpoint
CREATE TABLE "dropped_methods" (
	"provider_reference" text PRIMARY KEY NOT NULL,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	"detached_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "payment_cards" (
	"id" text PRIMARY KEY NOT NULL,
	"customer_id" text NOT NULL,
	"provider_reference" text NOT NULL,
	"method_created_at" timestamp (3) with time zone NOT NULL,
	"fingerprint" text NOT NULL,
	"network" text NOT NULL,
	"funding" text NOT NULL,
	"last_four" text NOT NULL,
	"exp_month" integer NOT NULL,
	"exp_year" integer NOT NULL,
	"is_primary" boolean NOT NULL,
	"status" text NOT NULL,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payment_cards_month" CHECK ("payment_cards"."exp_month" between 1 and 12)
);
--> statement-breakpoint
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
	"like_local" text,
	"like_day" date,
	"minutes" integer DEFAULT 0 NOT NULL,
	"vessel_id" text,
	"reason" text,
	"text" text DEFAULT '' NOT NULL,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sailing_exceptions_days" CHECK ("sailing_exceptions"."until_day" >= "sailing_exceptions"."from_day"),
	CONSTRAINT "sailing_exceptions_minutes" CHECK ("sailing_exceptions"."minutes" >= 0 and ("sailing_exceptions"."kind" = 'delayed' or "sailing_exceptions"."minutes" = 0)),
	CONSTRAINT "sailing_exceptions_boat" CHECK (("sailing_exceptions"."kind" = 'vessel') = ("sailing_exceptions"."vessel_id" is not null) or "sailing_exceptions"."kind" = 'extra'),
	CONSTRAINT "sailing_exceptions_extra" CHECK (("sailing_exceptions"."kind" = 'extra') = ("sailing_exceptions"."like_local" is not null)
        and ("sailing_exceptions"."like_local" is null or ("sailing_exceptions"."line" is not null and "sailing_exceptions"."departs_local" is not null))),
	CONSTRAINT "sailing_exceptions_port" CHECK ("sailing_exceptions"."departs_local" is null or "sailing_exceptions"."port_id" is not null)
);
--> statement-breakpoint
CREATE TABLE "account_links" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"token_hash" text NOT NULL,
	"customer_id" text,
	"email" text NOT NULL,
	"data" jsonb NOT NULL,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"consumed_at" timestamp (3) with time zone,
	CONSTRAINT "account_links_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "authenticators" (
	"customer_id" text PRIMARY KEY NOT NULL,
	"encrypted_secret" text NOT NULL,
	"confirmed_at" timestamp (3) with time zone,
	"last_step" bigint,
	"inserted_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "customers" (
	"id" text PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"name" text NOT NULL,
	"phone" text DEFAULT '' NOT NULL,
	"pending_email" text DEFAULT '' NOT NULL,
	"mfa_required" boolean DEFAULT false NOT NULL,
	"beta_tester" boolean DEFAULT false NOT NULL,
	"is_demo" boolean DEFAULT false NOT NULL,
	"password_hash" text,
	"password_changed_at" timestamp (3) with time zone,
	"password_failures" integer DEFAULT 0 NOT NULL,
	"email_verified_at" timestamp (3) with time zone,
	"devices_forgotten_at" timestamp (3) with time zone,
	"webauthn_user_id" text,
	"second_step_misses" integer DEFAULT 0 NOT NULL,
	"second_step_locked_until" timestamp (3) with time zone,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "customers_webauthn_user_id_unique" UNIQUE("webauthn_user_id")
);
--> statement-breakpoint
CREATE TABLE "passkeys" (
	"id" text PRIMARY KEY NOT NULL,
	"customer_id" text NOT NULL,
	"credential_id" text NOT NULL,
	"public_key" text NOT NULL,
	"counter" bigint NOT NULL,
	"transports" jsonb NOT NULL,
	"backed_up" boolean NOT NULL,
	"verifies_user" boolean DEFAULT false NOT NULL,
	"aaguid" text NOT NULL,
	"name" text NOT NULL,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	CONSTRAINT "passkeys_credential_id_unique" UNIQUE("credential_id")
);
--> statement-breakpoint
CREATE TABLE "recovery_codes" (
	"id" text PRIMARY KEY NOT NULL,
	"customer_id" text NOT NULL,
	"prefix" text NOT NULL,
	"code_hash" text NOT NULL,
	"used_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "security_events" (
	"id" text PRIMARY KEY NOT NULL,
	"customer_id" text NOT NULL,
	"kind" text NOT NULL,
	"device" text NOT NULL,
	"inserted_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"customer_id" text NOT NULL,
	"token_hash" text NOT NULL,
	"previous_token_hash" text,
	"previous_token_until" timestamp (3) with time zone,
	"proof_hash" text,
	"fresh_until" timestamp (3) with time zone,
	"kind" text NOT NULL,
	"device" text NOT NULL,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "sessions_token_hash_unique" UNIQUE("token_hash"),
	CONSTRAINT "sessions_previous_token_hash_unique" UNIQUE("previous_token_hash")
);
--> statement-breakpoint
CREATE TABLE "sign_in_attempts" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"customer_id" text,
	"email" text NOT NULL,
	"temp_hash" text NOT NULL,
	"code_mac" text,
	"link_hash" text,
	"first_step" text,
	"origin_link_hash" text,
	"tries" integer DEFAULT 0 NOT NULL,
	"mails_sent" integer DEFAULT 0 NOT NULL,
	"last_mail_at" timestamp (3) with time zone,
	"device" text NOT NULL,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"consumed_at" timestamp (3) with time zone,
	CONSTRAINT "sign_in_attempts_temp_hash_unique" UNIQUE("temp_hash"),
	CONSTRAINT "sign_in_attempts_link_hash_unique" UNIQUE("link_hash")
);
--> statement-breakpoint
CREATE TABLE "spent_challenges" (
	"hash" text PRIMARY KEY NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rebooking_offers" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"direction" text NOT NULL,
	"reason" text NOT NULL,
	"status" text DEFAULT 'open' NOT NULL,
	"sailing_ids" jsonb NOT NULL,
	"protected_sailing_ids" jsonb,
	"hold_id" text,
	"if_unanswered" text NOT NULL,
	"deadline" timestamp (3) with time zone NOT NULL,
	"open_ticket_at" timestamp (3) with time zone,
	"reminded_at" timestamp (3) with time zone,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "rebooking_offers_protected" CHECK (("rebooking_offers"."hold_id" is null) = ("rebooking_offers"."protected_sailing_ids" is null))
);
--> statement-breakpoint
CREATE TABLE "release_documents" (
	"version" text NOT NULL,
	"host" text NOT NULL,
	"path" text NOT NULL,
	"fingerprint" text NOT NULL,
	"headers" jsonb NOT NULL,
	"content" text NOT NULL,
	CONSTRAINT "release_documents_version_host_path_pk" PRIMARY KEY("version","host","path")
);
--> statement-breakpoint
CREATE TABLE "release_files" (
	"path" text PRIMARY KEY NOT NULL,
	"content" "bytea" NOT NULL,
	"is_compressed" boolean NOT NULL
);
--> statement-breakpoint
CREATE TABLE "releases" (
	"version" text PRIMARY KEY NOT NULL,
	"first_seen_at" timestamp (3) with time zone NOT NULL,
	"last_run_at" timestamp (3) with time zone NOT NULL,
	"paths" text[] NOT NULL,
	"screens" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "running_processes" (
	"id" text PRIMARY KEY NOT NULL,
	"version" text NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "cancellations" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"actor" text NOT NULL,
	"paid" bigint NOT NULL,
	"fee" bigint NOT NULL,
	"refund" bigint NOT NULL,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "cancellations_sums" CHECK ("cancellations"."fee" >= 0 and "cancellations"."refund" >= 0 and "cancellations"."fee" + "cancellations"."refund" <= "cancellations"."paid")
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
	"network" text,
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
CREATE TABLE "order_changes" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"actor" text NOT NULL,
	"status" text NOT NULL,
	"hold_id" text,
	"journeys" jsonb NOT NULL,
	"ticket_ids" jsonb NOT NULL,
	"lines" jsonb NOT NULL,
	"traveler_names" jsonb,
	"fee" bigint NOT NULL,
	"cancellation_fee" bigint DEFAULT 0 NOT NULL,
	"difference" bigint NOT NULL,
	"declines" integer DEFAULT 0 NOT NULL,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "order_changes_hold_id_unique" UNIQUE("hold_id"),
	CONSTRAINT "order_changes_fee" CHECK ("order_changes"."fee" >= 0)
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
	"cancellation_id" text,
	"refund" bigint DEFAULT 0 NOT NULL,
	"change_id" text,
	"vehicle" jsonb,
	"plate" text,
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
	"traveler_names" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"assistance" jsonb,
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
	"canceled_at" timestamp (3) with time zone,
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
	"change_id" text,
	"attempt" integer NOT NULL,
	"method" text NOT NULL,
	"card_network" text,
	"card_last_four" text,
	"card_wallet" text,
	"trip_card_id" text,
	"coverage" jsonb,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"status" text NOT NULL,
	"provider_reference" text,
	"failure_code" text,
	"declined_charges" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"started_from" text NOT NULL,
	"by_customer_id" text,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payments_provider_reference_unique" UNIQUE("provider_reference"),
	CONSTRAINT "payments_attempt" UNIQUE("order_id","attempt"),
	CONSTRAINT "payments_trip_card" CHECK (("payments"."method" = 'trip_card') = ("payments"."trip_card_id" is not null))
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
	"cancellation_id" text,
	"change_id" text,
	"trip_card_id" text,
	"trips" jsonb,
	"reason" text NOT NULL,
	"status" text NOT NULL,
	"provider_reference" text,
	"failed_references" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"retry_of_id" text,
	"note" text,
	"try_at" timestamp (3) with time zone,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "refunds_provider_reference_unique" UNIQUE("provider_reference"),
	CONSTRAINT "refunds_positive" CHECK ("refunds"."amount" > 0)
);
--> statement-breakpoint
CREATE TABLE "ticket_keys" (
	"key_id" text PRIMARY KEY NOT NULL,
	"public_key" text NOT NULL,
	"encrypted_private_key" text NOT NULL,
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
	"refunds_count_from" timestamp (3) with time zone,
	CONSTRAINT "tickets_boarding_code_unique" UNIQUE("boarding_code")
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"scope" text NOT NULL,
	"key" text NOT NULL,
	"request_hash" text NOT NULL,
	"status" integer,
	"encrypted_body" text,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "idempotency_keys_scope_key_pk" PRIMARY KEY("scope","key")
);
--> statement-breakpoint
CREATE TABLE "mails" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"to_address" text NOT NULL,
	"subject" text,
	"text" text,
	"html" text,
	"order_id" text,
	"cancellation_id" text,
	"change_id" text,
	"encrypted_data" text,
	"status" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"try_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	"sent_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "privacy_log" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"actor" text NOT NULL,
	"orders" integer NOT NULL,
	"inserted_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"hits" integer NOT NULL,
	"window_ends_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "readiness_checks" (
	"id" integer PRIMARY KEY NOT NULL,
	"checked_at" timestamp (3) with time zone NOT NULL
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
CREATE TABLE "ticket_shares" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"token_hash" text NOT NULL,
	"places" jsonb NOT NULL,
	"name" text NOT NULL,
	"email" text,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "ticket_shares_token_hash_unique" UNIQUE("token_hash")
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
	"choice_hours" integer DEFAULT 72 NOT NULL,
	"choice_delay_minutes" integer DEFAULT 90 NOT NULL,
	"assistance_notice_hours" integer,
	"window_until" date NOT NULL,
	"window_days" integer NOT NULL,
	"revision" text NOT NULL,
	"imported_at" timestamp (3) with time zone NOT NULL,
	"settings" jsonb
);
--> statement-breakpoint
CREATE TABLE "feed_archives" (
	"name" text PRIMARY KEY NOT NULL,
	"zip" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "pass_products" (
	"id" text PRIMARY KEY NOT NULL,
	"code" text NOT NULL,
	"terms" jsonb NOT NULL,
	"sort" integer DEFAULT 0 NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	CONSTRAINT "pass_products_code_unique" UNIQUE("code")
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
	"transfer_minutes" integer,
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
	"line_name" text DEFAULT '' NOT NULL,
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
CREATE TABLE "sailings" (
	"id" text PRIMARY KEY NOT NULL,
	"route_id" text NOT NULL,
	"voyage_id" text NOT NULL,
	"first_stop" integer NOT NULL,
	"last_stop" integer NOT NULL,
	"service_date" date NOT NULL,
	"departs_at" timestamp (3) with time zone NOT NULL,
	"arrives_at" timestamp (3) with time zone NOT NULL,
	"status" text DEFAULT 'scheduled' NOT NULL,
	"status_text" text DEFAULT '' NOT NULL,
	"withdrawn" boolean DEFAULT false NOT NULL,
	"delay_minutes" integer DEFAULT 0 NOT NULL,
	"notified_delay_minutes" integer DEFAULT 0 NOT NULL,
	"sales_close_at" timestamp (3) with time zone NOT NULL,
	"oversubscribed" boolean DEFAULT false NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sailings_identity" UNIQUE("voyage_id","route_id"),
	CONSTRAINT "sailings_arrive_after_departing" CHECK ("sailings"."arrives_at" > "sailings"."departs_at"),
	CONSTRAINT "sailings_stops" CHECK ("sailings"."first_stop" >= 0 and "sailings"."last_stop" > "sailings"."first_stop")
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
	"wheelchair_places" integer,
	"accessibility_notes" text DEFAULT '' NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	CONSTRAINT "vessels_code_unique" UNIQUE("code")
);
--> statement-breakpoint
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
	"planned_vessel_id" text NOT NULL,
	"stops" jsonb NOT NULL,
	"exception_id" text,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "auto_top_ups" (
	"trip_card_id" text PRIMARY KEY NOT NULL,
	"customer_id" text NOT NULL,
	"threshold" bigint NOT NULL,
	"amount" bigint NOT NULL,
	"payment_card_id" text NOT NULL,
	"max_per_day" integer NOT NULL,
	"state" text NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"try_at" timestamp (3) with time zone,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "auto_top_ups_positive" CHECK ("auto_top_ups"."threshold" > 0 and "auto_top_ups"."amount" > 0),
	CONSTRAINT "auto_top_ups_per_day" CHECK ("auto_top_ups"."max_per_day" between 1 and 5)
);
--> statement-breakpoint
CREATE TABLE "gate_charges" (
	"device_id" text NOT NULL,
	"device_seq" integer NOT NULL,
	"number" text NOT NULL,
	"unit" text DEFAULT 'money' NOT NULL,
	"amount" bigint NOT NULL,
	"place" text NOT NULL,
	"occurred_at" timestamp (3) with time zone NOT NULL,
	"trip_card_id" text,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "gate_charges_device_id_device_seq_pk" PRIMARY KEY("device_id","device_seq"),
	CONSTRAINT "gate_charges_positive" CHECK ("gate_charges"."amount" > 0),
	CONSTRAINT "gate_charges_seq" CHECK ("gate_charges"."device_seq" >= 1)
);
--> statement-breakpoint
CREATE TABLE "top_ups" (
	"id" text PRIMARY KEY NOT NULL,
	"trip_card_id" text NOT NULL,
	"seq" integer NOT NULL,
	"by_customer_id" text NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"pass" jsonb,
	"trigger" text NOT NULL,
	"payment_card_id" text,
	"status" text NOT NULL,
	"provider_reference" text,
	"failure_code" text,
	"dispute_id" text,
	"declined_charges" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"started_from" text NOT NULL,
	"receipt_number" text,
	"idempotency_key" text NOT NULL,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	"completed_at" timestamp (3) with time zone,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "top_ups_provider_reference_unique" UNIQUE("provider_reference"),
	CONSTRAINT "top_ups_receipt_number_unique" UNIQUE("receipt_number"),
	CONSTRAINT "top_ups_idempotency_key_unique" UNIQUE("idempotency_key"),
	CONSTRAINT "top_ups_seq" UNIQUE("trip_card_id","seq"),
	CONSTRAINT "top_ups_positive" CHECK ("top_ups"."amount" > 0),
	CONSTRAINT "top_ups_receipt" CHECK (("top_ups"."status" in ('succeeded', 'disputed')) = ("top_ups"."receipt_number" is not null and "top_ups"."completed_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "trip_card_blocks" (
	"trip_card_id" text NOT NULL,
	"from_at" timestamp (3) with time zone NOT NULL,
	"until_at" timestamp (3) with time zone,
	CONSTRAINT "trip_card_blocks_trip_card_id_from_at_pk" PRIMARY KEY("trip_card_id","from_at"),
	CONSTRAINT "trip_card_blocks_forward" CHECK ("trip_card_blocks"."until_at" >= "trip_card_blocks"."from_at")
);
--> statement-breakpoint
CREATE TABLE "trip_card_debts" (
	"id" text PRIMARY KEY NOT NULL,
	"device_id" text,
	"device_seq" integer,
	"top_up_id" text,
	"refund_id" text,
	"trip_card_id" text,
	"reason" text NOT NULL,
	"amount" bigint NOT NULL,
	"settled" bigint DEFAULT 0 NOT NULL,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "trip_card_debts_top_up_id_unique" UNIQUE("top_up_id"),
	CONSTRAINT "trip_card_debts_refund_id_unique" UNIQUE("refund_id"),
	CONSTRAINT "trip_card_debts_charge" UNIQUE("device_id","device_seq"),
	CONSTRAINT "trip_card_debts_settled" CHECK ("trip_card_debts"."settled" between 0 and "trip_card_debts"."amount"),
	CONSTRAINT "trip_card_debts_positive" CHECK ("trip_card_debts"."amount" > 0),
	CONSTRAINT "trip_card_debts_of_one" CHECK (num_nonnulls("trip_card_debts"."device_id", "trip_card_debts"."device_seq") = case when num_nonnulls("trip_card_debts"."top_up_id", "trip_card_debts"."refund_id") = 0 then 2 else 0 end)
);
--> statement-breakpoint
CREATE TABLE "trip_card_entries" (
	"id" text PRIMARY KEY NOT NULL,
	"trip_card_id" text NOT NULL,
	"seq" integer NOT NULL,
	"kind" text NOT NULL,
	"amount" bigint NOT NULL,
	"balance_after" bigint NOT NULL,
	"order_id" text,
	"top_up_id" text,
	"transfer_id" text,
	"description" text NOT NULL,
	"place" text,
	"idempotency_key" text NOT NULL,
	"actor" text NOT NULL,
	"by_customer_id" text,
	"occurred_at" timestamp (3) with time zone NOT NULL,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "trip_card_entries_idempotency_key_unique" UNIQUE("idempotency_key"),
	CONSTRAINT "trip_card_entries_seq" UNIQUE("trip_card_id","seq"),
	CONSTRAINT "trip_card_entries_not_nothing" CHECK ("trip_card_entries"."amount" <> 0),
	CONSTRAINT "trip_card_entries_not_negative" CHECK ("trip_card_entries"."balance_after" >= 0)
);
--> statement-breakpoint
CREATE TABLE "trip_card_reservations" (
	"payment_id" text PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"trip_card_id" text NOT NULL,
	"by_customer_id" text NOT NULL,
	"amount" bigint NOT NULL,
	"coverage" jsonb,
	"status" text NOT NULL,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "trip_card_reservations_positive" CHECK ("trip_card_reservations"."amount" > 0)
);
--> statement-breakpoint
CREATE TABLE "trip_card_shares" (
	"id" text PRIMARY KEY NOT NULL,
	"trip_card_id" text NOT NULL,
	"email" text NOT NULL,
	"customer_id" text,
	"role" text NOT NULL,
	"daily_limit" bigint,
	"status" text NOT NULL,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "trip_card_shares_limit" CHECK ("trip_card_shares"."daily_limit" > 0),
	CONSTRAINT "trip_card_shares_active_have_one" CHECK ("trip_card_shares"."status" <> 'active' or "trip_card_shares"."customer_id" is not null)
);
--> statement-breakpoint
CREATE TABLE "trip_card_transfers" (
	"id" text PRIMARY KEY NOT NULL,
	"from_card_id" text NOT NULL,
	"to_card_id" text NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"idempotency_key" text NOT NULL,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "trip_card_transfers_idempotency_key_unique" UNIQUE("idempotency_key"),
	CONSTRAINT "trip_card_transfers_positive" CHECK ("trip_card_transfers"."amount" > 0),
	CONSTRAINT "trip_card_transfers_move" CHECK ("trip_card_transfers"."from_card_id" <> "trip_card_transfers"."to_card_id")
);
--> statement-breakpoint
CREATE TABLE "trip_cards" (
	"id" text PRIMARY KEY NOT NULL,
	"number" text NOT NULL,
	"name" text NOT NULL,
	"customer_id" text,
	"pin_hash" text,
	"status" text DEFAULT 'active' NOT NULL,
	"unit" text DEFAULT 'money' NOT NULL,
	"currency" text NOT NULL,
	"pass" jsonb,
	"expires_at" timestamp (3) with time zone,
	"notice_days" integer,
	"balance" bigint DEFAULT 0 NOT NULL,
	"held" bigint DEFAULT 0 NOT NULL,
	"entry_count" integer DEFAULT 0 NOT NULL,
	"low_balance_at" bigint,
	"low_balance_notified" boolean DEFAULT false NOT NULL,
	"replaces_card_id" text,
	"replaced_by_card_id" text,
	"last_used_at" timestamp (3) with time zone,
	"is_demo" boolean DEFAULT false NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "trip_cards_number_unique" UNIQUE("number"),
	CONSTRAINT "trip_cards_pass" CHECK (("trip_cards"."unit" = 'trips') = ("trip_cards"."pass" is not null)),
	CONSTRAINT "trip_cards_number" CHECK ("trip_cards"."number" ~ '^[0-9]{16}$'),
	CONSTRAINT "trip_cards_not_negative" CHECK ("trip_cards"."balance" >= 0),
	CONSTRAINT "trip_cards_held" CHECK ("trip_cards"."held" between 0 and "trip_cards"."balance"),
	CONSTRAINT "trip_cards_lost_are_empty" CHECK ("trip_cards"."status" <> 'lost' or "trip_cards"."balance" = 0)
);
--> statement-breakpoint
ALTER TABLE "card_holders" ADD CONSTRAINT "card_holders_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_cards" ADD CONSTRAINT "payment_cards_customer_id_card_holders_customer_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."card_holders"("customer_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sailing_exceptions" ADD CONSTRAINT "sailing_exceptions_port_id_ports_id_fk" FOREIGN KEY ("port_id") REFERENCES "public"."ports"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sailing_exceptions" ADD CONSTRAINT "sailing_exceptions_vessel_id_vessels_id_fk" FOREIGN KEY ("vessel_id") REFERENCES "public"."vessels"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_links" ADD CONSTRAINT "account_links_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "authenticators" ADD CONSTRAINT "authenticators_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "security_events" ADD CONSTRAINT "security_events_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_in_attempts" ADD CONSTRAINT "sign_in_attempts_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rebooking_offers" ADD CONSTRAINT "rebooking_offers_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rebooking_offers" ADD CONSTRAINT "rebooking_offers_hold_id_holds_id_fk" FOREIGN KEY ("hold_id") REFERENCES "public"."holds"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "release_documents" ADD CONSTRAINT "release_documents_version_releases_version_fk" FOREIGN KEY ("version") REFERENCES "public"."releases"("version") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "running_processes" ADD CONSTRAINT "running_processes_version_releases_version_fk" FOREIGN KEY ("version") REFERENCES "public"."releases"("version") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cancellations" ADD CONSTRAINT "cancellations_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "hold_items" ADD CONSTRAINT "hold_items_hold_id_holds_id_fk" FOREIGN KEY ("hold_id") REFERENCES "public"."holds"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "hold_items" ADD CONSTRAINT "hold_items_sailing_id_sailings_id_fk" FOREIGN KEY ("sailing_id") REFERENCES "public"."sailings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "line_capacity" ADD CONSTRAINT "line_capacity_line_id_order_lines_id_fk" FOREIGN KEY ("line_id") REFERENCES "public"."order_lines"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "line_capacity" ADD CONSTRAINT "line_capacity_sailing_id_sailings_id_fk" FOREIGN KEY ("sailing_id") REFERENCES "public"."sailings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_changes" ADD CONSTRAINT "order_changes_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_changes" ADD CONSTRAINT "order_changes_hold_id_holds_id_fk" FOREIGN KEY ("hold_id") REFERENCES "public"."holds"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_sailing_id_sailings_id_fk" FOREIGN KEY ("sailing_id") REFERENCES "public"."sailings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_cancellation_id_cancellations_id_fk" FOREIGN KEY ("cancellation_id") REFERENCES "public"."cancellations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_change_id_order_changes_id_fk" FOREIGN KEY ("change_id") REFERENCES "public"."order_changes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_hold_id_holds_id_fk" FOREIGN KEY ("hold_id") REFERENCES "public"."holds"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_change_id_order_changes_id_fk" FOREIGN KEY ("change_id") REFERENCES "public"."order_changes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_cancellation_id_cancellations_id_fk" FOREIGN KEY ("cancellation_id") REFERENCES "public"."cancellations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_change_id_order_changes_id_fk" FOREIGN KEY ("change_id") REFERENCES "public"."order_changes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_line_id_order_lines_id_fk" FOREIGN KEY ("line_id") REFERENCES "public"."order_lines"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_sailing_id_sailings_id_fk" FOREIGN KEY ("sailing_id") REFERENCES "public"."sailings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_shares" ADD CONSTRAINT "ticket_shares_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fares" ADD CONSTRAINT "fares_route_id_routes_id_fk" FOREIGN KEY ("route_id") REFERENCES "public"."routes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fares" ADD CONSTRAINT "fares_fare_class_id_fare_classes_id_fk" FOREIGN KEY ("fare_class_id") REFERENCES "public"."fare_classes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fares" ADD CONSTRAINT "fares_passenger_type_id_passenger_types_id_fk" FOREIGN KEY ("passenger_type_id") REFERENCES "public"."passenger_types"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fares" ADD CONSTRAINT "fares_vehicle_type_id_vehicle_types_id_fk" FOREIGN KEY ("vehicle_type_id") REFERENCES "public"."vehicle_types"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "feed_archives" ADD CONSTRAINT "feed_archives_name_feed_name_fk" FOREIGN KEY ("name") REFERENCES "public"."feed"("name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "routes" ADD CONSTRAINT "routes_origin_port_id_ports_id_fk" FOREIGN KEY ("origin_port_id") REFERENCES "public"."ports"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "routes" ADD CONSTRAINT "routes_destination_port_id_ports_id_fk" FOREIGN KEY ("destination_port_id") REFERENCES "public"."ports"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sailings" ADD CONSTRAINT "sailings_route_id_routes_id_fk" FOREIGN KEY ("route_id") REFERENCES "public"."routes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sailings" ADD CONSTRAINT "sailings_voyage_id_voyages_id_fk" FOREIGN KEY ("voyage_id") REFERENCES "public"."voyages"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vehicle_types" ADD CONSTRAINT "vehicle_types_included_driver_type_id_passenger_types_id_fk" FOREIGN KEY ("included_driver_type_id") REFERENCES "public"."passenger_types"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voyage_capacity" ADD CONSTRAINT "voyage_capacity_voyage_id_voyages_id_fk" FOREIGN KEY ("voyage_id") REFERENCES "public"."voyages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voyages" ADD CONSTRAINT "voyages_vessel_id_vessels_id_fk" FOREIGN KEY ("vessel_id") REFERENCES "public"."vessels"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voyages" ADD CONSTRAINT "voyages_planned_vessel_id_vessels_id_fk" FOREIGN KEY ("planned_vessel_id") REFERENCES "public"."vessels"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "auto_top_ups" ADD CONSTRAINT "auto_top_ups_trip_card_id_trip_cards_id_fk" FOREIGN KEY ("trip_card_id") REFERENCES "public"."trip_cards"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "auto_top_ups" ADD CONSTRAINT "auto_top_ups_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gate_charges" ADD CONSTRAINT "gate_charges_trip_card_id_trip_cards_id_fk" FOREIGN KEY ("trip_card_id") REFERENCES "public"."trip_cards"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "top_ups" ADD CONSTRAINT "top_ups_trip_card_id_trip_cards_id_fk" FOREIGN KEY ("trip_card_id") REFERENCES "public"."trip_cards"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trip_card_blocks" ADD CONSTRAINT "trip_card_blocks_trip_card_id_trip_cards_id_fk" FOREIGN KEY ("trip_card_id") REFERENCES "public"."trip_cards"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trip_card_debts" ADD CONSTRAINT "trip_card_debts_top_up_id_top_ups_id_fk" FOREIGN KEY ("top_up_id") REFERENCES "public"."top_ups"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trip_card_debts" ADD CONSTRAINT "trip_card_debts_refund_id_refunds_id_fk" FOREIGN KEY ("refund_id") REFERENCES "public"."refunds"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trip_card_debts" ADD CONSTRAINT "trip_card_debts_trip_card_id_trip_cards_id_fk" FOREIGN KEY ("trip_card_id") REFERENCES "public"."trip_cards"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trip_card_debts" ADD CONSTRAINT "trip_card_debts_of_charge" FOREIGN KEY ("device_id","device_seq") REFERENCES "public"."gate_charges"("device_id","device_seq") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trip_card_entries" ADD CONSTRAINT "trip_card_entries_trip_card_id_trip_cards_id_fk" FOREIGN KEY ("trip_card_id") REFERENCES "public"."trip_cards"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trip_card_entries" ADD CONSTRAINT "trip_card_entries_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trip_card_entries" ADD CONSTRAINT "trip_card_entries_top_up_id_top_ups_id_fk" FOREIGN KEY ("top_up_id") REFERENCES "public"."top_ups"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trip_card_entries" ADD CONSTRAINT "trip_card_entries_transfer_id_trip_card_transfers_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."trip_card_transfers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trip_card_reservations" ADD CONSTRAINT "trip_card_reservations_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trip_card_reservations" ADD CONSTRAINT "trip_card_reservations_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trip_card_reservations" ADD CONSTRAINT "trip_card_reservations_trip_card_id_trip_cards_id_fk" FOREIGN KEY ("trip_card_id") REFERENCES "public"."trip_cards"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trip_card_shares" ADD CONSTRAINT "trip_card_shares_trip_card_id_trip_cards_id_fk" FOREIGN KEY ("trip_card_id") REFERENCES "public"."trip_cards"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trip_card_shares" ADD CONSTRAINT "trip_card_shares_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trip_card_transfers" ADD CONSTRAINT "trip_card_transfers_from_card_id_trip_cards_id_fk" FOREIGN KEY ("from_card_id") REFERENCES "public"."trip_cards"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trip_card_transfers" ADD CONSTRAINT "trip_card_transfers_to_card_id_trip_cards_id_fk" FOREIGN KEY ("to_card_id") REFERENCES "public"."trip_cards"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trip_cards" ADD CONSTRAINT "trip_cards_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trip_cards" ADD CONSTRAINT "trip_cards_replaces_card_id_trip_cards_id_fk" FOREIGN KEY ("replaces_card_id") REFERENCES "public"."trip_cards"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trip_cards" ADD CONSTRAINT "trip_cards_replaced_by_card_id_trip_cards_id_fk" FOREIGN KEY ("replaced_by_card_id") REFERENCES "public"."trip_cards"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payment_cards_by_customer" ON "payment_cards" USING btree ("customer_id","inserted_at");--> statement-breakpoint
CREATE UNIQUE INDEX "payment_cards_one_primary" ON "payment_cards" USING btree ("customer_id") WHERE is_primary and status = 'active';--> statement-breakpoint
CREATE UNIQUE INDEX "payment_cards_once" ON "payment_cards" USING btree ("customer_id","fingerprint","exp_year","exp_month") WHERE status = 'active';--> statement-breakpoint
CREATE UNIQUE INDEX "payment_cards_reference" ON "payment_cards" USING btree ("provider_reference") WHERE status = 'active';--> statement-breakpoint
CREATE INDEX "sailing_exceptions_by_day" ON "sailing_exceptions" USING btree ("until_day");--> statement-breakpoint
CREATE INDEX "links_by_customer" ON "account_links" USING btree ("customer_id");--> statement-breakpoint
CREATE INDEX "links_by_end" ON "account_links" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "customers_email" ON "customers" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "passkeys_by_customer" ON "passkeys" USING btree ("customer_id");--> statement-breakpoint
CREATE INDEX "recovery_codes_by_customer" ON "recovery_codes" USING btree ("customer_id");--> statement-breakpoint
CREATE INDEX "security_events_by_customer" ON "security_events" USING btree ("customer_id","inserted_at");--> statement-breakpoint
CREATE INDEX "sessions_by_customer" ON "sessions" USING btree ("customer_id");--> statement-breakpoint
CREATE INDEX "attempts_by_customer" ON "sign_in_attempts" USING btree ("customer_id");--> statement-breakpoint
CREATE INDEX "attempts_by_end" ON "sign_in_attempts" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "spent_by_end" ON "spent_challenges" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "rebooking_offers_by_order" ON "rebooking_offers" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "rebooking_offers_due" ON "rebooking_offers" USING btree ("deadline") WHERE status = 'open';--> statement-breakpoint
CREATE UNIQUE INDEX "rebooking_offers_one_open" ON "rebooking_offers" USING btree ("order_id","direction") WHERE status = 'open';--> statement-breakpoint
CREATE INDEX "running_processes_by_version" ON "running_processes" USING btree ("version","seen_at");--> statement-breakpoint
CREATE INDEX "cancellations_by_order" ON "cancellations" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "hold_items_by_sailing" ON "hold_items" USING btree ("sailing_id");--> statement-breakpoint
CREATE INDEX "holds_of_network" ON "holds" USING btree ("network") WHERE status = 'active' and network is not null;--> statement-breakpoint
CREATE INDEX "holds_to_lapse" ON "holds" USING btree ("expires_at") WHERE status = 'active';--> statement-breakpoint
CREATE INDEX "line_capacity_by_sailing" ON "line_capacity" USING btree ("sailing_id");--> statement-breakpoint
CREATE INDEX "order_changes_by_order" ON "order_changes" USING btree ("order_id");--> statement-breakpoint
CREATE UNIQUE INDEX "order_changes_one_open" ON "order_changes" USING btree ("order_id") WHERE status in ('held', 'awaiting_payment');--> statement-breakpoint
CREATE INDEX "orders_by_customer" ON "orders" USING btree ("customer_id","inserted_at");--> statement-breakpoint
CREATE INDEX "orders_by_email" ON "orders" USING btree (lower("contact_email"));--> statement-breakpoint
CREATE INDEX "orders_without_room" ON "orders" USING btree ("id") WHERE needs_attention = 'no_room';--> statement-breakpoint
CREATE INDEX "orders_of_canceled_sailings" ON "orders" USING btree ("id") WHERE needs_attention = 'sailing_canceled';--> statement-breakpoint
CREATE INDEX "orders_with_contact" ON "orders" USING btree ("inserted_at") WHERE contact_email <> '';--> statement-breakpoint
CREATE INDEX "orders_with_assistance" ON "orders" USING btree ("id") WHERE assistance is not null;--> statement-breakpoint
CREATE INDEX "orders_unpaid" ON "orders" USING btree ("inserted_at") WHERE status in ('held', 'awaiting_payment');--> statement-breakpoint
CREATE INDEX "payments_by_origin" ON "payments" USING btree ("started_from","updated_at");--> statement-breakpoint
CREATE UNIQUE INDEX "payments_one_open" ON "payments" USING btree ("order_id") WHERE status in ('created', 'requires_action', 'processing');--> statement-breakpoint
CREATE INDEX "refunds_by_order" ON "refunds" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "refunds_open" ON "refunds" USING btree ("inserted_at") WHERE status in ('requested', 'pending');--> statement-breakpoint
CREATE UNIQUE INDEX "tickets_of_party" ON "tickets" USING btree ("order_id","leg","party_index") WHERE status not in ('replaced', 'canceled');--> statement-breakpoint
CREATE INDEX "tickets_by_order" ON "tickets" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "tickets_by_sailing" ON "tickets" USING btree ("sailing_id");--> statement-breakpoint
CREATE INDEX "idempotency_by_age" ON "idempotency_keys" USING btree ("inserted_at");--> statement-breakpoint
CREATE INDEX "mails_queued" ON "mails" USING btree ("status","try_at");--> statement-breakpoint
CREATE INDEX "privacy_log_by_time" ON "privacy_log" USING btree ("inserted_at");--> statement-breakpoint
CREATE INDEX "rate_limits_by_end" ON "rate_limits" USING btree ("window_ends_at");--> statement-breakpoint
CREATE INDEX "ticket_shares_by_order" ON "ticket_shares" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "fares_by_route" ON "fares" USING btree ("route_id");--> statement-breakpoint
CREATE INDEX "sailings_by_route" ON "sailings" USING btree ("route_id","service_date");--> statement-breakpoint
CREATE INDEX "sailings_by_service_date" ON "sailings" USING btree ("service_date");--> statement-breakpoint
CREATE INDEX "sailings_by_departure" ON "sailings" USING btree ("departs_at");--> statement-breakpoint
CREATE INDEX "voyages_by_service_date" ON "voyages" USING btree ("service_date");--> statement-breakpoint
CREATE UNIQUE INDEX "voyages_extra" ON "voyages" USING btree ("exception_id","service_date") WHERE "voyages"."exception_id" is not null;--> statement-breakpoint
CREATE INDEX "auto_top_ups_due" ON "auto_top_ups" USING btree ("try_at") WHERE state = 'ok' and try_at is not null;--> statement-breakpoint
CREATE INDEX "top_ups_open" ON "top_ups" USING btree ("updated_at") WHERE status in ('created', 'requires_action', 'processing');--> statement-breakpoint
CREATE INDEX "top_ups_by_origin" ON "top_ups" USING btree ("started_from","updated_at");--> statement-breakpoint
CREATE UNIQUE INDEX "trip_card_blocks_one_open" ON "trip_card_blocks" USING btree ("trip_card_id") WHERE until_at is null;--> statement-breakpoint
CREATE INDEX "trip_card_debts_open" ON "trip_card_debts" USING btree ("trip_card_id") WHERE settled < amount;--> statement-breakpoint
CREATE UNIQUE INDEX "trip_card_entries_one_per_top_up" ON "trip_card_entries" USING btree ("top_up_id") WHERE kind = 'top_up';--> statement-breakpoint
CREATE INDEX "trip_card_entries_by_top_up" ON "trip_card_entries" USING btree ("top_up_id") WHERE top_up_id is not null;--> statement-breakpoint
CREATE INDEX "trip_card_entries_by_customer" ON "trip_card_entries" USING btree ("trip_card_id","by_customer_id","occurred_at");--> statement-breakpoint
CREATE INDEX "trip_card_reservations_held" ON "trip_card_reservations" USING btree ("trip_card_id") WHERE status = 'held';--> statement-breakpoint
CREATE UNIQUE INDEX "trip_card_reservations_one_held" ON "trip_card_reservations" USING btree ("order_id") WHERE status = 'held';--> statement-breakpoint
CREATE UNIQUE INDEX "trip_card_shares_one" ON "trip_card_shares" USING btree ("trip_card_id","email") WHERE status <> 'revoked';--> statement-breakpoint
CREATE INDEX "trip_card_shares_by_email" ON "trip_card_shares" USING btree ("email");--> statement-breakpoint
CREATE INDEX "trip_card_shares_by_customer" ON "trip_card_shares" USING btree ("customer_id");--> statement-breakpoint
CREATE INDEX "trip_cards_by_customer" ON "trip_cards" USING btree ("customer_id","inserted_at");--> statement-breakpoint
CREATE INDEX "trip_cards_expiring" ON "trip_cards" USING btree ("expires_at") WHERE expires_at is not null;--> statement-breakpoint
-- Numbers an entry and computes the balance after it, under the lock of its card, whatever the statement says: numbers
-- run 1, 2, 3 and each balance is the previous one plus the amount. A check of the table refuses balances below zero.
-- The lock is the application's own: a stronger one would wait for foreign-key checks.
CREATE FUNCTION trip_card_entry_number() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  newest record;
BEGIN
  PERFORM 1 FROM trip_cards WHERE id = NEW.trip_card_id FOR NO KEY UPDATE;
  SELECT seq, balance_after INTO newest FROM trip_card_entries
    WHERE trip_card_id = NEW.trip_card_id ORDER BY seq DESC LIMIT 1;
  NEW.seq := coalesce(newest.seq, 0) + 1;
  NEW.balance_after := coalesce(newest.balance_after, 0) + NEW.amount;
  RETURN NEW;
END
$$;
--> statement-breakpoint
CREATE TRIGGER trip_card_entry_number BEFORE INSERT ON trip_card_entries
  FOR EACH ROW EXECUTE FUNCTION trip_card_entry_number();
--> statement-breakpoint
-- After the insert: an entry that conflicts with an existing one must not change the balance.
CREATE FUNCTION trip_card_entry_carry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE trip_cards SET balance = newest.balance_after, entry_count = newest.seq,
      version = version + 1, updated_at = NEW.inserted_at
    FROM (
      SELECT seq, balance_after FROM trip_card_entries
      WHERE trip_card_id = NEW.trip_card_id ORDER BY seq DESC LIMIT 1
    ) newest
    WHERE id = NEW.trip_card_id;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER trip_card_entry_carry AFTER INSERT ON trip_card_entries
  FOR EACH ROW EXECUTE FUNCTION trip_card_entry_carry();
--> statement-breakpoint
-- Demo cards hold no real money: their entries may be deleted with them.
CREATE FUNCTION trip_card_entries_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF EXISTS (SELECT 1 FROM trip_cards WHERE id = OLD.trip_card_id AND is_demo) THEN
      RETURN OLD;
    END IF;
  END IF;
  RAISE EXCEPTION 'The ledger of trip cards is append-only.'
    USING ERRCODE = 'restrict_violation', CONSTRAINT = 'trip_card_entries_stay';
END
$$;
--> statement-breakpoint
CREATE TRIGGER trip_card_entries_stay BEFORE UPDATE OR DELETE ON trip_card_entries
  FOR EACH ROW EXECUTE FUNCTION trip_card_entries_stay();
--> statement-breakpoint
CREATE TRIGGER trip_card_entries_stay_whole BEFORE TRUNCATE ON trip_card_entries
  FOR EACH STATEMENT EXECUTE FUNCTION trip_card_entries_stay();
--> statement-breakpoint
-- A card's balance is the balance after its newest entry; no other value can be written.
CREATE FUNCTION trip_card_balance() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  newest record;
BEGIN
  SELECT seq, balance_after INTO newest FROM trip_card_entries
    WHERE trip_card_id = NEW.id ORDER BY seq DESC LIMIT 1;
  IF NEW.balance <> coalesce(newest.balance_after, 0) OR NEW.entry_count <> coalesce(newest.seq, 0) THEN
    RAISE EXCEPTION 'The balance of a trip card is the sum of its entries.'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'trip_cards_balance';
  END IF;
  RETURN NEW;
END
$$;
--> statement-breakpoint
CREATE TRIGGER trip_card_balance_of_new BEFORE INSERT ON trip_cards
  FOR EACH ROW EXECUTE FUNCTION trip_card_balance();
--> statement-breakpoint
CREATE TRIGGER trip_card_balance BEFORE UPDATE ON trip_cards
  FOR EACH ROW WHEN (NEW.balance <> OLD.balance OR NEW.entry_count <> OLD.entry_count)
  EXECUTE FUNCTION trip_card_balance();
--> statement-breakpoint
-- The reserved amount of a card is the sum of its reservations that are neither spent nor released.
CREATE FUNCTION trip_card_held() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE trip_cards c SET version = version + 1, held = (
      SELECT coalesce(sum(amount), 0) FROM trip_card_reservations s
      WHERE s.trip_card_id = c.id AND s.status = 'held'
    )
    WHERE c.id = NEW.trip_card_id;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER trip_card_held AFTER INSERT OR UPDATE ON trip_card_reservations
  FOR EACH ROW EXECUTE FUNCTION trip_card_held();
--> statement-breakpoint
-- Encrypted responses cannot be compressed, and stay in their row instead of a second table.
ALTER TABLE "idempotency_keys" ALTER COLUMN "encrypted_body" SET STORAGE EXTERNAL;
--> statement-breakpoint
ALTER TABLE "idempotency_keys" SET (toast_tuple_target = 8160);
