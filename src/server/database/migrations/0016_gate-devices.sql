CREATE TABLE "gate_devices" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"pairing_hash" text,
	"pairing_expires_at" timestamp (3) with time zone NOT NULL,
	"key_hash" text,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	"paired_at" timestamp (3) with time zone,
	"last_seen_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "gate_devices_pairing_hash_unique" UNIQUE("pairing_hash"),
	CONSTRAINT "gate_devices_key_hash_unique" UNIQUE("key_hash")
);
--> statement-breakpoint
ALTER TABLE "staff_members" ADD COLUMN "shift_pin_hash" text;--> statement-breakpoint
ALTER TABLE "staff_sessions" ADD COLUMN "gate_device_id" text;--> statement-breakpoint
ALTER TABLE "staff_sessions" ADD CONSTRAINT "staff_sessions_gate_device_id_gate_devices_id_fk" FOREIGN KEY ("gate_device_id") REFERENCES "public"."gate_devices"("id") ON DELETE no action ON UPDATE no action;